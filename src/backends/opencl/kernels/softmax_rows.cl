/*
 * A work group computes one row. Special values need no extra code: inf - inf is NaN, and one NaN in
 * the sum reaches every element through the division. In-place calls are safe, since every item reads
 * only elements that it writes itself.
 */
__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
softmax_rows(BUFFER(out), BUFFER(x), const long begin, const long cols)
{
    __local float room[GROUP_ITEMS];
    const long row = (begin + (long)get_group_id(0)) * cols;
    __global const float *const x = AS(const float, x) + row;
    __global float *const out = AS(float, out) + row;
    float own = -INFINITY;
    for (long c = get_local_id(0); c < cols; c += GROUP_ITEMS)
        own = x[c] > own ? x[c] : own;
    const float most = max_of_group(room, own);
    own = 0.0f;
    for (long c = get_local_id(0); c < cols; c += GROUP_ITEMS) {
        const float e = exp(x[c] - most);
        out[c] = e;
        own += e;
    }
    const float sum = sum_of_group(room, own);
    for (long c = get_local_id(0); c < cols; c += GROUP_ITEMS)
        out[c] /= sum;
}
