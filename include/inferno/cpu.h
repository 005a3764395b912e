/*
 * The features of the processor: CPUID, limited to registers that the operating system saves (XGETBV).
 *
 * Stability: stable, and part of the plugin ABI: a feature keeps its bit. Levels may be added.
 */
#ifndef INFERNO_CPU_H
#define INFERNO_CPU_H

#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* One bit of a uint64_t each; an enum would be too narrow. Append only, as plugins see the mask. */
#define IFN_CPU_SSE2       (UINT64_C(1) << 0)
#define IFN_CPU_SSSE3      (UINT64_C(1) << 1)
#define IFN_CPU_SSE41      (UINT64_C(1) << 2)
#define IFN_CPU_AVX        (UINT64_C(1) << 3)
#define IFN_CPU_F16C       (UINT64_C(1) << 4)
#define IFN_CPU_FMA        (UINT64_C(1) << 5)
#define IFN_CPU_AVX2       (UINT64_C(1) << 6)
#define IFN_CPU_AVXVNNI    (UINT64_C(1) << 7)
#define IFN_CPU_AVX512F    (UINT64_C(1) << 8)
#define IFN_CPU_AVX512BW   (UINT64_C(1) << 9)
#define IFN_CPU_AVX512VL   (UINT64_C(1) << 10)
#define IFN_CPU_AVX512DQ   (UINT64_C(1) << 11)
#define IFN_CPU_AVX512VNNI (UINT64_C(1) << 12)
#define IFN_CPU_AVX512BF16 (UINT64_C(1) << 13)
#define IFN_CPU_AMXTILE    (UINT64_C(1) << 14)
#define IFN_CPU_AMXINT8    (UINT64_C(1) << 15)
#define IFN_CPU_NEON       (UINT64_C(1) << 16)
#define IFN_CPU_DOTPROD    (UINT64_C(1) << 17)
#define IFN_CPU_I8MM       (UINT64_C(1) << 18)
#define IFN_CPU_FP16       (UINT64_C(1) << 19)
#define IFN_CPU_SIMD128    (UINT64_C(1) << 20)
#define IFN_CPU_AMXBF16    (UINT64_C(1) << 21)
#define IFN_CPU_AVX10      (UINT64_C(1) << 32)
#define IFN_CPU_SVE2       (UINT64_C(1) << 33)

/* X(NAME, name that people read) */
/* clang-format off */
#define IFN_CPU_FEATURES(X)          \
    X(SSE2,       "sse2")            \
    X(SSSE3,      "ssse3")           \
    X(SSE41,      "sse4.1")          \
    X(AVX,        "avx")             \
    X(F16C,       "f16c")            \
    X(FMA,        "fma")             \
    X(AVX2,       "avx2")            \
    X(AVXVNNI,    "avxvnni")         \
    X(AVX512F,    "avx512f")         \
    X(AVX512BW,   "avx512bw")        \
    X(AVX512VL,   "avx512vl")        \
    X(AVX512DQ,   "avx512dq")        \
    X(AVX512VNNI, "avx512vnni")      \
    X(AVX512BF16, "avx512bf16")      \
    X(AMXTILE,    "amxtile")         \
    X(AMXINT8,    "amxint8")         \
    X(NEON,       "neon")            \
    X(DOTPROD,    "dotprod")         \
    X(I8MM,       "i8mm")            \
    X(FP16,       "fp16")            \
    X(SIMD128,    "simd128")         \
    X(AMXBF16,    "amxbf16")         \
    X(AVX10,      "avx10")           \
    X(SVE2,       "sve2")
/* clang-format on */

/* IFN_CPU_LEVEL_AVX2, ...: the features a level of the simd backend needs. */
#define IFN_CPU_LEVEL_BASELINE IFN_CPU_SSE2
#define IFN_CPU_LEVEL_AVX2     (IFN_CPU_SSE2 | IFN_CPU_AVX | IFN_CPU_AVX2 | IFN_CPU_FMA | IFN_CPU_F16C)
#define IFN_CPU_LEVEL_AVXVNNI  (IFN_CPU_LEVEL_AVX2 | IFN_CPU_AVXVNNI)
#define IFN_CPU_LEVEL_AVX512                                                                       \
    (IFN_CPU_LEVEL_AVX2 | IFN_CPU_AVX512F | IFN_CPU_AVX512BW | IFN_CPU_AVX512VL | IFN_CPU_AVX512DQ)
#define IFN_CPU_LEVEL_AVX512VNNI   (IFN_CPU_LEVEL_AVX512 | IFN_CPU_AVX512VNNI)
#define IFN_CPU_LEVEL_AMXINT8      (IFN_CPU_LEVEL_AVX512VNNI | IFN_CPU_AMXTILE | IFN_CPU_AMXINT8)
#define IFN_CPU_LEVEL_AMXBF16      (IFN_CPU_LEVEL_AMXINT8 | IFN_CPU_AMXBF16)
#define IFN_CPU_LEVEL_NEON         IFN_CPU_NEON
#define IFN_CPU_LEVEL_NEON_DOTPROD (IFN_CPU_LEVEL_NEON | IFN_CPU_DOTPROD)
#define IFN_CPU_LEVEL_NEON_I8MM    (IFN_CPU_LEVEL_NEON_DOTPROD | IFN_CPU_I8MM)
#define IFN_CPU_LEVEL_WASM128      IFN_CPU_SIMD128

/* X(NAME, name that people read); a level stands below all levels whose features it includes */
/* clang-format off */
#define IFN_CPU_LEVELS(X)              \
    X(BASELINE,     "baseline")        \
    X(AVX2,         "avx2")            \
    X(AVXVNNI,      "avxvnni")         \
    X(AVX512,       "avx512")          \
    X(AVX512VNNI,   "avx512vnni")      \
    X(AMXINT8,      "amxint8")         \
    X(AMXBF16,      "amxbf16")         \
    X(NEON,         "neon")            \
    X(NEON_DOTPROD, "neon_dotprod")    \
    X(NEON_I8MM,    "neon_i8mm")       \
    X(WASM128,      "wasm128")
/* clang-format on */

/* Features of this processor that the operating system lets programs use. Tile registers (AMX) are among them if
 * the system grants them on request: see ifn_cpu_ask_for_tiles. */
IFN_API uint64_t ifn_cpu_detect(void);

/* Asks the system for tile registers, for this process and all its threads; from then on other libraries in the
 * process may use them too. Returns 1 if they may be used, 0 if there are none or the system refuses. The simd backend
 * asks when it is opened with a level that needs them. */
IFN_API int ifn_cpu_ask_for_tiles(void);

/* 1 if `features` holds every bit of `level`. */
static inline int ifn_cpu_has(uint64_t features, uint64_t level)
{
    return (features & level) == level;
}

/**
 * The mask of the features a level name allows ("avx2" -> IFN_CPU_LEVEL_AVX2).
 * Returns 1 and sets *out, or 0 for a name that is no level.
 */
IFN_API int ifn_cpu_level_mask(const char *name, uint64_t *out);

/* "avx2" for IFN_CPU_AVX2; NULL if `feature` is not a single known bit. Static. */
IFN_API const char *ifn_cpu_feature_name(uint64_t feature);

/* How many processors this process may use at once: those of its affinity mask, but no more than the CPU
 * quota of a container allows; 1 or more. */
IFN_API int32_t ifn_cpu_count(void);

IFN_EXTERN_C_END

#endif
