/* Far calls of ops that compute: the inputs are the elements of the case, over and over, and so must be the results. */
#include <stdio.h>
#include <string.h>

#include "judge_far_whole.h"

/* A run of elements that are adjacent both in a far tensor and at home. */
typedef struct stretch {
    int64_t far, home, n;
} stretch;

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Maps far elements to those at home. Each block of 2^12 elements is rotated by an amount of its own, so that reading
 * from a wrong place, even one a power of two away, gives other values. */
static stretch stretch_at(const whole_trial *t, int64_t far, int64_t end)
{
    enum { BLOCK = 1 << 12 };
    const int64_t block = far / BLOCK;
    const int64_t n = (int64_t)(t->r->slot->layout.t[t->out].bytes / sizeof(float));
    const uint64_t turn = conform_hash(t->c.seed, "turn", (uint64_t)block);
    const int64_t home = (int64_t)(((uint64_t)far + turn % (uint64_t)n) % (uint64_t)n);
    return (stretch){far, home, lesser(lesser(n - home, (block + 1) * BLOCK - far), end - far)};
}

typedef bool (*visit)(const whole_trial *t, int i, const stretch *s);

/* Calls `each` for every stretch of piece p of map i, until it returns false. */
static bool each_of_piece(const whole_trial *t, int i, const far_piece *p, visit each)
{
    const far_map *const map = &t->maps[i];
    const int64_t begin = map->at - map->region.body, size = sizeof(float);
    const int64_t first = (int64_t)p->at > begin ? ((int64_t)p->at - begin + size - 1) / size : 0;
    const int64_t end = lesser((int64_t)map->bytes, (int64_t)(p->at + p->bytes) - begin) / size;
    for (int64_t at = first; at < end;) {
        const stretch s = stretch_at(t, at, end);
        if (!each(t, i, &s))
            return false;
        at += s.n;
    }
    return true;
}

static bool fill_stretch(const whole_trial *t, int i, const stretch *s)
{
    memcpy(t->maps[i].at + (size_t)s->far * sizeof(float),
           t->home[i] + (size_t)s->home * sizeof(float), (size_t)s->n * sizeof(float));
    return true;
}

void judge_far_fill_values(const whole_trial *t)
{
    far_piece p;
    for (int i = 0; i < t->layout.n; i++)
        for (size_t from = 0;
             i != t->out && t->maps[i].at && far_pieces_next(&t->maps[i], from, &p);
             from = p.at + p.bytes)
            each_of_piece(t, i, &p, fill_stretch);
}

/* Accepts the bits of the call at home; other bits are judged by the bounds there. */
static bool check_stretch(const whole_trial *t, int i, const stretch *s)
{
    judge_run *const r = t->r;
    const size_t at = (size_t)s->home * sizeof(float), bytes = (size_t)s->n * sizeof(float);
    const unsigned char *const got = t->maps[i].at + (size_t)s->far * sizeof(float);
    if (memcmp(got, r->whole[i] + at, bytes) == 0)
        return true;
    memcpy(t->home[i], r->whole[i], r->slot->layout.t[i].bytes);
    memcpy(t->home[i] + at, got, bytes);
    r->data[i] = t->home[i];
    judge_like(r, CHECK_FAR);
    r->data[i] = t->maps[i].at;
    if (!judge_failed(r))
        return true;
    char what[sizeof r->verdict->detail];
    memcpy(what, r->verdict->detail, sizeof what);
    snprintf(r->verdict->detail, sizeof what, "element %lld and up, as at home: %.300s",
             (long long)s->far, what);
    return false;
}

/* Skips shared pieces: a kernel that writes an element and reads it again works on memory that stands for many
 * elements, so its content says nothing. */
void judge_far_check_values(const whole_trial *t)
{
    const far_map *const out = &t->maps[t->out];
    far_piece p;
    for (size_t from = 0; far_pieces_next(out, from, &p) && !judge_failed(t->r);
         from = p.at + p.bytes) {
        if (p.is_shared)
            continue;
        each_of_piece(t, t->out, &p, check_stretch);
        judge_far_check_beside(t, &p);
    }
}
