/* Stores into one cache. Each work item handles 32 elements of one head of a row. */
__kernel void kv_store(BUFFER(cache), BUFFER(x), BUFFER(pages), const long page_rows,
                       const long head_begin, const long head_end, const long rows, const long first_pos, const long max_pos,
                       const long n_heads, const long head_dim, const ulong row_bytes)
{
    const long pieces = (head_dim + PIECE - 1) / PIECE, i = (long)get_global_id(0);
    const long at = i % pieces, r = i / pieces % rows, h = head_begin + i / pieces / rows;
    if (h >= head_end)
        return;
    const uint n = (uint)min((long)PIECE, head_dim - at * PIECE);
    __global const float *const x = AS(const float, x) + (r * n_heads + h) * head_dim + at * PIECE;
    const long row = row_in_pages(AS(const int, pages), page_rows, first_pos + r);
    float values[PIECE];
    for (uint j = 0; j < n; j++)
        values[j] = x[j];
    store_values(AS(uchar, cache) + (ulong)(h * max_pos + row) * row_bytes +
                     (ulong)at * PIECE_BYTES,
                 values, n);
}
