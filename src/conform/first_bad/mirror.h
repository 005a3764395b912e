/*
 * Buffers of a device as the host can read them: each has an image in memory of the host, at one
 * address as long as the buffer is there. A call is shown with its tensors in the images.
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
    ifn_backend *inner, *device; /* the chain that is looked at, and the leaf with the doors */
    ifn_allocator buffers;
    mirror_block *blocks; /* owned */
    int n, room;
    ifn_status status; /* of the first copy that failed */
} mirror;

/* For a chain that ends in a device. The mirror stays where it is until it is closed. */
void conform_mirror_open(mirror *self, ifn_backend *inner);
void conform_mirror_close(mirror *self);

/* The call in the images. Before it is made these hold what it reads, if that is asked for, after it
 * what it has written; and what is then written to the images goes to the buffers. */
void conform_mirror_before(mirror *self, ifn_op op, const ifn_call *args, bool with_inputs,
                           ifn_args *out);
void conform_mirror_after(mirror *self, ifn_op op, const ifn_args *shown);
void conform_mirror_give_back(mirror *self, ifn_op op, const ifn_args *shown);

#endif
