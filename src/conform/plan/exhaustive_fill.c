/* Computes the values of a sweep from their numbers. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "blocks.h"
#include "exhaustive.h"

enum { PATTERNS = 1 << 16 };

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* --- halves to be written --- */

static float written_bf16(uint16_t h, int kind)
{
    static const uint32_t below[4] = {0, 0x8000, 0x7fff, 0x8001};
    return float_of((uint32_t)h << 16 | below[kind]);
}

/* Subnormals of F16 are normal in f32, so the midpoint is computed as (here + next) / 2 and not by setting a bit. */
static float written_f16(uint16_t h, int kind)
{
    static const uint32_t below[4] = {0, 0x1000, 0x0fff, 0x1001};
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000u | (rest & 0x3ff) << 13 | below[kind]);
    const double here = conform_f16_value((uint16_t)rest);
    const double next = rest == 0x7bff ? 65536.0 : conform_f16_value((uint16_t)(rest + 1));
    float x = (float)(kind == 0 ? here : (here + next) / 2);
    if (kind > 1)
        x = nextafterf(x, kind == 2 ? 0.0f : INFINITY);
    return sign ? -x : x;
}

static float written(ifn_dtype dtype, uint64_t number)
{
    const uint16_t pattern = (uint16_t)(number >> 2);
    const int kind = (int)(number & 3);
    return dtype == IFN_DTYPE_BF16 ? written_bf16(pattern, kind) : written_f16(pattern, kind);
}

/* --- blocks --- */

int64_t conform_every_turns(ifn_dtype dtype)
{
    const conform_limits l = conform_limits_of(dtype);
    const int64_t codes = l.c_high - l.c_low + 1, n = ifn_dtype_block_elements(dtype);
    return codes > n ? codes / n : 1;
}

int64_t conform_every_blocks(ifn_dtype dtype)
{
    return PATTERNS * conform_every_turns(dtype);
}

/*
 * Makes block `number` of a dtype. d takes all patterns in turn, and the second f16 takes them in another order.
 * Codes move on by one place from block to block, so that every code comes to every place; so do pairs of scale and
 * minimum, in steps that are coprime with their number.
 */
static void make_block(ifn_dtype dtype, uint64_t number, void *block)
{
    const conform_limits l = conform_limits_of(dtype);
    const uint64_t turns = (uint64_t)conform_every_turns(dtype), turn = number % turns,
                   unit = number / turns;
    const int n = (int)ifn_dtype_block_elements(dtype), n_codes = l.c_high - l.c_low + 1;
    const int n_m = l.m_high + 1, n_pairs = (l.sc_high - l.sc_low + 1) * n_m;
    memset(block, 0, ifn_dtype_block_bytes(dtype));
    for (int i = 0; i < n; i++) {
        const uint64_t code = unit + turn * (uint64_t)n + (uint64_t)i;
        conform_put_code(dtype, block, i, l.c_low + (int)(code % (uint64_t)n_codes));
    }
    for (int i = 0; n_pairs > 1 && i < n; i += l.group) {
        const int pair = (int)((unit + 37 * (uint64_t)(i / l.group)) % (uint64_t)n_pairs);
        conform_put_scale(dtype, block, i, l.sc_low + pair / n_m, pair % n_m);
    }
    conform_put_units(dtype, block, (uint16_t)unit,
                      l.has_min ? (uint16_t)(unit * 40503 + 12345) : 0);
}

static void fill_blocks(const conform_case *c, const conform_tensor *t, unsigned char *out)
{
    const size_t bytes = ifn_dtype_block_bytes(c->dtype);
    const int64_t n = t->rows * (t->cols / ifn_dtype_block_elements(c->dtype));
    for (int64_t b = 0; b < n; b++) {
        const uint64_t number = c->seed + (uint64_t)b;
        const uint16_t pattern = (uint16_t)number;
        if (bytes == sizeof pattern)
            memcpy(out + (size_t)b * bytes, &pattern, bytes);
        else
            make_block(c->dtype, number, out + (size_t)b * bytes);
    }
}

/* --- orderings --- */

static int64_t choose(int64_t n, int64_t k)
{
    int64_t ways = 1;
    for (int64_t i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return k < 0 || k > n ? 0 : ways;
}

/* Recursion: k elements tie for the lowest place, the others are ordered above them. */
int64_t conform_orderings(int64_t n)
{
    int64_t ways = n == 0;
    for (int64_t k = 1; k <= n; k++)
        ways += choose(n, k) * conform_orderings(n - k);
    return ways;
}

/* Gives place `to` to the `which`-th set of k elements among those that have no place yet. */
static void put_kind(int64_t n, int64_t k, int64_t which, int to, int *kind)
{
    int64_t left = 0;
    for (int64_t i = 0; i < n; i++)
        left += kind[i] < 0;
    for (int64_t i = 0; i < n && k > 0; i++) {
        if (kind[i] >= 0)
            continue;
        const int64_t with_this = choose(--left, k - 1);
        if (which < with_this) {
            kind[i] = to;
            k--;
        } else {
            which -= with_this;
        }
    }
}

/* The value for a place in the ordering: both infinities, neighbouring floats, and a zero whose sign alternates. */
static float kind_value(int kind, int64_t place)
{
    static const float values[EVERY_ORDERED] = {-INFINITY,     -2.0f,           0.0f,    1.0f,
                                                0x1.000002p0f, 0x1.fffffep127f, INFINITY};
    assert(kind >= 0);
    return kind == 2 && place % 2 ? -0.0f : values[kind];
}

static void fill_ordering(uint64_t number, int64_t n, float *x)
{
    int kind[EVERY_ORDERED] = {-1, -1, -1, -1, -1, -1, -1};
    int64_t rank, left = n < EVERY_ORDERED ? n : EVERY_ORDERED;
    const int64_t orderings = conform_orderings(left);
    assert(orderings > 0);
    rank = (int64_t)(number % (uint64_t)orderings);
    for (int to = 0; left > 0; to++) {
        int64_t k = 1;
        while (rank >= choose(left, k) * conform_orderings(left - k)) {
            rank -= choose(left, k) * conform_orderings(left - k);
            k++;
        }
        const int64_t rest = conform_orderings(left - k);
        put_kind(n < EVERY_ORDERED ? n : EVERY_ORDERED, k, rank / rest, to, kind);
        rank %= rest;
        left -= k;
    }
    for (int64_t i = 0; i < n; i++)
        x[i] = i < EVERY_ORDERED ? kind_value(kind[i], i) : -INFINITY;
}

/* --- tensors --- */

static void fill_floats(const conform_case *c, const conform_tensor *t, float *x)
{
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        x[i] = float_of((uint32_t)(c->seed + (uint64_t)i));
}

/* Each row begins with 0: if the other logits are below that, their exponentials are e^x of the values themselves. */
static void fill_logits(const conform_case *c, const conform_tensor *t, float *x)
{
    uint64_t number = c->seed;
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        x[i] = i % t->cols ? float_of((uint32_t)number++) : 0.0f;
}

static void fill_written(const conform_case *c, ifn_dtype dtype, const conform_tensor *t, float *x)
{
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        x[i] = written(dtype, c->seed + (uint64_t)i);
}

static void set_all(float *x, const conform_tensor *t, float value)
{
    for (int64_t i = 0; i < t->rows * t->cols; i++)
        x[i] = value;
}

/* Row r has a 1 at place r. */
static void fill_one_hot(const conform_tensor *t, float *x)
{
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t i = 0; i < t->cols; i++)
            x[r * t->stride + i] = i == r % t->cols ? 1.0f : 0.0f;
}

static void fill_one_hot_blocks(const conform_tensor *t, ifn_block_q8_32f *x)
{
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t b = 0; b < t->cols / 32; b++) {
            ifn_block_q8_32f *block = &x[r * t->stride + b];
            const int64_t hot = r % t->cols - 32 * b;
            *block = (ifn_block_q8_32f){.d = 1.0f};
            if (hot >= 0 && hot < 32)
                block->s = block->qs[hot] = 1;
        }
}

static void fill_product(const conform_case *c, const conform_layout *l, void *const *data)
{
    if (c->op == IFN_OP_LINEAR_Q8)
        fill_one_hot_blocks(&l->t[0], data[0]);
    else
        fill_one_hot(&l->t[0], data[0]);
    for (int t = 1; t < l->n; t += 3) {
        fill_blocks(c, &l->t[t], data[t]);
        if (!l->t[t + 2].absent)
            set_all(data[t + 2], &l->t[t + 2], 0.0f);
    }
}

void conform_every_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    switch (c->op) {
    case IFN_OP_SOFTMAX_ROWS:
        fill_logits(c, &l->t[0], data[0]);
        break;
    case IFN_OP_SWIGLU:
        fill_floats(c, &l->t[0], data[0]);
        set_all(data[1], &l->t[1], 1.0f);
        break;
    case IFN_OP_GATHER_ROWS:
        fill_blocks(c, &l->t[0], data[0]);
        for (int64_t i = 0; i < c->dim[0]; i++)
            ((int32_t *)data[1])[i] = (int32_t)(i % c->dim[1]);
        break;
    case IFN_OP_DEQUANTIZE_ROWS:
        fill_blocks(c, &l->t[0], data[0]);
        break;
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
        fill_product(c, l, data);
        break;
    case IFN_OP_QUANTIZE_ROWS:
        fill_written(c, c->out_dtype, &l->t[0], data[0]);
        break;
    case IFN_OP_KV_STORE:
        fill_written(c, c->dtype, &l->t[0], data[0]);
        fill_written(c, c->dtype, &l->t[1], data[1]);
        break;
    case IFN_OP_ARGMAX_WITH_PROB:
        fill_ordering(c->seed, c->dim[0], data[0]);
        break;
    default:
        fill_floats(c, &l->t[0], data[0]);
    }
}
