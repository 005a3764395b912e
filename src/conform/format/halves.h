/* f16 and bf16 conversions by arithmetic on f64, independent of the library's: for oracles and generators. */
#ifndef CONFORM_HALVES_H
#define CONFORM_HALVES_H

#include <stdint.h>
#include <string.h>

/* 2^e for -1022 <= e <= 1023. Multiplying by it is a fast ldexp if the result stays normal. */
static inline double conform_power_of_two(int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The exponent of x >= 0 as frexp gives it; subnormal x, and 0, give the one below that of the smallest normal
 * number. */
static inline int conform_exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52) - 1022;
}

/* Widening is exact, narrowing rounds once to nearest even. */
double conform_f16_value(uint16_t bits);
uint16_t conform_f16_nearest(double x);
double conform_bf16_value(uint16_t bits);
uint16_t conform_bf16_nearest(double x);

#endif
