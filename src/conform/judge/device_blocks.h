/*
 * The memory that a device asks its allocator for while it prepares weights: blocks of one device buffer, each between
 * two bands. The whole buffer is filled with NaN beforehand, so that the allocator need not call the device in the
 * middle of its prepare. It is copied out when the handles have been made and again when ops have read them.
 *
 *     | band | block | band | block | band | ...
 */
#ifndef CONFORM_DEVICE_BLOCKS_H
#define CONFORM_DEVICE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

/* The largest buffer, bands included. Blocks of a larger one have no bands, as all of the buffer is copied three
 * times. */
#define DEVICE_BLOCKS_MOST ((size_t)64 << 20)

typedef struct device_blocks {
    ifn_backend *device;
    const ifn_allocator *buffers; /* the device's own allocator */
    unsigned char *base;          /* on the device; NULL: no buffer */
    unsigned char *seen;          /* on the host: the expected content, */
    unsigned char *now;           /* and the content at the latest look */
    size_t bytes, used;
} device_blocks;

/**
 * Opens a buffer of `bytes` bytes for blocks and their bands. Without memory, or if that is more than
 * DEVICE_BLOCKS_MOST, there is no buffer, and device_blocks_take returns NULL.
 * Errors  those of copy_in
 */
IFN_NODISCARD ifn_status device_blocks_open(device_blocks *self, ifn_backend *device,
                                            const ifn_allocator *buffers, size_t bytes);
void device_blocks_close(device_blocks *self);

/* Takes a block; `align` as in ifn_allocator. Returns NULL without room. */
void *device_blocks_take(device_blocks *self, size_t bytes, size_t align);

/* Copies `bytes` bytes, at most as many as the buffer has, from one device address to another. */
IFN_NODISCARD ifn_status device_blocks_copy(device_blocks *self, void *to, const void *from,
                                            size_t bytes);

/* Waits for every lane, then copies the buffer to `now`. Errors those of copy_out. */
IFN_NODISCARD ifn_status device_blocks_look(device_blocks *self);
/* Takes the content of the latest look as the expected content. */
void device_blocks_accept(device_blocks *self);

/* After a look: returns how many bytes of a block, or of its two bands, have changed. *offset is that of the first
 * changed byte, counted from the block's first byte. */
int device_blocks_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                          int64_t *offset);
int device_blocks_slack_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                                int64_t *offset);

#endif
