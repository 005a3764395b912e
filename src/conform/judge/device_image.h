/*
 * The tensors of a call, copied to a device whose memory the host cannot read: one device buffer, in which each tensor
 * lies between two bands of a pattern, and a buffer of the same size on the host. One copy_in brings everything there
 * and one copy_out brings it back, however many tensors there are.
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

/* A range of host memory of which the device has a copy. */
typedef struct device_range {
    const char *name; /* static */
    unsigned char *host;
    size_t bytes;
    size_t at;       /* offset of the copy in the buffer */
    bool is_written; /* the op writes it, so it is copied back */
    bool is_reused;  /* a copy_in after the call has filled it with REUSED */
} device_range;

typedef struct device_image {
    ifn_backend *device; /* has copy_in, copy_out and the allocator; NULL: not a device */
    unsigned char *base; /* the buffer on the device */
    unsigned char *room; /* the buffer of the same size on the host */
    size_t bytes, used;
    size_t n_copies; /* copy_ins to split the copy into; 0: one */
    bool forgets;    /* the device's resize has lost the content of a buffer */
    size_t overread; /* bytes after each tensor that may be read, GUARD_SLACK at most */
    uint32_t turn;   /* counts the calls: bands differ from one to the next */
    int which;       /* argument of guard_lay_slack for bands after a tensor */
    int poison;      /* and before it: GUARD_NAN in every other call, else 0 */
    int n;
    device_range ranges[DEVICE_RANGES];
} device_image;

void device_image_open(device_image *self, ifn_backend *device);
void device_image_close(device_image *self);

/* Forgets all ranges: the next call has other tensors. */
void device_image_begin(device_image *self, size_t overread);
/* Adds a range that the call may touch; overlapping ranges become one. Returns false if there are too many. */
bool device_image_add(device_image *self, const char *name, const void *host, size_t bytes,
                      bool is_written);

/* Copies all ranges and bands to the device, on lane `lane`, whose later calls see them; for IFN_ALL_LANES, on lane 0,
 * and then waits for all lanes. Errors IFN_ERR_NOMEM, and those of copy_in. */
IFN_NODISCARD ifn_status device_image_copy_in(device_image *self, int32_t lane);
/* Copies the whole buffer to `room`, after the calls of this lane so far. */
IFN_NODISCARD ifn_status device_image_copy_out(device_image *self, int32_t lane);

/* Overwrites all ranges that the op only reads, after the calls of this lane so far. */
IFN_NODISCARD ifn_status device_image_reuse(device_image *self, int32_t lane);

/* Translates a host pointer to its address on the device; NULL: it is in no range. */
void *device_image_address(const device_image *self, const void *host);

/* After copy_out: returns how many bytes in the bands of range i have changed; *offset is as in guard_slack_changed. */
int device_image_slack_changed(const device_image *self, int i, int64_t *offset);
/* The content of range i at the latest copy_out. */
const unsigned char *device_image_now(const device_image *self, int i);
/* 1 if this is still what the judge copied there, before the call or (is_reused) after it. */
int device_image_is_kept(const device_image *self, int i);

#endif
