#include "fenced_leaf.h"

#include <stdlib.h>
#include <string.h>

const void *fenced_leaf_next;

typedef struct device {
    fence *fence;
    const void *habit;
} device;

static const device *device_of(const ifn_backend *self)
{
    return self->state;
}

const void *fenced_leaf_habit(const ifn_backend *self)
{
    return device_of(self)->habit;
}

void *fenced_leaf_inside(const ifn_backend *self, const void *p)
{
    return fence_inside(device_of(self)->fence, p);
}

ifn_status fenced_leaf_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    if (a->bytes)
        memmove(fenced_leaf_inside(self, a->out), a->host, a->bytes);
    return IFN_OK;
}

ifn_status fenced_leaf_copy_out(ifn_backend *self, const ifn_copy_out_args *a)
{
    if (a->bytes)
        memmove(a->host, fenced_leaf_inside(self, a->x), a->bytes);
    return IFN_OK;
}

ifn_status fenced_leaf_open(void **state, const ifn_backend_env *env, ifn_error *err)
{
    device *const self = calloc(1, sizeof *self);
    (void)env;
    (void)err;
    *state = self;
    if (!self)
        return IFN_ERR_NOMEM;
    self->habit = fenced_leaf_next;
    self->fence = fence_open();
    return self->fence ? IFN_OK : IFN_ERR_NOMEM;
}

void fenced_leaf_close(void *state)
{
    device *const self = state;
    if (self)
        fence_close(self->fence);
    free(self);
}

const ifn_allocator *fenced_leaf_buffers(const ifn_backend *self)
{
    return fence_buffers(device_of(self)->fence);
}

conform_verdict fenced_leaf_judge(const conform_tested *tested, const void *habit, conform_case c)
{
    const void *const before = fenced_leaf_next;
    fenced_leaf_next = habit;
    const conform_verdict v = judge_once(tested, &c);
    fenced_leaf_next = before;
    return v;
}

void fenced_leaf_expect(const conform_tested *tested, const void *habit, conform_case c,
                        conform_check check, const char *text)
{
    const conform_verdict v = fenced_leaf_judge(tested, habit, c);
    assert_that(v.check == check && strstr(v.detail, text), "%s: %s, expected %s: %s",
                conform_check_name(v.check), v.detail, conform_check_name(check), text);
}
