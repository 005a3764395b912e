/* Fills the tensors of a far call of whole tensors, and checks the output of an op that moves elements. */
#include <string.h>

#include "judge_far_whole.h"

static conform_stream words_of(const whole_trial *t, int i)
{
    return conform_stream_of(t->c.seed, t->layout.t[i].name);
}

/* Two floats in [0, 1/2), so that a larger value is easily put among them. */
static uint64_t logits_of(uint64_t bits)
{
    const float x[2] = {(float)(uint32_t)(bits >> 40) * 0x1p-25f,
                        (float)((uint32_t)bits >> 8) * 0x1p-25f};
    uint64_t word;
    memcpy(&word, x, sizeof word);
    return word;
}

void judge_far_fill(const whole_trial *t, int i, uint64_t flip)
{
    const far_map *const map = &t->maps[i];
    const conform_stream words = words_of(t, i);
    far_piece p;
    for (size_t from = 0; far_pieces_next(map, from, &p); from = p.at + p.bytes)
        for (size_t k = 0; k < p.bytes; k += sizeof(uint64_t)) {
            const uint64_t bits = conform_bits(words, (p.at + k) / sizeof(uint64_t));
            const uint64_t word = (t->op->kind == WHOLE_SEARCHES ? logits_of(bits) : bits) ^ flip;
            memcpy(map->region.body + p.at + k, &word, sizeof word);
        }
}

/* Fills the output with words that differ from all of the inputs', whose streams have other names. */
void judge_far_prefill(const whole_trial *t)
{
    judge_far_fill(t, t->out, UINT64_MAX);
}

unsigned char judge_far_before(const whole_trial *t, size_t at)
{
    const uint64_t word = ~conform_bits(words_of(t, t->out), at / sizeof(uint64_t));
    unsigned char bytes[sizeof word];
    memcpy(bytes, &word, sizeof word);
    return bytes[at % sizeof word];
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t begin_of(const far_map *map)
{
    return (size_t)(map->at - map->region.body);
}

bool judge_far_is_inside(const far_map *map, size_t at)
{
    return at >= begin_of(map) && at - begin_of(map) < map->bytes;
}

static void fail_byte(const whole_trial *t, const far_piece *p, size_t at, unsigned char want)
{
    const far_map *const out = &t->maps[t->out];
    const long long its = (long long)at - (long long)begin_of(out);
    if (!judge_far_is_inside(out, at))
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "byte %lld was written, beside it", its);
    else
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "byte %lld%s is %02x, expected %02x", its,
                             p->is_shared ? ", or one between the borders," : "",
                             out->region.body[at], want);
}

/* Fails the case if a byte of [from, to) is not as before the call. */
static void check_stayed(const whole_trial *t, const far_piece *p, size_t from, size_t to)
{
    const unsigned char *const got = t->maps[t->out].region.body;
    for (size_t i = from; i < to && !judge_failed(t->r); i++)
        if (got[i] != judge_far_before(t, i))
            fail_byte(t, p, i, judge_far_before(t, i));
}

void judge_far_check_beside(const whole_trial *t, const far_piece *p)
{
    const far_map *const out = &t->maps[t->out];
    const size_t begin = begin_of(out), end = begin + out->bytes;
    check_stayed(t, p, p->at, lesser(begin, p->at + p->bytes));
    check_stayed(t, p, end > p->at ? end : p->at, p->at + p->bytes);
}

static void check_bytes(const whole_trial *t, const far_piece *p, size_t at,
                        const unsigned char *want, size_t bytes)
{
    const unsigned char *const got = t->maps[t->out].region.body + at;
    if (memcmp(got, want, bytes) == 0)
        return;
    for (size_t i = 0; i < bytes && !judge_failed(t->r); i++)
        if (got[i] != want[i])
            fail_byte(t, p, at + i, want[i]);
}

/* Checks one run of the output from byte `at` on, up to `end` at most. Returns where it ends. */
static size_t check_run(const whole_trial *t, const far_piece *p, size_t at, size_t end)
{
    const size_t begin = begin_of(&t->maps[t->out]), element = t->op->element_bytes;
    const size_t first = (at - begin) / element, within = (at - begin) % element;
    const far_moved m = conform_far_moved(&t->c, (int64_t)first);
    const size_t bytes = lesser((size_t)m.n * element - within, end - at);
    if (!m.in)
        check_stayed(t, p, at, at + bytes);
    else
        check_bytes(t, p, at,
                    t->maps[conform_tensor_index(&t->layout, m.in)].at + (size_t)m.from * element +
                        within,
                    bytes);
    return at + bytes;
}

/* True if the output is one run of the input. Then the shared pieces of both, which are one memory each, correspond. */
static bool is_one_run(const whole_trial *t)
{
    return (size_t)conform_far_moved(&t->c, 0).n * t->op->element_bytes == t->maps[t->out].bytes;
}

void judge_far_check_moved(const whole_trial *t)
{
    const far_map *const out = &t->maps[t->out];
    far_piece p;
    for (size_t from = 0; far_pieces_next(out, from, &p) && !judge_failed(t->r);
         from = p.at + p.bytes) {
        const size_t last = lesser(begin_of(out) + out->bytes, p.at + p.bytes);
        size_t at = p.at > begin_of(out) ? p.at : begin_of(out);
        if (p.is_shared && !is_one_run(t))
            continue;
        judge_far_check_beside(t, &p);
        while (at < last && !judge_failed(t->r))
            at = check_run(t, &p, at, last);
    }
}
