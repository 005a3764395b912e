/*
 * The control part of the floating-point state: rounding, flushing, traps. Status flags change with
 * every inexact operation and are masked out.
 */
#ifndef IFN_FP_CONTROL_H
#define IFN_FP_CONTROL_H

#include <stdint.h>

#if defined(__SSE__)
#include <xmmintrin.h>

#define IFN_MXCSR_CONTROL 0xffc0u

/* MXCSR in the low half, the x87 control word above it. */
static inline uint64_t ifn_fp_control(void)
{
    uint16_t x87 = 0; /* MemorySanitizer does not see what assembly writes */
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return (uint64_t)x87 << 32 | (_mm_getcsr() & IFN_MXCSR_CONTROL);
}

static inline void ifn_fp_control_set(uint64_t control)
{
    const uint16_t x87 = (uint16_t)(control >> 32);
    __asm__ volatile("fldcw %0" : : "m"(x87));
    _mm_setcsr((_mm_getcsr() & ~IFN_MXCSR_CONTROL) | (uint32_t)control);
}
#elif defined(__aarch64__)
static inline uint64_t ifn_fp_control(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

static inline void ifn_fp_control_set(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#else
#include <fenv.h>

/* The C standard gives access to the rounding mode alone. */
static inline uint64_t ifn_fp_control(void)
{
    return (uint64_t)fegetround();
}

static inline void ifn_fp_control_set(uint64_t control)
{
    (void)fesetround((int)control);
}
#endif

#endif
