/*
 * Each work item computes the outputs of one feature for ROWS rows. Sums of products of codes are
 * integers below 2^24, so they are exact. Then each block of 32 activations adds one float to the
 * output, in ascending order.
 */
#define ROWS    (VARIANT ? 8 : 1)
#define X_BYTES 40

/* x is a block of Q8_32F: d, the sum of its codes, then the codes. */
float dot_32(const piece *w, __global const uchar *x)
{
    __global const char *const codes = (__global const char *)(x + 8);
    int products[2] = {0, 0}, minima = w->min[0] * (int)load_u32(x + 4);
    for (uint g = 0; g < 2; g++)
        for (uint i = 0; i < 16; i++)
            products[g] += (int)w->q[16 * g + i] * (int)codes[16 * g + i];
#if DTYPE == Q2_K /* each minimum of Q2_K is of 16 weights */
    int sums[2] = {0, 0};
    for (uint i = 0; i < PIECE; i++)
        sums[i / 16] += codes[i];
    minima = w->min[0] * sums[0] + w->min[1] * sums[1];
#endif
    const int scaled = w->scale[0] * products[0] + w->scale[1] * products[1];
    return as_float(load_u32(x)) * (w->d * (float)scaled - w->m * (float)minima);
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
linear_q8(BUFFER(out), BUFFER(x), BUFFER(w), BUFFER(bias), const long feature_begin,
          const long feature_end, const long row_begin, const long row_end, const long k,
          const long x_stride, const long out_stride, const ulong row_bytes)
{
    float sums[ROWS];
    piece p;
    const long feature = feature_begin + (long)get_global_id(0);
    const long row = row_begin + (long)get_group_id(1) * ROWS;
    const uint rows = (uint)min((long)ROWS, row_end - row);
    __global const uchar *const x = AS(const uchar, x) + row * x_stride * X_BYTES;
    __global const uchar *const w = AS(const uchar, w) + (ulong)feature * row_bytes;
    if (feature >= feature_end)
        return;
    for (uint r = 0; r < ROWS; r++)
        sums[r] = 0.0f;
    for (long at = 0; at < k / PIECE; at++) {
        load_piece_of_row(w, (ulong)at, &p);
        for (uint r = 0; r < rows; r++)
            sums[r] += dot_32(&p, x + (r * x_stride + at) * X_BYTES);
    }
    __global float *const out = AS(float, out) + row * out_stride;
    for (uint r = 0; r < rows; r++)
        out[r * out_stride + feature] =
            bias_memory ? sums[r] + AS(const float, bias)[feature] : sums[r];
}
