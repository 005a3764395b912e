/* transpose_2d: works in squares that fit L1, so that reads and writes use whole cache lines.
 * Reads 4 bytes and writes 4 for each element. */
#include <string.h>

#include "level.h"

enum { SIDE = 16 }; /* one cache line of floats */

static void transpose_square(const ifn_transpose_2d_args *a, int64_t row, int64_t n_rows,
                             int64_t col, int64_t n_cols)
{
    for (int64_t c = col; c < col + n_cols; c++)
        for (int64_t r = row; r < row + n_rows; r++)
            memcpy(a->out + c * a->rows + r, a->x + r * a->cols + c, sizeof *a->out);
}

ifn_status IFN_KERNEL(transpose_2d)(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->cols);
    for (int64_t c = part.begin; c < part.end; c += SIDE) {
        const int64_t n_cols = part.end - c < SIDE ? part.end - c : SIDE;
        for (int64_t r = 0; r < a->rows; r += SIDE)
            transpose_square(a, r, a->rows - r < SIDE ? a->rows - r : SIDE, c, n_cols);
    }
    return IFN_OK;
}
