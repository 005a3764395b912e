#include "movement.h"

#include <string.h>

#include "gen.h"
#include "gen_regimes.h"

enum { EQUAL_BYTES = 10, FEW = 4 };

/* Values in which some bytes are equal: one byte repeated, which a fill by bytes may write, and values that only look
 * like that. The lowest byte is last. */
static uint32_t equal_bytes(uint64_t kind, uint32_t a, uint32_t b)
{
    const uint32_t of[EQUAL_BYTES] = {
        0x01010101u * a,
        0x01010000u * a,
        0x00000101u * a,
        0x01000100u * a,
        0x00010001u * a,
        0x00010101u * a,
        0x01010100u * a,
        0x01010000u * a + 0x00000101u * b,
        0x01000100u * a + 0x00010001u * b,
        0x01000001u * a + 0x00010100u * b,
    };
    return of[kind % EQUAL_BYTES];
}

static uint32_t bytes_of(uint64_t random, uint64_t kind)
{
    return equal_bytes(kind, 1 + (uint32_t)(random >> 8) % 255, (uint32_t)(random >> 16) & 255);
}

/* For tensors of few elements: each kind of value comes in turn, by dimension 0, as random draws would miss some. */
static uint32_t in_turn(const conform_case *c, uint64_t random, uint64_t i)
{
    static const uint32_t odd[] = {0xff800000, 0x7f800000, 0x7f800001, 0xffc00000, 0x80000000, 0};
    const uint64_t n = EQUAL_BYTES + sizeof odd / sizeof *odd;
    const uint64_t turn = ((uint64_t)c->dim[0] + i) % n;
    return turn < EQUAL_BYTES ? bytes_of(random, turn) : odd[turn - EQUAL_BYTES];
}

static uint32_t pattern(uint64_t random)
{
    switch (random >> 62) {
    case 0:
        return (uint32_t)random;
    case 1:
        return bytes_of(random, random >> 32);
    default:
        return conform_odd_bits(random >> 32);
    }
}

/* Up to four values that repeat; or one value for all but one element in 101. Dimension 0 decides which. */
static uint32_t repeated(const conform_case *c, conform_stream s, uint64_t random, uint64_t i)
{
    const uint64_t turn = (uint64_t)c->dim[0] % 5, period = turn > 0 ? turn : 1;
    return turn == 0 && conform_is_seldom(random)
               ? (uint32_t)random
               : (uint32_t)conform_bits(s, UINT64_MAX - i % period);
}

/* Element i of n. */
static uint32_t raw_bits(const conform_case *c, conform_stream s, uint64_t i, size_t n)
{
    const uint64_t random = conform_bits(s, i);
    switch (c->family) {
    case FAMILY_ZEROS: /* of both signs: equal as numbers, different as bits */
        return random & 1 ? 0x80000000 : 0;
    case FAMILY_CONSTANT:
        return repeated(c, s, random, i);
    case FAMILY_PATTERNS:
        return n < FEW ? in_turn(c, random, i) : pattern(random);
    default:
        return (uint32_t)random;
    }
}

void conform_fill_raw(const conform_case *c, const conform_tensor *t, void *data)
{
    const conform_stream s = conform_input_stream(c, t->name);
    const size_t n = t->bytes / 4;
    unsigned char *out = data;
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = raw_bits(c, s, i, n);
        memcpy(out + 4 * i, &bits, sizeof bits);
    }
}

void conform_fill_movement(const conform_case *c, const conform_layout *l, void *const *data)
{
    for (int i = 0; i < l->n; i++)
        if (l->t[i].role != ROLE_OUT)
            conform_fill_raw(c, &l->t[i], data[i]);
}

void conform_fill_bytes(const conform_case *c, const conform_layout *l, void *const *data)
{
    unsigned char *const bytes = data[0];
    const conform_stream s = conform_stream_of(c->seed, l->t[0].name);
    for (int64_t i = 0; i < l->t[0].cols; i++)
        bytes[i] = c->family == FAMILY_CONSTANT
                       ? (unsigned char)(repeated(c, s, conform_bits(s, (uint64_t)i / 4),
                                                  (uint64_t)i / 4) >>
                                         i % 4 * 8)
                       : (unsigned char)conform_bits(s, (uint64_t)i);
}

void conform_truth_bytes(const conform_layout *l, const char *out, void *const *data,
                         conform_pool *pool, conform_truth *truth)
{
    conform_truth *const t = &truth[conform_tensor_index(l, out)];
    const unsigned char *const bytes = data[0];
    conform_truth_take(t, CLASS_RAW, l->t[0].cols, pool);
    for (int64_t i = 0; i < l->t[0].cols; i++)
        t->raw[i] = bytes[i];
}

unsigned char *conform_truth_raw(conform_truth *truth, const conform_tensor *t, const void *initial,
                                 conform_pool *pool)
{
    conform_truth_take(truth, CLASS_RAW, (int64_t)t->bytes, pool);
    if (initial && t->bytes > 0)
        memcpy(truth->raw, initial, t->bytes);
    return truth->raw;
}

void conform_move(unsigned char *out, int64_t to, const void *x, int64_t from)
{
    memcpy(out + 4 * to, (const unsigned char *)x + 4 * from, 4);
}
