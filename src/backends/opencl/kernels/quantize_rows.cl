/* Each work item handles 32 elements of a row. */
__kernel void quantize_rows(BUFFER(out), BUFFER(x), const long begin, const long end,
                            const long cols, const ulong row_bytes)
{
    const long pieces = (cols + PIECE - 1) / PIECE;
    const long r = begin + (long)get_global_id(0) / pieces, at = (long)get_global_id(0) % pieces;
    if (r >= end)
        return;
    const uint n = (uint)min((long)PIECE, cols - at * PIECE);
    __global const float *const x = AS(const float, x) + r * cols + at * PIECE;
    float values[PIECE];
    for (uint j = 0; j < n; j++)
        values[j] = x[j];
    store_values(AS(uchar, out) + (ulong)r * row_bytes + (ulong)at * PIECE_BYTES, values, n);
}
