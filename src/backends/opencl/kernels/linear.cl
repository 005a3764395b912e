/*
 * An item makes the outputs of one feature for ROWS rows: it decodes 32 weights at a time, which
 * meet the rows of x that its group has brought to local memory. An output is one sum over
 * ascending j, whatever the shape of the call is. VARIANT 1 is for many rows, 0 for one.
 */
#define ROWS (VARIANT ? 8 : 1)

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
linear(BUFFER(out), BUFFER(x), BUFFER(w), BUFFER(bias), const long feature_begin,
       const long feature_end, const long row_begin, const long row_end, const long k,
       const long x_stride, const long out_stride, const ulong row_bytes)
{
    __local float x_tile[ROWS][PIECE];
    float sums[ROWS], values[PIECE];
    const uint lane = get_local_id(0);
    const long feature = feature_begin + (long)get_group_id(0) * LANES + lane;
    const long row = row_begin + (long)get_group_id(1) * ROWS;
    const uint rows = (uint)min((long)ROWS, row_end - row);
    __global const float *const x = AS(const float, x) + row * x_stride;
    __global const uchar *const w =
        AS(const uchar, w) + (ulong)min(feature, feature_end - 1) * row_bytes;
    for (uint r = 0; r < ROWS; r++)
        sums[r] = 0.0f;
    for (long from = 0; from < k; from += PIECE) {
        const uint n = (uint)min((long)PIECE, k - from);
        for (uint i = lane; i < ROWS * PIECE; i += LANES)
            if (i / PIECE < rows && i % PIECE < n)
                x_tile[i / PIECE][i % PIECE] = x[i / PIECE * x_stride + from + i % PIECE];
        barrier(CLK_LOCAL_MEM_FENCE);
        load_values(w, (ulong)from / PIECE, n, values);
        for (uint r = 0; r < ROWS; r++)
            for (uint j = 0; j < n; j++)
                sums[r] += x_tile[r][j] * values[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global float *const out = AS(float, out) + row * out_stride;
    if (feature < feature_end)
        for (uint r = 0; r < rows; r++)
            out[r * out_stride + feature] =
                bias_memory ? sums[r] + AS(const float, bias)[feature] : sums[r];
}
