#include "float_control.h"

/* A rounding mode of two bits, 1, 2 or 3: any but to nearest (0). */
static uint64_t mode_of(uint64_t seed)
{
    return 1 + seed % 3;
}

/* Flushing in every other case only: an op that turns flushing on and leaves it on is noticed where it was off. */
static uint64_t flush_of(uint64_t seed, uint64_t bits)
{
    return seed / 3 % 2 ? bits : 0;
}

#if defined(__x86_64__)
#include <xmmintrin.h>

/* The 64 bits are MXCSR, and above it the x87 control word. */
enum { FLAGS = 0x3f, WORD_AT = 32, ROUNDING_AT = 13, FLUSH = 0x8040, X87_ROUNDING_AT = 10 };

uint64_t conform_float_control(void)
{
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return (_mm_getcsr() & ~(unsigned)FLAGS) | (uint64_t)word << WORD_AT;
}

void conform_set_float_control(uint64_t control)
{
    const uint16_t word = (uint16_t)(control >> WORD_AT);
    _mm_setcsr((_mm_getcsr() & FLAGS) | (uint32_t)control);
    __asm__ volatile("fldcw %0" : : "m"(word));
}

uint64_t conform_float_control_other(uint64_t control, uint64_t seed)
{
    const uint64_t rounding = UINT64_C(3) << ROUNDING_AT | UINT64_C(3)
                                                               << (WORD_AT + X87_ROUNDING_AT);
    const uint64_t mode = mode_of(seed);
    return (control & ~rounding) | mode << ROUNDING_AT | mode << (WORD_AT + X87_ROUNDING_AT) |
           flush_of(seed, FLUSH);
}
#elif defined(__aarch64__)
enum { ROUNDING_AT = 22, FLUSH_AT = 24 };

uint64_t conform_float_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

void conform_set_float_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

uint64_t conform_float_control_other(uint64_t control, uint64_t seed)
{
    return (control & ~(UINT64_C(3) << ROUNDING_AT)) | mode_of(seed) << ROUNDING_AT |
           flush_of(seed, UINT64_C(1) << FLUSH_AT);
}
#else
uint64_t conform_float_control(void)
{
    return 0;
}

void conform_set_float_control(uint64_t control)
{
    (void)control;
}

uint64_t conform_float_control_other(uint64_t control, uint64_t seed)
{
    (void)seed;
    (void)mode_of;
    (void)flush_of;
    return control;
}
#endif
