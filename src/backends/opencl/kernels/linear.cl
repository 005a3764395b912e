/*
 * Each work item computes the outputs of one feature for ROWS rows at once. It decodes 32 weights at
 * a time and multiplies them by the rows of x that its group has copied to local memory. An output is
 * one sum over ascending j, for every shape of the call. VARIANT 1 is for many rows, 0 for one.
 */
#if VARIANT
#define ROWS 8
typedef float8 of_rows;
#define STORE_ROWS(rows, out) vstore8(rows, 0, out)
#else
#define ROWS 1
typedef float of_rows;
#define STORE_ROWS(rows, out) (*(out) = (rows))
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
linear(BUFFER(out), BUFFER(x), BUFFER(w), BUFFER(bias), const long feature_begin,
       const long feature_end, const long row_begin, const long row_end, const long k,
       const long x_stride, const long out_stride, const ulong row_bytes)
{
    __local of_rows x_tile[PIECE];
    float values[PIECE], own[ROWS];
    of_rows sums = 0.0f;
    const uint item = get_local_id(0);
    const long feature = feature_begin + (long)get_group_id(0) * GROUP_ITEMS + item;
    const long row = row_begin + (long)get_group_id(1) * ROWS;
    const uint rows = (uint)min((long)ROWS, row_end - row);
    __global const float *const x = AS(const float, x) + row * x_stride;
    __global const uchar *const w = AS(const uchar, w) + (ulong)feature * row_bytes;
    for (long from = 0; from < k; from += PIECE) {
        const uint n = (uint)min((long)PIECE, k - from);
        for (uint i = item; i < ROWS * PIECE; i += GROUP_ITEMS) {
            const uint r = i / PIECE, j = i % PIECE;
            ((__local float *)x_tile)[j * ROWS + r] =
                r < rows && j < n ? x[r * x_stride + from + j] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (feature < feature_end) {
            load_values(w, (ulong)from / PIECE, n, values);
            for (uint j = 0; j < n; j++)
                sums += x_tile[j] * values[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global float *const out = AS(float, out) + row * out_stride;
    STORE_ROWS(sums, own);
    if (feature < feature_end)
        for (uint r = 0; r < rows; r++)
            out[r * out_stride + feature] =
                bias_memory ? own[r] + AS(const float, bias)[feature] : own[r];
}
