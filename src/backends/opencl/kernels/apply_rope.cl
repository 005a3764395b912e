/* Each work item rotates one pair. Heads are numbered through all rows; each row of the table serves n_heads heads. */
__kernel void apply_rope(BUFFER(out), BUFFER(x), BUFFER(table), const long begin, const long end,
                         const long n_heads, const long head_dim, const int is_interleaved)
{
    const long half_of = head_dim / 2, g = (long)get_global_id(0), i = g % half_of;
    const long head = begin + g / half_of;
    if (head >= end)
        return;
    const long i0 = is_interleaved ? 2 * i : i, i1 = is_interleaved ? 2 * i + 1 : i + half_of;
    __global const float *const table = AS(const float, table) + head / n_heads * head_dim;
    __global const float *const x = AS(const float, x) + head * head_dim;
    __global float *const out = AS(float, out) + head * head_dim;
    const float x0 = x[i0], x1 = x[i1], c = table[i], s = table[half_of + i];
    out[i0] = x0 * c - x1 * s;
    out[i1] = x0 * s + x1 * c;
}
