#include "guard_arena.h"

#include <string.h>
#include <sys/mman.h>

#include "case_pool.h"

/* Sizes of regions. Almost every tensor fits the first; one that fits neither gets a mapping of its own size. */
static const size_t sizes[GUARD_SIZES] = {(size_t)1 << 16, (size_t)1 << 20, 0};

static void give_up(const guard_arena *self, size_t bytes)
{
    if (self->exhausted)
        longjmp(*self->exhausted, 1);
    conform_out_of_memory(bytes, "a guarded tensor");
}

static void make_writable(const guard_arena *self, guard_region *r)
{
    if (r->is_read_only && mprotect(r->body, r->body_bytes, PROT_READ | PROT_WRITE) != 0)
        give_up(self, r->body_bytes);
    r->is_read_only = 0;
}

/* Byte i of the canaries after a place. As f32 the readable bytes are a signalling NaN, a large number or a small one,
 * by place: a kernel that drops one of them uses another. */
static unsigned char slack_byte(size_t i, size_t overread, int which)
{
    static const unsigned char readable[PLACE_COUNT][4] = {
        {0xa1, 0xa3, 0xa5, 0x7f}, {0x7f, 0x7f, 0x7f, 0x7f}, {0x11, 0x97, 0x83, 0x91}};
    if (i < overread)
        return readable[which & ~GUARD_NAN][i % 4];
    return which & GUARD_NAN ? 0xff : GUARD_CANARY;
}

static size_t round_up(size_t n)
{
    return (n + 63) / 64 * 64;
}

/* Bytes of three places with slack around them; PLACE_FREE may lie 63 bytes further. */
static size_t room_for(size_t bytes, size_t overread)
{
    return 3 * round_up(bytes) + 4 * GUARD_SLACK + 64 + overread;
}

static guard_region *region_for(guard_arena *self, int index, size_t room)
{
    int i = 0;
    while (i < GUARD_SIZES - 1 && sizes[i] < room)
        i++;
    guard_region *r = &self->regions[index][i];
    if (r->map && r->body_bytes < room)
        guard_region_close(r);
    if (!r->map && !guard_region_open(r, sizes[i] > room ? sizes[i] : room))
        give_up(self, room);
    make_writable(self, r);
    return r;
}

/* The ranges of the canaries before and after a place, which end where the region does. */
static void slack_of(const guard_tensor *t, guard_place place, unsigned char *before[2],
                     unsigned char *after[2])
{
    unsigned char *const first = t->region->body, *const last = first + t->region->body_bytes;
    unsigned char *const at = t->at[place];
    before[0] = at - first < GUARD_SLACK ? first : at - GUARD_SLACK;
    before[1] = at;
    after[0] = at + t->bytes;
    after[1] = last - after[0] < GUARD_SLACK ? last : after[0] + GUARD_SLACK;
}

void guard_lay_slack(unsigned char *from, unsigned char *to, size_t overread, int which)
{
    for (size_t i = 0; from + i < to; i++)
        from[i] = slack_byte(i, overread, which);
}

static void put_canaries(const guard_tensor *t, guard_place place)
{
    unsigned char *before[2], *after[2];
    slack_of(t, place, before, after);
    guard_lay_slack(before[0], before[1], 0, 0);
    guard_lay_slack(after[0], after[1], t->overread, place);
}

guard_tensor guard_arena_place(guard_arena *self, int index, size_t bytes, size_t residue,
                               size_t overread)
{
    guard_tensor t = {.region = region_for(self, index, room_for(bytes, overread)),
                      .bytes = bytes,
                      .overread = overread};
    unsigned char *const body = t.region->body;
    t.at[PLACE_START] = body;
    t.at[PLACE_FREE] = body + round_up(bytes) + 2 * GUARD_SLACK + residue;
    t.at[PLACE_END] = body + t.region->body_bytes - overread - bytes;
    for (int place = 0; place < PLACE_COUNT; place++)
        put_canaries(&t, (guard_place)place);
    return t;
}

guard_tensor guard_arena_place_once(guard_arena *self, int index, size_t bytes, size_t gap,
                                    size_t overread)
{
    guard_tensor t = {.region = region_for(self, index, bytes + gap + GUARD_SLACK + overread),
                      .bytes = bytes,
                      .overread = overread};
    for (int place = 0; place < PLACE_COUNT; place++)
        t.at[place] = t.region->body + t.region->body_bytes - overread - gap - bytes;
    put_canaries(&t, PLACE_END);
    return t;
}

void guard_make_read_only(guard_tensor *t)
{
    if (mprotect(t->region->body, t->region->body_bytes, PROT_READ) != 0)
        conform_out_of_memory(t->region->body_bytes, "the protection of a tensor");
    t->region->is_read_only = 1;
}

void guard_make_writable(guard_tensor *t)
{
    if (mprotect(t->region->body, t->region->body_bytes, PROT_READ | PROT_WRITE) != 0)
        conform_out_of_memory(t->region->body_bytes, "the protection of a tensor");
    t->region->is_read_only = 0;
}

int guard_count_changed(const unsigned char *from, const unsigned char *to, size_t overread,
                        int which, const unsigned char *at, int64_t *offset)
{
    int n = 0;
    for (const unsigned char *p = from; p < to; p++) {
        if (*p == slack_byte((size_t)(p - from), overread, which))
            continue;
        if (n++ == 0)
            *offset = p - at;
    }
    return n;
}

int guard_slack_changed(const guard_tensor *t, guard_place place, int64_t *offset)
{
    unsigned char *before[2], *after[2];
    slack_of(t, place, before, after);
    const int n = guard_count_changed(after[0], after[1], t->overread, place, t->at[place], offset);
    return n ? n : guard_count_changed(before[0], before[1], 0, 0, t->at[place], offset);
}

void guard_arena_close(guard_arena *self)
{
    for (int i = 0; i < GUARD_TENSORS; i++)
        for (int j = 0; j < GUARD_SIZES; j++)
            guard_region_close(&self->regions[i][j]);
}
