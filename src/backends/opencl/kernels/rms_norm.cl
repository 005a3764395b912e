/* A work group computes one row. DTYPE is the dtype of the output. */
__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
rms_norm(BUFFER(out), BUFFER(sum), BUFFER(x), BUFFER(add), BUFFER(weight), const long begin,
         const long dim, const float eps)
{
    __local float room[GROUP_ITEMS];
    const long r = begin + (long)get_group_id(0), item = get_local_id(0);
    __global const float *const x = AS(const float, x) + r * dim;
    __global const float *const add = AS(const float, add) + (add_memory ? r * dim : 0);
    __global float *const sum = AS(float, sum) + (sum_memory ? r * dim : 0);
    __global const float *const weight = AS(const float, weight);
    float own = 0.0f;
    for (long i = item; i < dim; i += GROUP_ITEMS) {
        const float s = add_memory ? x[i] + add[i] : x[i];
        if (sum_memory)
            sum[i] = s;
        own += s * s;
    }
    const float root = sqrt(sum_of_group(room, own) / (float)dim + eps);
    barrier(CLK_GLOBAL_MEM_FENCE); /* a block holds sums that other items have stored */
/* If the call keeps the sum, it is read back, since it may have overwritten x. */
#define RESIDUAL(i) (sum_memory ? sum[i] : add_memory ? x[i] + add[i] : x[i])
#if DTYPE == F32
    __global float *const out = AS(float, out) + r * dim;
    for (long i = item; i < dim; i += GROUP_ITEMS)
        out[i] = RESIDUAL(i) / root * weight[i];
#else
    for (long b = item; b < dim / PIECE; b += GROUP_ITEMS) {
        float values[PIECE];
        for (long j = 0; j < PIECE; j++)
            values[j] = RESIDUAL(b * PIECE + j) / root * weight[b * PIECE + j];
        store_values(AS(uchar, out) + (r * (dim / PIECE) + b) * PIECE_BYTES, values, PIECE);
    }
#endif
}
