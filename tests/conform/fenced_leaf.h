/*
 * A device in the memory of a fence, with right doors. What else it does, and what of that is wrong, is its
 * test's.
 */
#ifndef CONFORM_FENCED_LEAF_H
#define CONFORM_FENCED_LEAF_H

#include "fence.h"
#include "leaves.h"

/* What the device that is opened next finds as its habit: in the words of the test, and borrowed. */
extern const void *fenced_leaf_next;

const void *fenced_leaf_habit(const ifn_backend *self);
/* Where ops find what a pointer of the device stands for. */
void *fenced_leaf_inside(const ifn_backend *self, const void *p);

ifn_status fenced_leaf_copy_in(ifn_backend *self, const ifn_copy_in_args *a);
ifn_status fenced_leaf_copy_out(ifn_backend *self, const ifn_copy_out_args *a);
ifn_status fenced_leaf_open(void **state, const ifn_backend_env *env, ifn_error *err);
void fenced_leaf_close(void *state);
const ifn_allocator *fenced_leaf_buffers(const ifn_backend *self);

/* The begin of its descriptor. */
#define FENCED_LEAF                                                                                \
    IFN_BACKEND_STAMP, .flags = IFN_BACKEND_DEVICE, .name = "device", .summary = "",               \
                       .open = fenced_leaf_open, .close = fenced_leaf_close,                       \
                       .buffers = fenced_leaf_buffers, .manifest = &leaf_promises

/* One case of the device with this habit. Afterwards fenced_leaf_next is what it was. */
conform_verdict fenced_leaf_judge(const conform_tested *tested, const void *habit, conform_case c);
/* Its verdict is `check`, and says `text`. */
void fenced_leaf_expect(const conform_tested *tested, const void *habit, conform_case c,
                        conform_check check, const char *text);

#endif
