#include "guard_region.h"

#include <stdatomic.h>

#include "zero_map.h"

/* Closed regions up to 2^(SPARE_SIZES - 1) pages are kept as spares for later ones: a new page costs the system more
 * time than most calls take. */
enum { SPARE_SIZES = 9, SPARES = 16 };

/* A ring buffer: the region that was closed first is reused first, so that freed memory does not get a new owner at
 * once. */
static struct spares {
    unsigned char *maps[SPARES];
    unsigned first, n;
} spares[SPARE_SIZES];

/* A lock without waiting: a caller that finds it taken does without spares. A signal may stop a call that holds the
 * lock. */
static atomic_flag is_taken = ATOMIC_FLAG_INIT;

bool guard_protects(void)
{
    return _POSIX_MEMORY_PROTECTION > 0;
}

size_t guard_outside(void)
{
    const size_t page = page_bytes();
    return page > GUARD_PROTECTED ? page : GUARD_PROTECTED;
}

void *guard_map_nothing(size_t bytes)
{
    return zero_map(bytes, PROT_NONE, MAP_PRIVATE);
}

/* The smallest i with 2^i pages >= body_bytes; SPARE_SIZES: too large to be kept. */
static int size_for(size_t body_bytes)
{
    int i = 0;
    while (i < SPARE_SIZES && page_bytes() << i < body_bytes)
        i++;
    return i;
}

static unsigned char *take_spare(int size)
{
    unsigned char *map = NULL;
    struct spares *const s = &spares[size];
    if (atomic_flag_test_and_set(&is_taken))
        return NULL;
    if (s->n > 0) {
        map = s->maps[s->first];
        s->first = (s->first + 1) % SPARES;
        s->n--;
    }
    atomic_flag_clear(&is_taken);
    return map;
}

static bool put_spare(int size, unsigned char *map)
{
    struct spares *const s = &spares[size];
    if (atomic_flag_test_and_set(&is_taken))
        return false;
    const bool has_room = s->n < SPARES;
    if (has_room)
        s->maps[(s->first + s->n++) % SPARES] = map;
    atomic_flag_clear(&is_taken);
    return has_room;
}

static bool keep(const guard_region *r)
{
    const size_t room = r->map_bytes - 2 * guard_outside();
    return r->is_kept && mprotect(r->map + guard_outside(), room, PROT_NONE) == 0 &&
           put_spare(size_for(room), r->map);
}

void guard_region_close(guard_region *r)
{
    if (r->map && !keep(r))
        munmap(r->map, r->map_bytes);
    *r = (guard_region){0};
}

int guard_region_open(guard_region *r, size_t body_bytes)
{
    const size_t page = page_bytes(), body = (body_bytes + page - 1) / page * page;
    const int size = size_for(body);
    const bool is_kept = size < SPARE_SIZES;
    const size_t room = is_kept ? page << size : body;
    unsigned char *map = is_kept ? take_spare(size) : NULL;
    if (!map)
        map = guard_map_nothing(room + 2 * guard_outside());
    if (!map)
        return 0;
    *r = (guard_region){.map = map,
                        .body = map + guard_outside() + (room - body),
                        .map_bytes = room + 2 * guard_outside(),
                        .body_bytes = body,
                        .is_kept = is_kept};
    if (mprotect(r->body, r->body_bytes, PROT_READ | PROT_WRITE) == 0)
        return 1;
    guard_region_close(r);
    return 0;
}
