/* Computes which bytes of an output belong to a part of a call, by the split of the op list. */
#ifndef CONFORM_PART_REGION_H
#define CONFORM_PART_REGION_H

#include "tensor.h"

/* A part: [begin, end) along both axes; 0, 0 means the whole of an axis that is not cut. */
typedef struct conform_part {
    int64_t begin[2], end[2];
} conform_part;

/* The region of a part: certain rows of a tensor, in a pattern that repeats, and a range of bytes in each. */
typedef struct conform_region {
    size_t stride;                               /* bytes from row to row */
    int64_t unit, n_units, unit_begin, unit_end; /* rows per unit, units per repetition; part's */
    size_t byte_begin, byte_end;
} conform_region;

/* The region of tensor i, which the op writes. `args` are those of the whole call; attention in one phase. */
conform_region conform_part_region(ifn_op op, const ifn_args *args, const conform_layout *layout,
                                   int i, const conform_part *part);

/* Sets the bytes of a row that belong to the region: [*begin, *end), none if they are equal. */
void conform_region_row(const conform_region *region, int64_t row, size_t *begin, size_t *end);
/* The same for the row that begins at byte `at` of a tensor of `bytes`; *begin and *end are offsets in the tensor and
 * stay below its end. Returns where the next row begins. */
size_t conform_region_at(const conform_region *region, size_t bytes, size_t at, size_t *begin,
                         size_t *end);

#endif
