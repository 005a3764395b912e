/*
 * A work group computes one query head of a row; in PARTIALS, one block of keys of such a head. The
 * group keeps the scores and weights of a block in local memory. Then each item computes every 64th
 * component of the result, over ascending keys. Blocks begin at multiples of KEYS of the absolute
 * position, and are merged in ascending order. DTYPE is the dtype of the cache.
 */
#define KEYS     256
#define WHOLE    0
#define PARTIALS 1
#define MERGE    2

/* Returns e^(score - most), and exactly 0 for a score of -inf, even if all scores are -inf. */
float weigh(const float score, const float most)
{
    return score == -INFINITY ? 0.0f : exp(score - most);
}

/* Returns component c of a row of the cache, decoded. */
float cached(__global const uchar *row, const long c)
{
#if DTYPE == F32
    return as_float(load_u32(row + 4 * c));
#elif DTYPE == F16
    return load_f16(row + 2 * c);
#else
    __global const uchar *const block = row + c / PIECE * BLOCK_BYTES;
    return load_f16(block) * (float)(char)block[2 + c % PIECE];
#endif
}

float dot_of(__global const float *q, __global const uchar *row, const long head_dim)
{
    float sum = 0.0f, k[PIECE];
    for (long from = 0; from < head_dim; from += PIECE) {
        const uint n = (uint)min((long)PIECE, head_dim - from);
        load_values(row, (ulong)from / PIECE, n, k);
        for (uint c = 0; c < n; c++)
            sum += q[from + c] * k[c];
    }
    return sum;
}

/* Returns the row, within the rows of a head, that holds key t of a block. A block is either whole
 * pages, or consecutive rows, and page_rows is 0. */
ulong row_of(__global const int *pages, const long page_rows, const long block, const uint t)
{
    return (ulong)row_in_pages(pages, page_rows, block * KEYS + t);
}

/* Weighs the first n keys of a block: stores their weights, returns the largest score and the sum of the weights. */
float2 weigh_block(__local float *weights, __local float *room, __global const float *q,
                   __global const uchar *keys, __global const int *pages, const long page_rows,
                   const long block, const uint n, const long head_dim, const ulong row_bytes,
                   const float scale)
{
    const uint item = get_local_id(0);
    float own = -INFINITY;
    for (uint t = item; t < n; t += GROUP_ITEMS) {
        const float score = scale * dot_of(q, keys + row_of(pages, page_rows, block, t) * row_bytes, head_dim);
        weights[t] = score;
        own = score > own ? score : own;
    }
    const float most = max_of_group(room, own);
    own = 0.0f;
    for (uint t = item; t < n; t += GROUP_ITEMS) {
        weights[t] = weigh(weights[t], most);
        own += weights[t];
    }
    const float sum = sum_of_group(room, own);
    return (float2)(most, sum);
}

float accumulate(__local const float *weights, __global const uchar *values,
                 __global const int *pages, const long page_rows, const long block, const uint n,
                 const ulong row_bytes, const long c)
{
    const uint step = page_rows > 0 ? (uint)page_rows : KEYS;
    float sum = 0.0f;
    for (uint from = 0; from < n; from += step) {
        __global const uchar *const page = values + row_of(pages, page_rows, block, from) * row_bytes;
        for (uint t = from; t < min(n, from + step); t++)
            sum += weights[t] * cached(page + (t - from) * row_bytes, c);
    }
    return sum;
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
attention(BUFFER(out), BUFFER(q), BUFFER(keys), BUFFER(values), BUFFER(partials), BUFFER(pages),
          const long page_rows, const long head_begin, const long block_begin, const long n_blocks, const long first_pos,
          const long max_pos, const long n_heads, const long n_kv_heads, const long head_dim,
          const float scale, const int phase, const ulong row_bytes)
{
    __local float weights[KEYS], room[GROUP_ITEMS];
    const long item = get_local_id(0), row = (long)get_group_id(1);
    const long head = head_begin + (long)get_group_id(0), vector = row * n_heads + head;
    const ulong first_row = (ulong)(head * n_kv_heads / n_heads * max_pos) * row_bytes;
    __global const float *const q = AS(const float, q) + vector * head_dim;
    __global const uchar *const keys = AS(const uchar, keys) + first_row;
    __global const uchar *const values = AS(const uchar, values) + first_row;
    __global const int *const pages = AS(const int, pages);
    __global float *const out = AS(float, out) + (phase == PARTIALS ? 0 : vector * head_dim);
    const long n_keys = first_pos + row + 1;
    const long begin = phase == PARTIALS ? block_begin + (long)get_group_id(2) : 0;
    const long end = phase == PARTIALS ? begin + 1 : (n_keys + KEYS - 1) / KEYS;
    float2 run = (float2)(-INFINITY, 0.0f);
    if (phase != PARTIALS)
        for (long c = item; c < head_dim; c += GROUP_ITEMS)
            out[c] = 0.0f;
    for (long block = begin; block < end; block++) {
        const uint n = (uint)clamp(n_keys - block * KEYS, 0L, (long)KEYS);
        __global float *const partial = AS(float, partials) + (vector * n_blocks + block) * (2 + head_dim);
        const float2 own = phase == MERGE ? (float2)(partial[0], partial[1])
                                          : weigh_block(weights, room, q, keys, pages, page_rows,
                                                        block, n, head_dim, row_bytes, scale);
        if (phase == PARTIALS) {
            if (item == 0) {
                partial[0] = own.x;
                partial[1] = own.y;
            }
            for (long c = item; c < head_dim; c += GROUP_ITEMS)
                partial[2 + c] = accumulate(weights, values, pages, page_rows, block, n, row_bytes, c);
        } else {
            const float most = own.x > run.x ? own.x : run.x;
            const float keep = weigh(run.x, most), take = weigh(own.x, most);
            run = (float2)(most, run.y * keep + own.y * take);
            for (long c = item; c < head_dim; c += GROUP_ITEMS) {
                const float sum = phase == MERGE ? partial[2 + c]
                                                 : accumulate(weights, values, pages, page_rows, block, n,
                                                              row_bytes, c);
                out[c] = out[c] * keep + sum * take;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (phase != PARTIALS)
        for (long c = item; c < head_dim; c += GROUP_ITEMS)
            out[c] /= run.y;
}
