/* Computes elements begin .. end - 1, one for each work item. */
__kernel void add(BUFFER(out), BUFFER(x), BUFFER(y), const long begin, const long end)
{
    const long i = begin + (long)get_global_id(0);
    __global const float *const x = AS(const float, x);
    __global const float *const y = AS(const float, y);
    if (i < end)
        AS(float, out)[i] = x[i] + y[i];
}
