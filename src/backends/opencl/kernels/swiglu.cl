/* Each work item computes one element, or one block of a quantized output. DTYPE is the dtype of the output. */
__kernel void swiglu(BUFFER(out), BUFFER(gate), BUFFER(up), const long begin, const long end)
{
    const long i = begin + (long)get_global_id(0);
    __global const float *const gate = AS(const float, gate), *const up = AS(const float, up);
    if (i >= end)
        return;
#if DTYPE == F32
    AS(float, out)[i] = silu_of(gate[i]) * up[i];
#else
    float values[PIECE];
    for (long j = 0; j < PIECE; j++)
        values[j] = silu_of(gate[i * PIECE + j]) * up[i * PIECE + j];
    store_values(AS(uchar, out) + i * PIECE_BYTES, values, PIECE);
#endif
}
