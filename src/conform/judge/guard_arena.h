/*
 * Memory for the tensors of one call, reused from case to case. Every tensor has a region of its
 * own between two protected pages, and three places in it, so one mprotect covers all three:
 *
 *     | protected | at start ... | somewhere in the middle | ... at end | protected |
 *
 * What lies within GUARD_SLACK bytes of a place is canaries. A backend that declares an overread
 * (max_overread, numerics 9) finds so many bytes after a place that it may read: at the end, they
 * lie before the protected page, and at each place they hold something else, so that a result which
 * depends on them shows.
 */
#ifndef CONFORM_GUARD_ARENA_H
#define CONFORM_GUARD_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard_region.h"

enum { GUARD_TENSORS = 26, GUARD_SIZES = 3, GUARD_SLACK = 256, GUARD_CANARY = 0xc5 };

typedef enum guard_place {
    PLACE_END,   /* its last byte is the last before a protected page */
    PLACE_START, /* its first byte is the first after one */
    PLACE_FREE,  /* at any address its alignment allows */
    PLACE_COUNT
} guard_place;

typedef struct guard_arena {
    guard_region regions[GUARD_TENSORS][GUARD_SIZES];
    jmp_buf *exhausted; /* where a place without memory goes; NULL: the program ends */
} guard_arena;

/* Added to `which`: canaries are bytes of NaN in every format, which zero does not make harmless. For
 * tensors beside which no access dies; a byte that is written there as 0xff is not noticed. */
enum { GUARD_NAN = 1 << 8 };
/* Fills [from, to), of which the first `overread` bytes may be read after a tensor. `which`: the
 * content of those, PLACE_COUNT different ones. */
void guard_lay_slack(unsigned char *from, unsigned char *to, size_t overread, int which);
/* How many bytes from `from` to `to` are not what that has written; the first one's distance from
 * `at` goes to *offset. */
int guard_count_changed(const unsigned char *from, const unsigned char *to, size_t overread,
                        int which, const unsigned char *at, int64_t *offset);

/* One tensor's three places. `bytes` may be 0: then they are addresses nothing may be read at. */
typedef struct guard_tensor {
    guard_region *region;
    unsigned char *at[PLACE_COUNT];
    size_t bytes, overread;
} guard_tensor;

/* Finds room for tensor `index` and lays out canaries. `residue`: of PLACE_FREE modulo 64;
 * `overread`: bytes after it that may be read, IFN_MAX_OVERREAD at most and a multiple of what its
 * address shall be aligned to. */
guard_tensor guard_arena_place(guard_arena *self, int index, size_t bytes, size_t residue,
                               size_t overread);

/* The same for a tensor so large that it is to be there once: all three places are the last, `gap` bytes before its
 * protected page, less than 64. */
guard_tensor guard_arena_place_once(guard_arena *self, int index, size_t bytes, size_t gap,
                                    size_t overread);

void guard_make_read_only(guard_tensor *t);
void guard_make_writable(guard_tensor *t);
/* How many bytes around a place are not what guard_arena_place wrote; the first one's distance
 * from the tensor's first byte goes to *offset. */
int guard_slack_changed(const guard_tensor *t, guard_place place, int64_t *offset);

void guard_arena_close(guard_arena *self);

#endif
