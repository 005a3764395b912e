/* Each work item handles 32 elements of a row. */
__kernel void dequantize_rows(BUFFER(out), BUFFER(x), const long begin, const long end,
                              const long cols, const ulong row_bytes)
{
    const long pieces = (cols + PIECE - 1) / PIECE;
    const long r = begin + (long)get_global_id(0) / pieces, at = (long)get_global_id(0) % pieces;
    if (r >= end)
        return;
    const uint n = (uint)min((long)PIECE, cols - at * PIECE);
    __global float *const out = AS(float, out) + r * cols + at * PIECE;
    float values[PIECE];
    load_values(AS(const uchar, x) + (ulong)r * row_bytes, (ulong)at, n, values);
    for (uint j = 0; j < n; j++)
        out[j] = values[j];
}
