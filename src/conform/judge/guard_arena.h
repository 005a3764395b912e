/*
 * Guarded memory for the tensors of one call, reused from case to case. Every tensor has a region of its own between
 * two protected pages and three places in it, so that one mprotect covers all three:
 *
 *     | protected | at start ... | somewhere in the middle | ... at end | protected |
 *
 * GUARD_SLACK bytes on both sides of a place are canaries. A backend may declare that it reads some bytes past a tensor
 * (max_overread, numerics 9). So many bytes after a place are then readable: at the end they lie before the protected
 * page. They differ from place to place, so that a result which depends on them differs, too.
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
    PLACE_END,   /* its last byte is the last one before a protected page */
    PLACE_START, /* its first byte is the first one after a protected page */
    PLACE_FREE,  /* at any address its alignment allows */
    PLACE_COUNT
} guard_place;

typedef struct guard_arena {
    guard_region regions[GUARD_TENSORS][GUARD_SIZES];
    jmp_buf *exhausted; /* longjmp target when memory runs out; NULL: the program ends */
} guard_arena;

/* Added to `which`: canaries are 0xff, NaN in every format, which a factor of zero does not hide. For tensors without
 * protected pages, such as those on a device. Writing 0xff over such a canary goes unnoticed. */
enum { GUARD_NAN = 1 << 8 };
/* Fills [from, to) with canaries; after a tensor the first `overread` of these bytes may be read. `which`, 0 to
 * PLACE_COUNT - 1, chooses the content of the readable ones. */
void guard_lay_slack(unsigned char *from, unsigned char *to, size_t overread, int which);
/* Returns how many bytes of [from, to) differ from what guard_lay_slack wrote. *offset is the distance of the first
 * such byte from `at`. */
int guard_count_changed(const unsigned char *from, const unsigned char *to, size_t overread,
                        int which, const unsigned char *at, int64_t *offset);

/* One tensor's three places. `bytes` may be 0: nothing may be read at their addresses then. */
typedef struct guard_tensor {
    guard_region *region;
    unsigned char *at[PLACE_COUNT];
    size_t bytes, overread;
} guard_tensor;

/* Finds memory for tensor `index` and lays out its canaries. `residue`: the address of PLACE_FREE modulo 64.
 * `overread`: bytes after the tensor that may be read, IFN_MAX_OVERREAD at most, and a multiple of the alignment that
 * the tensor's end place needs. */
guard_tensor guard_arena_place(guard_arena *self, int index, size_t bytes, size_t residue,
                               size_t overread);

/* The same for a tensor that is too large for three copies: all three places are one, `gap` bytes (less than 64) before
 * the protected page. */
guard_tensor guard_arena_place_once(guard_arena *self, int index, size_t bytes, size_t gap,
                                    size_t overread);

void guard_make_read_only(guard_tensor *t);
void guard_make_writable(guard_tensor *t);
/* Returns how many bytes around a place differ from what guard_arena_place wrote. *offset is the distance of the first
 * such byte from the tensor's first byte. */
int guard_slack_changed(const guard_tensor *t, guard_place place, int64_t *offset);

void guard_arena_close(guard_arena *self);

#endif
