#include "arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "halves.h"

/* clang-format off */
static const conform_format formats[] = {
    [IFN_ROUND_NONE] = {0x1p-24, 0x1p-150, 0x1p-126, 0x1.ffffffp127, 24},
    [IFN_ROUND_TF32] = {0x1p-11, 0x1p-137, 0x1p-126, 0x1.ffep127,    11},
    [IFN_ROUND_BF16] = {0x1p-8,  0x1p-134, 0x1p-126, 0x1.ffp127,      8},
    [IFN_ROUND_F16]  = {0x1p-11, 0x1p-25,  0x1p-14,  0x1.ffep15,     11},
};
/* clang-format on */
static const char *const names[] = {"f32", "tf32", "bf16", "f16"};

enum { N_FORMATS = sizeof formats / sizeof *formats };

const conform_format *conform_format_of(uint32_t round)
{
    return &formats[round < N_FORMATS ? round : IFN_ROUND_NONE];
}

const char *conform_format_name(uint32_t round)
{
    return names[round < N_FORMATS ? round : IFN_ROUND_NONE];
}

/* The distance between neighbouring numbers of the format at x. */
static double step_at(const conform_format *f, double x)
{
    const double magnitude = fabs(x);
    return magnitude < f->normal ? 2 * f->tiny
                                 : conform_power_of_two(conform_exponent_of(magnitude) - f->bits);
}

double conform_round_to(const conform_format *f, double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    if (fabs(x) >= f->overflow)
        return copysign((double)INFINITY, x);
    const double step = step_at(f, x);
    return nearbyint(x / step) * step;
}

double conform_rounding_error(const conform_format *f, double x)
{
    if (!isfinite(x))
        return 0;
    if (fabs(x) >= f->overflow)
        return (double)INFINITY;
    if (conform_round_to(f, x) == x)
        return 0;
    return fabs(x) < f->normal ? f->tiny : f->u * fabs(x);
}

double conform_shorten(const conform_format *f, double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    const int lowest = ilogb(f->normal), highest = -lowest + 1;
    int e = ilogb(x);
    const double significand = x / ldexp(1.0, e); /* in [1, 2) */
    const double step = ldexp(1.0, 1 - f->bits);
    e = e < lowest ? lowest : e > highest ? highest : e;
    return trunc(significand / step) * step * ldexp(1.0, e);
}

bool conform_arithmetic_is_plain(const ifn_arithmetic *a)
{
    return a->inputs == IFN_ROUND_NONE && a->sums == IFN_ROUND_NONE && a->output == IFN_ROUND_NONE;
}

const char *conform_arithmetic_words(const ifn_arithmetic *a, char *room, size_t bytes)
{
    char block[32] = "";
    if (a->sum_block)
        snprintf(block, sizeof block, " by %u", (unsigned)a->sum_block);
    snprintf(room, bytes, "%s%s%s%s%s%s%s%s%s", a->inputs ? "products in " : "",
             a->inputs ? conform_format_name(a->inputs) : "", a->inputs && a->sums ? ", " : "",
             a->sums ? "sums in " : "", a->sums ? conform_format_name(a->sums) : "",
             a->sums ? block : "", (a->inputs || a->sums) && a->output ? ", " : "",
             a->output ? "results in " : "", a->output ? conform_format_name(a->output) : "");
    return room;
}

bool conform_arithmetics_are_plain(const conform_arithmetics *a)
{
    bool are_plain = true;
    for (int i = 0; i < IFN_OP_COUNT * IFN_DTYPE_COUNT; i++)
        are_plain &= conform_arithmetic_is_plain(&a->of[i / IFN_DTYPE_COUNT][i % IFN_DTYPE_COUNT]);
    return are_plain;
}

bool conform_arithmetics_are_equal(const conform_arithmetics *a, const conform_arithmetics *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
