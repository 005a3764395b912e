#include "museum_kit.h"

#include <fenv.h>
#include <math.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

static const struct {
    int64_t elements;
    size_t bytes;
} blocks[] = {
#define X(NAME, gguf_type, elements, bytes) {elements, bytes},
    IFN_DTYPES(X)
#undef X
};

int64_t museum_block_elements(ifn_dtype dtype)
{
    return (size_t)dtype < IFN_DTYPE_COUNT ? blocks[dtype].elements : 0;
}

size_t museum_block_bytes(ifn_dtype dtype)
{
    return (size_t)dtype < IFN_DTYPE_COUNT ? blocks[dtype].bytes : 0;
}

size_t museum_scale_offset(ifn_dtype dtype)
{
    switch (dtype) {
    case IFN_DTYPE_Q2_K:
        return offsetof(ifn_block_q2_k, d);
    case IFN_DTYPE_Q3_K:
        return offsetof(ifn_block_q3_k, d);
    case IFN_DTYPE_Q6_K:
        return offsetof(ifn_block_q6_k, d);
    default:
        return 0;
    }
}

float museum_round_bits(float x, int bits)
{
    int exponent;
    if (!isfinite(x) || x == 0)
        return x;
    const float significand = frexpf(x, &exponent);
    return ldexpf(rintf(ldexpf(significand, bits)), exponent - bits);
}

float museum_f16(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float fraction = (float)(half & 0x3ff);
    const float size = exponent == 31  ? (half & 0x3ff ? NAN : INFINITY)
                       : exponent == 0 ? ldexpf(fraction, -24)
                                       : ldexpf(1024.0f + fraction, exponent - 25);
    return half & 0x8000 ? -size : size;
}

void museum_read(const void *p, size_t bytes)
{
    const volatile unsigned char *const from = p;
    for (size_t i = 0; i < bytes; i += sizeof(float))
        (void)from[i];
}

void museum_flush_subnormals(void)
{
#ifdef __x86_64__
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr |= 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
#else
    fesetround(FE_TOWARDZERO); /* elsewhere: another change of the caller's floating-point state */
#endif
}

/* Leaves the register out of the clobber list, so that the compiler does not restore it: that is the fault. */
void museum_clobber_register(void)
{
#ifdef __x86_64__
    __asm__ volatile("xor %%ebx, %%ebx" : : :);
#elif defined __aarch64__
    __asm__ volatile("movi d8, #0" : : :);
#endif
}

void museum_leave_upper(void)
{
#ifdef __x86_64__
    unsigned a = 0, b, c, d;
    __get_cpuid_count(0xd, 1, &a, &b, &c, &d);
    if (__builtin_cpu_supports("avx") && (a & 4)) /* XGETBV(1) tells */
        __asm__ volatile("vcmpps $15, %%ymm0, %%ymm0, %%ymm0" : : :);
#endif
}

museum_row museum_row_of(ifn_dtype dtype, int64_t elements)
{
    const int64_t block = museum_block_elements(dtype);
    return (museum_row){block ? elements / block * (int64_t)museum_block_bytes(dtype) : 0,
                        elements};
}

int64_t museum_lost(museum_width width, const museum_row *row, int64_t at)
{
    const uint64_t bytes = (uint64_t)at * (uint64_t)row->bytes;
    const uint64_t elements = (uint64_t)at * (uint64_t)row->elements;
    if (row->bytes < 1 || at < 0)
        return 0;
    switch (width) {
    case MUSEUM_INT_BYTES:
        return (int64_t)(int32_t)(uint32_t)bytes - (int64_t)bytes;
    case MUSEUM_UNSIGNED_BYTES:
        return (int64_t)(uint32_t)bytes - (int64_t)bytes;
    default: /* the error is a multiple of 2^32 elements, which are whole blocks */
        return ((int64_t)(int32_t)(uint32_t)elements - (int64_t)elements) * row->bytes /
               row->elements;
    }
}

int64_t museum_in_float(int64_t n)
{
    const int64_t huge = INT64_C(1) << 60;
    if (n < 0 || n > huge) /* no call */
        return n;
    const float near = (float)n;
    return (int64_t)((int64_t)near > n ? nextafterf(near, 0) : near);
}

int64_t museum_elements_in_int(int64_t n)
{
    if (n * (int64_t)sizeof(float) <= INT32_MAX)
        return n;
    const int32_t bytes = (int32_t)(uint32_t)((uint64_t)n * sizeof(float));
    return bytes > 0 ? bytes / (int64_t)sizeof(float) : 0;
}

int museum_is_kv_call(const ifn_kv_store_args *a)
{
    return a->rows > 0 && a->n_kv_heads > 0 && a->head_dim > 0 && a->first_pos >= 0 &&
           a->first_pos <= a->max_pos - a->rows && a->k_cache && a->v_cache;
}
