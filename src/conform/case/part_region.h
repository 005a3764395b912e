/* What of an output belongs to a part of a call: the split of the op list, byte by byte. */
#ifndef CONFORM_PART_REGION_H
#define CONFORM_PART_REGION_H

#include "tensor.h"

/* A part: [begin, end) along both axes; along an axis without cuts, all of it is 0, 0. */
typedef struct conform_part {
    int64_t begin[2], end[2];
} conform_part;

/* Rows of a tensor that come again and again in the same order, and bytes within each. */
typedef struct conform_region {
    size_t stride;                               /* bytes from row to row */
    int64_t unit, n_units, unit_begin, unit_end; /* rows of a unit, units of a turn */
    size_t byte_begin, byte_end;
} conform_region;

/* Of tensor i, which the op writes. `args` are those of the whole call; attention in one phase. */
conform_region conform_part_region(ifn_op op, const ifn_args *args, const conform_layout *layout,
                                   int i, const conform_part *part);

/* Which bytes of a row belong to it: [*begin, *end), none where they are equal. */
void conform_region_row(const conform_region *region, int64_t row, size_t *begin, size_t *end);
/* The same of the row that begins at byte `at` of a tensor of `bytes`, counted from its beginning and no farther than its end.
 * Returns where the next row begins. */
size_t conform_region_at(const conform_region *region, size_t bytes, size_t at, size_t *begin,
                         size_t *end);

#endif
