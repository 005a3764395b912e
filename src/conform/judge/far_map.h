/*
 * Address space for a tensor of which only a few pages are ever touched: all of it reads as zeros,
 * and may be written where somebody has said so. What lies before it, as far as an offset of 32 bits
 * with a sign reaches, and after it, is protected.
 */
#ifndef CONFORM_FAR_MAP_H
#define CONFORM_FAR_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "guard_arena.h"

typedef struct far_map {
    guard_region region; /* map and map_bytes: all of it */
    unsigned char *at;
    size_t bytes;
} far_map;

/* Whether this process may have as much address space as far calls take, and gets it in no time:
 * what emulates a processor may not. Asked once. */
bool far_map_has_room(void);

/* `overread`: bytes after it that may be read. False without room. */
bool far_map_open(far_map *self, size_t bytes, size_t overread);
void far_map_close(far_map *self);
/* Makes the pages of [offset, offset + bytes) writable, or readable alone again. */
bool far_map_allow(const far_map *self, size_t offset, size_t bytes, bool may_write);

#endif
