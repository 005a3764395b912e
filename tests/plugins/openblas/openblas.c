/*
 * matmul by OpenBLAS, as a correct backend with other people's kernels. OpenBLAS sums in blocks, fuses
 * multiply-adds where the processor can, and chooses its kernel by the shape. So the backend promises
 * no invariances: cutting a call into parts, or moving it in memory, may change the last bits.
 */
#include <inferno/backend.h>

#include <cblas.h>
#include <limits.h>

static int fits(int64_t extent)
{
    return extent <= INT_MAX;
}

static void fill_zero(const ifn_matmul_args *a, int64_t row, int64_t end, int64_t col,
                      int64_t n_cols)
{
    for (; row < end; row++)
        for (int64_t j = 0; j < n_cols; j++)
            a->out[row * a->p + col + j] = 0.0f;
}

static ifn_status matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    if (a->m < 0 || a->n < 0 || a->p < 0)
        return IFN_ERR_SHAPE;
    if (!fits(a->m) || !fits(a->n) || !fits(a->p))
        return IFN_ERR_UNSUPPORTED;
    const int64_t row = a->part_begin, row_end = a->part_end ? a->part_end : a->m;
    const int64_t col = a->part2_begin, col_end = a->part2_end ? a->part2_end : a->p;
    const int n_rows = (int)(row_end - row), n_cols = (int)(col_end - col);
    const int n = (int)a->n, p = (int)a->p;
    if (n_rows == 0 || n_cols == 0)
        return IFN_OK;
    if (n == 0) { /* a leading dimension of 0 is an error to BLAS */
        fill_zero(a, row, row_end, col, n_cols);
        return IFN_OK;
    }
    /* beta = 0: out is overwritten and not read, even if it holds a NaN. */
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n_rows, n_cols, n, 1.0f,
                a->a + row * a->n, n, a->b + col, p, 0.0f, a->out + row * a->p + col, p);
    return IFN_OK;
}

/* OpenBLAS runs one thread: the host (parallel:) cuts calls into parts and runs these on its own threads. */
static ifn_status open_single_threaded(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env;
    (void)err;
    *state = NULL;
    openblas_set_num_threads(1);
    return IFN_OK;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = matmul;
}

IFN_BACKEND_ENTRY(.name = "openblas", .summary = "matmul by OpenBLAS", .fill = fill,
                  .open = open_single_threaded)
