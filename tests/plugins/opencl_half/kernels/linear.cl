/*
 * linear with factors in half: x is rounded as it comes to local memory, where it takes half the room, and a
 * weight as it is decoded. Products of two halves are exact in float; sums are float, over ascending j.
 */
#define ROWS (VARIANT ? 8 : 1)

float rounded_to_half(const float x)
{
    ushort bits[1];
    vstore_half_rte(x, 0, (half *)bits);
    return vload_half(0, (const half *)bits);
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
linear(BUFFER(out), BUFFER(x), BUFFER(w), BUFFER(bias), const long feature_begin,
       const long feature_end, const long row_begin, const long row_end, const long k,
       const long x_stride, const long out_stride, const ulong row_bytes)
{
    __local ushort x_bits[PIECE * ROWS];
    __local half *const x_tile = (__local half *)x_bits;
    float values[PIECE], sums[ROWS];
    const uint item = get_local_id(0);
    const long feature = feature_begin + (long)get_group_id(0) * GROUP_ITEMS + item;
    const long row = row_begin + (long)get_group_id(1) * ROWS;
    const uint rows = (uint)min((long)ROWS, row_end - row);
    __global const float *const x = AS(const float, x) + row * x_stride;
    __global const uchar *const w = AS(const uchar, w) + (ulong)feature * row_bytes;
    for (uint r = 0; r < ROWS; r++)
        sums[r] = 0.0f;
    for (long from = 0; from < k; from += PIECE) {
        const uint n = (uint)min((long)PIECE, k - from);
        for (uint i = item; i < ROWS * PIECE; i += GROUP_ITEMS) {
            const uint r = i / PIECE, j = i % PIECE;
            vstore_half_rte(r < rows && j < n ? x[r * x_stride + from + j] : 0.0f, j * ROWS + r,
                            x_tile);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (feature < feature_end) {
            load_values(w, (ulong)from / PIECE, n, values);
            for (uint j = 0; j < n; j++) {
                const float weight = rounded_to_half(values[j]);
                for (uint r = 0; r < ROWS; r++)
                    sums[r] += vload_half(j * ROWS + r, x_tile) * weight;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global float *const out = AS(float, out) + row * out_stride;
    if (feature < feature_end)
        for (uint r = 0; r < rows; r++)
            out[r * out_stride + feature] =
                bias_memory ? sums[r] + AS(const float, bias)[feature] : sums[r];
}
