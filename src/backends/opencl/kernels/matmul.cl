/*
 * A group makes a tile of the output, with tiles of a and b in local memory. An element is one sum
 * over ascending l, whatever the shape of the call is.
 */
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(BUFFER(out), BUFFER(a), BUFFER(b), const long row_begin, const long row_end,
       const long col_begin, const long col_end, const long n, const long p)
{
    __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const uint c = get_local_id(0), r = get_local_id(1);
    const long col = col_begin + (long)get_group_id(0) * TILE + c;
    const long row = row_begin + (long)get_group_id(1) * TILE + r;
    __global const float *const a = AS(const float, a), *const b = AS(const float, b);
    float sum = 0.0f;
    for (long from = 0; from < n; from += TILE) {
        const uint depth = (uint)min((long)TILE, n - from);
        if (row < row_end && c < depth)
            a_tile[r][c] = a[row * n + from + c];
        if (col < col_end && r < depth)
            b_tile[r][c] = b[(from + r) * p + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint l = 0; l < depth; l++)
            sum += a_tile[r][l] * b_tile[l][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < row_end && col < col_end)
        AS(float, out)[row * p + col] = sum;
}
