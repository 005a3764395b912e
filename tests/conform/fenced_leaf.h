/*
 * A device whose memory is a fence, with correct copy_in and copy_out. Each test adds the other ops, and what
 * they do wrong.
 */
#ifndef CONFORM_FENCED_LEAF_H
#define CONFORM_FENCED_LEAF_H

#include "fence.h"
#include "leaves.h"

/* The habit of the device that is opened next: borrowed data of the test, which say how the device misbehaves. */
extern const void *fenced_leaf_next;

const void *fenced_leaf_habit(const ifn_backend *self);
/* The host address of the memory that a pointer of the device stands for. */
void *fenced_leaf_inside(const ifn_backend *self, const void *p);

ifn_status fenced_leaf_copy_in(ifn_backend *self, const ifn_copy_in_args *a);
ifn_status fenced_leaf_copy_out(ifn_backend *self, const ifn_copy_out_args *a);
ifn_status fenced_leaf_open(void **state, const ifn_backend_env *env, ifn_error *err);
void fenced_leaf_close(void *state);
const ifn_allocator *fenced_leaf_buffers(const ifn_backend *self);

/* The first members of the device's descriptor. */
#define FENCED_LEAF                                                                                \
    IFN_BACKEND_STAMP, .flags = IFN_BACKEND_DEVICE, .name = "device", .summary = "",               \
                       .open = fenced_leaf_open, .close = fenced_leaf_close,                       \
                       .buffers = fenced_leaf_buffers, .manifest = &leaf_promises

/* Judges one case on the device with this habit, then restores fenced_leaf_next. */
conform_verdict fenced_leaf_judge(const conform_tested *tested, const void *habit, conform_case c);
/* Expects the case to fail by `check`, with a text that contains `text`. */
void fenced_leaf_expect(const conform_tested *tested, const void *habit, conform_case c,
                        conform_check check, const char *text);

#endif
