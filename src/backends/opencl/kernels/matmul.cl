/*
 * A work group computes a tile of the output, with tiles of a and b in local memory. Each item computes
 * SIDE consecutive elements of a row. An element is one sum over ascending l, for every shape of the call.
 */
#define TILE  16
#define SIDE  8
#define ITEMS (TILE * TILE / SIDE)

__kernel __attribute__((reqd_work_group_size(TILE / SIDE, TILE, 1))) void
matmul(BUFFER(out), BUFFER(a), BUFFER(b), const long row_begin, const long row_end,
       const long col_begin, const long col_end, const long n, const long p)
{
    __local float a_tile[TILE][TILE];
    __local float8 b_tile[TILE][TILE / SIDE];
    const uint c = get_local_id(0), r = get_local_id(1);
    const long first_col = col_begin + (long)get_group_id(0) * TILE, col = first_col + c * SIDE;
    const long first_row = row_begin + (long)get_group_id(1) * TILE, row = first_row + r;
    __global const float *const a = AS(const float, a), *const b = AS(const float, b);
    float own[SIDE];
    float8 sums = 0.0f;
    for (long from = 0; from < n; from += TILE) {
        const uint depth = (uint)min((long)TILE, n - from);
        for (uint at = r * (TILE / SIDE) + c; at < TILE * TILE; at += ITEMS) {
            const uint i = at / TILE, j = at % TILE;
            a_tile[i][j] =
                first_row + i < row_end && j < depth ? a[(first_row + i) * n + from + j] : 0.0f;
            ((__local float *)b_tile)[at] =
                i < depth && first_col + j < col_end ? b[(from + i) * p + first_col + j] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < row_end)
            for (uint l = 0; l < depth; l++)
                sums += a_tile[r][l] * b_tile[l][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    vstore8(sums, 0, own);
    for (uint i = 0; i < SIDE; i++)
        if (row < row_end && col + i < col_end)
            AS(float, out)[row * p + col + i] = own[i];
}
