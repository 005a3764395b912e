/*
 * matmul with factors in half: tiles of both are rounded as they come to local memory. Products of two halves
 * are exact in float; an element is one float sum over ascending l.
 */
#define TILE  16
#define SIDE  8
#define ITEMS (TILE * TILE / SIDE)

__kernel __attribute__((reqd_work_group_size(TILE / SIDE, TILE, 1))) void
matmul(BUFFER(out), BUFFER(a), BUFFER(b), const long row_begin, const long row_end,
       const long col_begin, const long col_end, const long n, const long p)
{
    __local ushort a_bits[TILE * TILE], b_bits[TILE * TILE];
    __local half *const a_tile = (__local half *)a_bits, *const b_tile = (__local half *)b_bits;
    const uint c = get_local_id(0), r = get_local_id(1);
    const long first_col = col_begin + (long)get_group_id(0) * TILE
    , col = first_col + c * SIDE;
    const long first_row = row_begin + (long)get_group_id(1) * TILE
    , row = first_row + r;
    __global const float *const a = AS(const float, a), *const b = AS(const float, b);
    float sums[SIDE];
    for (uint i = 0; i < SIDE; i++)
        sums[i] = 0.0f;
    for (long from = 0; from < n; from += TILE) {
        const uint depth = (uint)min((long)TILE, n - from);
        for (uint at = r * (TILE / SIDE) + c; at < TILE * TILE; at += ITEMS) {
            const uint i = at / TILE
            , j = at % TILE;
            vstore_half_rte(first_row + i < row_end && j < depth ? a[(first_row + i) * n + from + j]
                                                                 : 0.0f,
                            at, a_tile);
            vstore_half_rte(i < depth && first_col + j < col_end ? b[(from + i) * p + first_col + j]
                                                                 : 0.0f,
                            at, b_tile);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < row_end)
            for (uint l = 0; l < depth; l++) {
                const float left = vload_half(r * TILE + l, a_tile);
                for (uint i = 0; i < SIDE; i++)
                    sums[i] += left * vload_half(l * TILE + c * SIDE + i, b_tile);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < SIDE; i++)
        if (row < row_end && col + i < col_end)
            AS(float, out)[row * p + col + i] = sums[i];
}
