/* Describes where the wrong elements of a tensor lie, in one sentence that hints at the kind of mistake. */
#ifndef CONFORM_PATTERN_H
#define CONFORM_PATTERN_H

#include "truth.h"

enum { PATTERN_BORDERS = 8 };

/* Where parts of a call meet on a tensor: the first row or column after each cut. */
typedef struct conform_borders {
    int n_rows, n_cols;
    int64_t rows[PATTERN_BORDERS], cols[PATTERN_BORDERS];
} conform_borders;

typedef struct conform_wrong {
    const conform_tensor *t;
    const unsigned char *marks;     /* [rows * cols], 1 where an element is wrong */
    const void *got;                /* the result, gaps included, and its truth; NULL if only */
    const conform_truth *truth;     /* the places of wrong elements are known */
    const conform_borders *borders; /* NULL: the call was not cut */
} conform_wrong;

/*
 * "tail of the columns: 4 of 67 wrong, rows 3..3 of 5, columns 64..67 of 68". The word is the first
 * that fits: NaN where a number belongs, a number where NaN belongs, transposed, shifted, all,
 * border, tail of the columns, last rows, one row, one element, one column, one lane, a block,
 * scattered.
 */
void conform_describe_wrong(const conform_wrong *w, char *out, size_t bytes);

#endif
