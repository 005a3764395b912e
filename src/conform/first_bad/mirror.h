/*
 * Gives each buffer of a device an image in host memory, whose address stays the same while the buffer exists. Hooks
 * see a call with its tensors in the images.
 */
#ifndef CONFORM_MIRROR_H
#define CONFORM_MIRROR_H

#include <stdbool.h>

#include <inferno/backend.h>

typedef struct mirror_block {
    unsigned char *device, *image; /* the image is owned */
    size_t bytes;
} mirror_block;

typedef struct mirror {
    ifn_backend *inner, *device; /* the chain, and its backend that has copy_in and copy_out */
    ifn_allocator buffers;
    mirror_block *blocks; /* owned */
    int n, room;
    ifn_status status; /* of the first copy that failed */
} mirror;

/* Opens a mirror for a chain that ends in a device. The struct must not move until it is closed. */
void conform_mirror_open(mirror *self, ifn_backend *inner);
void conform_mirror_close(mirror *self);

/* before: makes a copy of the call whose tensors are the images, and with_inputs reads its inputs from the device.
 * after: reads its outputs from the device. give_back: writes the images of its outputs to the device. */
void conform_mirror_before(mirror *self, ifn_op op, const ifn_call *args, bool with_inputs,
                           ifn_args *out);
void conform_mirror_after(mirror *self, ifn_op op, const ifn_args *shown);
void conform_mirror_give_back(mirror *self, ifn_op op, const ifn_args *shown);

#endif
