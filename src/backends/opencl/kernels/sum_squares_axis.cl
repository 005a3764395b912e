/* VARIANT 1: each work group adds up a row. VARIANT 0: each work item adds up a column. */
#if VARIANT
__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
sum_squares_axis(BUFFER(out), BUFFER(x), const long begin, const long end, const long rows,
                 const long cols)
{
    __local float room[GROUP_ITEMS];
    const long r = begin + (long)get_group_id(0);
    __global const float *const x = AS(const float, x) + r * cols;
    float own = 0.0f;
    for (long c = get_local_id(0); c < cols; c += GROUP_ITEMS)
        own += x[c] * x[c];
    const float all = sum_of_group(room, own);
    if (get_local_id(0) == 0)
        AS(float, out)[r] = all;
}
#else
__kernel void sum_squares_axis(BUFFER(out), BUFFER(x), const long begin, const long end,
                               const long rows, const long cols)
{
    const long c = begin + (long)get_global_id(0);
    __global const float *const x = AS(const float, x);
    float sum = 0.0f;
    if (c >= end)
        return;
    for (long r = 0; r < rows; r++)
        sum += x[r * cols + c] * x[r * cols + c];
    AS(float, out)[c] = sum;
}
#endif
