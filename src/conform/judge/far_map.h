/*
 * Address space for a huge tensor of which the call touches a few pages only. All of it reads as zeros, and pages that
 * far_map_allow names may be written. The 2^33 bytes before it, where a negative 32-bit offset could land, and some
 * pages after it are protected.
 */
#ifndef CONFORM_FAR_MAP_H
#define CONFORM_FAR_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "guard_arena.h"

typedef struct far_map {
    guard_region region; /* map and map_bytes include the protected part */
    unsigned char *at;
    size_t bytes;
} far_map;

/* True if this process gets the address space that far calls take, and gets it fast: under an emulator of a processor
 * it may not. Probed once. */
bool far_map_has_room(void);

/* `overread`: bytes after the tensor that may be read. Returns false without address space. */
bool far_map_open(far_map *self, size_t bytes, size_t overread);
void far_map_close(far_map *self);
/* Makes the pages of [offset, offset + bytes) writable, or read-only again. */
bool far_map_allow(const far_map *self, size_t offset, size_t bytes, bool may_write);

#endif
