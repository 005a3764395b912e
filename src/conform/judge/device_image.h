/*
 * The tensors of a call in the memory of a device, as far as the host has them: one buffer of the
 * device in which each lies between two bands of a pattern, and what the host makes of it. All of
 * it goes in by one copy_in and comes out by one copy_out, however many tensors there are.
 *
 *     | band | tensor | band | band | tensor | band | ...
 */
#ifndef CONFORM_DEVICE_IMAGE_H
#define CONFORM_DEVICE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

enum { DEVICE_RANGES = 64 };

/* Bytes of the host that the device has a copy of. */
typedef struct device_range {
    const char *name; /* static */
    unsigned char *host;
    size_t bytes;
    size_t at;       /* of the copy */
    bool is_written; /* by the op: comes back */
    bool is_reused;  /* by a copy_in after the call: holds REUSED all over */
} device_range;

typedef struct device_image {
    ifn_backend *device; /* with the doors, and the allocator; NULL: the host has the tensors */
    unsigned char *base; /* on the device */
    unsigned char *room; /* on the host, as large: what is copied */
    size_t bytes, used;
    size_t n_copies; /* that bring it there; 0: one */
    bool forgets;    /* its buffers lose what they hold when they grow */
    size_t overread; /* bytes after each that may be read, GUARD_SLACK at most */
    uint32_t turn;   /* bands hold something else each time: */
    int which;       /* guard_lay_slack, of those after a tensor, */
    int poison;      /* and of those before it: every other time nothing but NaN */
    int n;
    device_range ranges[DEVICE_RANGES];
} device_image;

void device_image_open(device_image *self, ifn_backend *device);
void device_image_close(device_image *self);

/* The next call has other tensors. */
void device_image_begin(device_image *self, size_t overread);
/* Bytes that the call may touch; what overlaps is one range. False: there are too many. */
bool device_image_add(device_image *self, const char *name, const void *host, size_t bytes,
                      bool is_written);

/* Copies all there, the bands among them: on a lane whose calls come after it, or for those of
 * IFN_ALL_LANES, and then waits. Errors IFN_ERR_NOMEM, and those of copy_in. */
IFN_NODISCARD ifn_status device_image_copy_in(device_image *self, int32_t lane);
/* Copies all to `room`, after what the lane was called for. */
IFN_NODISCARD ifn_status device_image_copy_out(device_image *self, int32_t lane);

/* Copies something else over all that the op only reads, after the calls of this lane so far. */
IFN_NODISCARD ifn_status device_image_reuse(device_image *self, int32_t lane);

/* Where on the device a pointer of the host is; NULL: nowhere. */
void *device_image_address(const device_image *self, const void *host);

/* After copy_out: how many bytes beside range i have changed, and where the first is, as
 * guard_slack_changed. */
int device_image_slack_changed(const device_image *self, int i, int64_t *offset);
/* What range i holds now. */
const unsigned char *device_image_now(const device_image *self, int i);
/* 1 if that is what it was copied there with, before the call or after it. */
int device_image_is_kept(const device_image *self, int i);

#endif
