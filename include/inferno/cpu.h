/* What the processor can do: CPUID together with what the operating system saves (XGETBV). */
#ifndef INFERNO_CPU_H
#define INFERNO_CPU_H

#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* X(NAME, bit, name that people read). Appended, never reordered: plugins see the mask. */
/* clang-format off */
#define IFN_CPU_FEATURES(X)                 \
    X(SSE2,        0, "sse2")               \
    X(SSSE3,       1, "ssse3")              \
    X(SSE41,       2, "sse4.1")             \
    X(AVX,         3, "avx")                \
    X(F16C,        4, "f16c")               \
    X(FMA,         5, "fma")                \
    X(AVX2,        6, "avx2")               \
    X(AVXVNNI,     7, "avxvnni")            \
    X(AVX512F,     8, "avx512f")            \
    X(AVX512BW,    9, "avx512bw")           \
    X(AVX512VL,   10, "avx512vl")           \
    X(AVX512DQ,   11, "avx512dq")           \
    X(AVX512VNNI, 12, "avx512vnni")         \
    X(AVX512BF16, 13, "avx512bf16")         \
    X(NEON,       16, "neon")               \
    X(DOTPROD,    17, "dotprod")            \
    X(I8MM,       18, "i8mm")               \
    X(FP16,       19, "fp16")               \
    X(SIMD128,    20, "simd128")
/* clang-format on */

/* IFN_CPU_AVX2, ...: one bit each. */
enum {
#define X(NAME, bit, text) IFN_CPU_##NAME = 1 << bit,
    IFN_CPU_FEATURES(X)
#undef X
};

/* Levels of the simd backend: everything in the mask must be there. */
/* clang-format off */
#define IFN_CPU_LEVELS(X)                                                                          \
    X(BASELINE,     "baseline",     IFN_CPU_SSE2)                                                  \
    X(AVX2,         "avx2",         IFN_CPU_SSE2 | IFN_CPU_AVX | IFN_CPU_AVX2 | IFN_CPU_FMA |      \
                                    IFN_CPU_F16C)                                                  \
    X(AVXVNNI,      "avxvnni",      IFN_CPU_LEVEL_AVX2 | IFN_CPU_AVXVNNI)                          \
    X(AVX512,       "avx512",       IFN_CPU_LEVEL_AVX2 | IFN_CPU_AVX512F | IFN_CPU_AVX512BW |      \
                                    IFN_CPU_AVX512VL | IFN_CPU_AVX512DQ)                           \
    X(AVX512VNNI,   "avx512vnni",   IFN_CPU_LEVEL_AVX512 | IFN_CPU_AVX512VNNI)                     \
    X(NEON,         "neon",         IFN_CPU_NEON)                                                  \
    X(NEON_DOTPROD, "neon_dotprod", IFN_CPU_NEON | IFN_CPU_DOTPROD)                                \
    X(NEON_I8MM,    "neon_i8mm",    IFN_CPU_NEON | IFN_CPU_DOTPROD | IFN_CPU_I8MM)                 \
    X(WASM128,      "wasm128",      IFN_CPU_SIMD128)
/* clang-format on */

/* IFN_CPU_LEVEL_AVX2, ...: the features a level needs. */
enum {
#define X(NAME, text, features) IFN_CPU_LEVEL_##NAME = features,
    IFN_CPU_LEVELS(X)
#undef X
};

/* Features of this processor that the operating system lets programs use. */
IFN_API uint32_t ifn_cpu_detect(void);

/* 1 if `features` holds every bit of `level`. */
static inline int ifn_cpu_has(uint32_t features, uint32_t level)
{
    return (features & level) == level;
}

/**
 * The mask of the features a level name allows ("avx2" -> IFN_CPU_LEVEL_AVX2).
 * Returns 1 and sets *out, or 0 for a name that is no level.
 */
IFN_API int ifn_cpu_level_mask(const char *name, uint32_t *out);

/* "avx2" for IFN_CPU_AVX2; NULL for no single feature bit. Static. */
IFN_API const char *ifn_cpu_feature_name(uint32_t feature);

/* Processors this process may use at once: those of its affinity mask, but no more than the CPU
 * quota of a container pays for; 1 or more. */
IFN_API int32_t ifn_cpu_count(void);

IFN_EXTERN_C_END

#endif
