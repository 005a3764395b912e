#include "rounding.h"

#include <math.h>
#include <string.h>

/* By IFN_ROUND_*: significant bits, exponent of the smallest normal number, that number, and the least magnitude that
 * rounds to infinity. */
static const struct format {
    int bits, lowest;
    double normal, overflow;
} formats[] = {{24, -126, 0x1p-126, 0x1.ffffffp127},
               {11, -126, 0x1p-126, 0x1.ffep127},
               {8, -126, 0x1p-126, 0x1.ffp127},
               {11, -14, 0x1p-14, 0x1.ffep15}};

/* Rounds a number that is normal in the target format to `bits` significant bits, ties to even, on the bits of the
 * double. */
static double cut_to(int bits, double x)
{
    const int dropped = 53 - bits;
    const uint64_t all = (UINT64_C(1) << dropped) - 1;
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    word += all / 2 + (word >> dropped & 1);
    word &= ~all;
    memcpy(&x, &word, sizeof x);
    return x;
}

double round_to(uint32_t format, double x)
{
    if (format == IFN_ROUND_NONE)
        return (double)(float)x; /* f32: the processor rounds */
    const struct format *const f = &formats[format];
    const double size = fabs(x);
    if (x == 0 || !isfinite(x))
        return x;
    if (size >= f->overflow)
        return x > 0 ? (double)INFINITY : -(double)INFINITY;
    if (size >= f->normal)
        return cut_to(f->bits, x);
    return ldexp(rint(ldexp(x, f->bits - 1 - f->lowest)), f->lowest - f->bits + 1);
}

static void close_block(short_sum *s)
{
    s->total = round_to(IFN_ROUND_NONE, s->total + s->block);
    s->block = 0;
    s->n = 0;
}

void short_sum_add(short_sum *s, double x, double w)
{
    const double product = round_to(s->a->inputs, x) * round_to(s->a->inputs, w);
    if (s->a->sums == IFN_ROUND_NONE) {
        s->total = round_to(IFN_ROUND_NONE, s->total + round_to(IFN_ROUND_NONE, product));
        return;
    }
    s->block = round_to(s->a->sums, s->block + round_to(s->a->sums, product));
    if (++s->n == s->a->sum_block)
        close_block(s);
}

float short_sum_end(short_sum *s, const float *bias)
{
    if (s->n > 0)
        close_block(s);
    if (bias)
        s->total = round_to(IFN_ROUND_NONE, s->total + (double)*bias);
    return (float)round_to(s->a->output, s->total);
}
