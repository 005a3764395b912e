/*
 * What a device asks its allocator for while it prepares weights: blocks of one buffer, each between
 * two bands. All of the buffer is full of NaN before, so that no call need be made while the device
 * is in the middle of its own; and it is copied out when the handles are made and when ops have read
 * them.
 *
 *     | band | block | band | block | band | ...
 */
#ifndef CONFORM_DEVICE_BLOCKS_H
#define CONFORM_DEVICE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

/* From the first byte to the last; beyond it there are no bands, as all of it is copied three times. */
#define DEVICE_BLOCKS_MOST ((size_t)64 << 20)

typedef struct device_blocks {
    ifn_backend *device;
    const ifn_allocator *buffers; /* its own */
    unsigned char *base;          /* on the device; NULL: there are no blocks */
    unsigned char *seen;          /* on the host: what was there when it was looked at last, */
    unsigned char *now;           /* and what is there now */
    size_t bytes, used;
} device_blocks;

/**
 * Room for blocks of `bytes` bytes, bands not counted. Where it cannot be had, or is more than
 * DEVICE_BLOCKS_MOST, there is none, and each take finds nothing.
 * Errors  those of copy_in
 */
IFN_NODISCARD ifn_status device_blocks_open(device_blocks *self, ifn_backend *device,
                                            const ifn_allocator *buffers, size_t bytes);
void device_blocks_close(device_blocks *self);

/* `align` as in ifn_allocator. NULL: there is no room. */
void *device_blocks_take(device_blocks *self, size_t bytes, size_t align);

/* From one address of the device to another: of `bytes` bytes at most. */
IFN_NODISCARD ifn_status device_blocks_copy(device_blocks *self, void *to, const void *from,
                                            size_t bytes);

/* Copies all out, after every lane has run. Errors those of copy_out. */
IFN_NODISCARD ifn_status device_blocks_look(device_blocks *self);
/* What is there now is what has to be there from here on. */
void device_blocks_accept(device_blocks *self);

/* After a look: how many bytes have changed of a block, or of its two bands; *offset of the first
 * counts from the block's first byte. */
int device_blocks_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                          int64_t *offset);
int device_blocks_slack_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                                int64_t *offset);

#endif
