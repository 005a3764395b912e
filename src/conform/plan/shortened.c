#include "shortened.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "arithmetic.h"
#include "blocks.h"
#include "case_pool.h"
#include "declared.h"
#include "module.h"

/* The limits that all weights of a call put on the inputs that they share. */
typedef struct room {
    conform_format format; /* the fewest bits and the narrowest range of all declared formats */
    double largest;        /* the largest integer: sums in f16 are exact up to 2^11; 0: any */
} room;

static void narrow_to(room *r, uint32_t round)
{
    const conform_format *const f = conform_format_of(round);
    r->format.bits = f->bits < r->format.bits ? f->bits : r->format.bits;
    r->format.normal = fmax(f->normal, r->format.normal);
}

static void narrow(room *r, const ifn_arithmetic *a, int64_t k)
{
    narrow_to(r, a->inputs);
    if (a->sums == IFN_ROUND_NONE)
        return;
    const int64_t block = a->sum_block && a->sum_block < k ? a->sum_block : k;
    const double largest =
        floor(sqrt(ldexp(1.0, conform_format_of(a->sums)->bits) / (double)(block + 1)));
    narrow_to(r, a->sums);
    r->largest = r->largest > 0 ? fmin(r->largest, fmax(largest, 1)) : fmax(largest, 1);
}

static room room_of(const conform_slot *s, const conform_declared *declared)
{
    const int64_t k = conform_reduction_length(&s->c);
    room r = {.format = *conform_format_of(IFN_ROUND_NONE)};
    narrow(&r, &declared->arithmetic, k);
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        narrow(&r, &declared->more_arithmetic[i], k);
    return r;
}

/* --- tensors --- */

static ifn_dtype dtype_of(const conform_tensor *t)
{
    return t->element == ELEMENT_F32 ? IFN_DTYPE_F32 : t->dtype;
}

static bool is_shortened(const conform_tensor *t)
{
    return (t->role == ROLE_IN && !t->absent) &&
           (t->element == ELEMENT_F32 || t->element == ELEMENT_BLOCKS) &&
           ifn_dtype_block_elements(dtype_of(t)) == 1;
}

/* Reduces x, an integer in the tensor's unit, to an integer from 1 to `largest`, and clamps the unit to a range in
 * which products and their sums fit f16. */
static double fold(double x, double unit, double largest)
{
    const double n = fabs(x) / unit, own = fmin(fmax(unit, 0x1p-6), 0x1p2);
    return copysign((n > largest ? fmod(n - 1, largest) + 1 : n) * own, x);
}

static double unit_of(const conform_tensor *t, const unsigned char *data)
{
    double unit = 0;
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t c = 0; c < t->cols; c++) {
            const double x =
                conform_value_at(dtype_of(t), data + (size_t)r * conform_stride_bytes(t), c);
            int e;
            if (x == 0 || !isfinite(x))
                continue;
            double own = ldexp(1.0, (frexp(x, &e), e - 1));
            while (fmod(x, own) != 0)
                own /= 2;
            unit = unit == 0 || own < unit ? own : unit;
        }
    return unit;
}

static void put(const conform_tensor *t, unsigned char *row, int64_t c, float x)
{
    uint16_t half;
    if (dtype_of(t) == IFN_DTYPE_F32) {
        memcpy(row + c * 4, &x, sizeof x);
        return;
    }
    half = dtype_of(t) == IFN_DTYPE_F16 ? conform_f16_nearest((double)x)
                                        : conform_bf16_nearest((double)x);
    memcpy(row + c * 2, &half, sizeof half);
}

static void shorten(const room *r, const conform_tensor *t, bool is_lattice, unsigned char *data)
{
    const double unit = r->largest > 0 && is_lattice ? unit_of(t, data) : 0;
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t c = 0; c < t->cols; c++) {
            unsigned char *const row = data + (size_t)i * conform_stride_bytes(t);
            double x = conform_value_at(dtype_of(t), row, c);
            x = unit > 0 && x != 0 ? fold(x, unit, r->largest) : x;
            put(t, row, c, (float)conform_shorten(&r->format, x));
        }
}

/* --- slots --- */

const conform_slot *conform_slot_shortened(const conform_slot *s, const conform_declared *declared,
                                           conform_pool *pool)
{
    if (s->c.tier != TIER_T0 || conform_declared_is_plain(declared))
        return s;
    const room r = room_of(s, declared);
    const bool is_lattice = s->c.family != FAMILY_ONE_HOT;
    const conform_declared strict = conform_declared_default();
    conform_slot *const out = conform_pool_take(pool, 1, sizeof *out);
    *out = *s;
    memset(out->reference, 0, sizeof out->reference);
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *const t = &s->layout.t[i];
        if (!is_shortened(t) || t->bytes == 0)
            continue;
        out->before[i] = conform_pool_take(pool, t->bytes, 1);
        memcpy(out->before[i], s->before[i], t->bytes);
        shorten(&r, t, is_lattice, out->before[i]);
    }
    conform_module_of(s->c.op)->truth(&s->c, &s->layout, out->before, &strict, pool, out->truth);
    return out;
}

int conform_is_exact_under(const conform_slot *s, const conform_declared *declared, int i)
{
    const ifn_arithmetic *const a =
        i == 0 ? &declared->arithmetic : &declared->more_arithmetic[i - 1];
    if (conform_arithmetic_is_plain(a))
        return 1;
    return !a->sums && !a->output && ifn_dtype_block_elements(conform_case_dtype(&s->c, i)) == 1;
}
