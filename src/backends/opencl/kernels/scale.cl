/* Computes elements begin .. end - 1, one for each work item. */
__kernel void scale(BUFFER(out), BUFFER(x), const float value, const long begin, const long end)
{
    const long i = begin + (long)get_global_id(0);
    __global const float *const x = AS(const float, x);
    if (i < end)
        AS(float, out)[i] = x[i] * value;
}
