#include "bench_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/huge_pages.h>

#include "bench_device.h"
#include "case_pool.h"

enum {
    COLD_BYTES = 256 << 20, /* size of all copies together; exceeds every cache */
    MOSTLY = 8              /* least stored bytes / other bytes for which copies are made */
};

typedef struct bench_copy {
    void *data[CONFORM_MAX_TENSORS];
    void *there[CONFORM_MAX_TENSORS]; /* on a device */
    conform_call call;
    ifn_packed packed[IFN_LINEAR_MAX];
} bench_copy;

/* Returns true for weights, tables and caches: operands that a model keeps in memory. */
static bool is_stored(const conform_tensor *t)
{
    return t->role == ROLE_IN && t->element == ELEMENT_BLOCKS && t->dtype != IFN_DTYPE_Q8_32F &&
           !t->absent;
}

static size_t bytes_where(const bench_call *self, bool stored)
{
    size_t sum = 0;
    for (int i = 0; i < self->layout.n; i++)
        if (is_stored(&self->layout.t[i]) == stored)
            sum += self->layout.t[i].bytes;
    return sum;
}

static int copies_of(const bench_call *self)
{
    const size_t stored = bytes_where(self, true), other = bytes_where(self, false);
    if (self->is_hot || stored == 0 || stored / MOSTLY < other)
        return 1;
    return (int)(COLD_BYTES / stored) + 1;
}

/* --- operands --- */

/* Returns true for tensors that a copy owns: the first copy owns all of them, the others only the stored ones. */
static bool is_owned(const bench_call *self, int copy, int tensor)
{
    return copy == 0 || is_stored(&self->layout.t[tensor]);
}

static void make_data(bench_call *self)
{
    for (int k = 0; k < self->n_copies; k++)
        for (int i = 0; i < self->layout.n; i++) {
            const conform_tensor *const t = &self->layout.t[i];
            if (t->absent)
                continue;
            void **const at = &self->copies[k].data[i];
            *at = is_owned(self, k, i) ? conform_pool_take(&self->pool, t->bytes + 64, 1)
                                       : self->copies[0].data[i];
        }
}

static void fill_data(bench_call *self)
{
    conform_module_of(self->c.op)->fill(&self->c, &self->layout, self->copies[0].data);
    for (int k = 1; k < self->n_copies; k++)
        for (int i = 0; i < self->layout.n; i++)
            if (self->copies[k].data[i] != self->copies[0].data[i])
                memcpy(self->copies[k].data[i], self->copies[0].data[i], self->layout.t[i].bytes);
}

static ifn_status prepare(bench_call *self, bench_copy *copy, ifn_error *err)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const uint32_t use = conform_use_of(self->c.op);
    ifn_backend *const who = ifn_backend_implementer(self->backend, self->c.op);
    const bool can = self->form != BENCH_RAW && use && who && who->desc->prepare;
    const int n = conform_weights_of(self->c.op, &copy->call, w);
    if (can)
        IFN_TRY(who->desc->prepare(who, w, n, use | IFN_USE_ONE_ROW | IFN_USE_MANY_ROWS,
                                   copy->packed, err));
    self->is_packed = can && (copy->packed[0].ops & use) && copy->packed[0].data;
    if (self->form == BENCH_PACKED && !self->is_packed)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s has no packed form of %s",
                        who ? who->desc->name : ifn_backend_expression(self->backend),
                        ifn_dtype_name(self->c.dtype));
    if (self->is_packed)
        conform_set_packed(self->c.op, &copy->call, copy->packed);
    return IFN_OK;
}

/* Allocates scratch, in huge pages if it is large, as a context does. */
static void *take_scratch(bench_call *self, size_t bytes)
{
    if (bytes < IFN_HUGE_PAGE / 2)
        return conform_pool_take(&self->pool, bytes + 64, 1);
    const size_t whole = (bytes + IFN_HUGE_PAGE - 1) / IFN_HUGE_PAGE * IFN_HUGE_PAGE;
    unsigned char *const p = conform_pool_take(&self->pool, whole + IFN_HUGE_PAGE, 1);
    unsigned char *const first = p + (size_t)(-(uintptr_t)p) % IFN_HUGE_PAGE;
    (void)ifn_advise_huge_pages(first, whole);
    return first;
}

static void bind(bench_call *self, bench_copy *copy)
{
    conform_case_bind(&self->c, &self->layout, copy->data, &copy->call);
    const ifn_limits limits = conform_call_limits(self->c.op, &copy->call, &self->layout);
    ifn_call *const call = &copy->call.args.call;
    call->n_lanes = 1;
    call->scratch_bytes = (ifn_backend_scratch_bytes(self->backend, &limits) + 63) / 64 * 64;
    call->scratch = copy == self->copies ? take_scratch(self, call->scratch_bytes)
                                         : self->copies[0].call.args.call.scratch;
}

static ifn_status count_cost(bench_call *self, ifn_error *err)
{
    IFN_TRY(ifn_op_count_cost(self->c.op, &self->copies[0].call.args.call, &self->cost, err));
    self->working_bytes = self->cost.bytes * (uint64_t)self->n_copies;
    return IFN_OK;
}

/* --- on a device --- */

static bench_device device_of(const bench_call *self, bench_copy *copy)
{
    return (bench_device){self->backend, &self->layout, copy->data, copy->there};
}

static ifn_status place_scratch(bench_call *self, ifn_error *err)
{
    const ifn_allocator *const buffers = self->backend->buffers;
    self->scratch_bytes = self->copies[0].call.args.call.scratch_bytes;
    if (self->scratch_bytes == 0)
        return IFN_OK;
    self->scratch = buffers->alloc(buffers->cookie, self->scratch_bytes, 64);
    return self->scratch ? IFN_OK
                         : ifn_fail(err, IFN_ERR_NOMEM, "%s: no memory for scratch, %zu bytes",
                                    ifn_backend_expression(self->backend), self->scratch_bytes);
}

static ifn_status place_all(bench_call *self, ifn_error *err)
{
    if (!ifn_backend_is_device(self->backend))
        return IFN_OK;
    IFN_TRY(place_scratch(self, err));
    for (int k = 0; k < self->n_copies; k++) {
        bench_copy *const copy = &self->copies[k];
        const bench_device device = device_of(self, copy);
        for (int i = 0; i < self->layout.n; i++)
            if (!is_owned(self, k, i))
                copy->there[i] = self->copies[0].there[i];
        IFN_TRY(bench_device_place(&device, self->c.op, &copy->call.args.call, err));
        copy->call.args.call.scratch = self->scratch;
    }
    return IFN_OK;
}

static void free_buffers(bench_call *self)
{
    const ifn_allocator *const buffers = self->backend->buffers;
    for (int k = 0; self->copies && k < self->n_copies; k++) {
        const bench_device device = device_of(self, &self->copies[k]);
        for (int i = 0; i < self->layout.n; i++)
            if (device.there[i] && is_owned(self, k, i))
                bench_device_free(&device, i);
    }
    if (self->scratch)
        buffers->free(buffers->cookie, self->scratch, self->scratch_bytes);
    self->scratch = NULL;
}

/* Makes a call and waits until it has run, as a call on a device may return earlier. */
static ifn_status run_copy(const bench_call *self, int k)
{
    const ifn_status status =
        conform_op_entry(self->c.op)(self->backend, &self->copies[k].call.args.call);
    const ifn_status waited =
        self->defers ? ifn_backend_synchronize(self->backend, IFN_ALL_LANES) : IFN_OK;
    return status == IFN_OK ? waited : status;
}

static ifn_status try_call(const bench_call *self, ifn_error *err)
{
    const ifn_status status = run_copy(self, 0);
    return status == IFN_OK
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: %s of %s: found %s",
                          ifn_backend_expression(self->backend), ifn_op_name(self->c.op),
                          ifn_dtype_name(self->c.dtype), ifn_status_name(status));
}

static ifn_status open_copies(bench_call *self, ifn_error *err)
{
    make_data(self);
    fill_data(self);
    for (int k = 0; k < self->n_copies; k++) {
        bind(self, &self->copies[k]);
        IFN_TRY(prepare(self, &self->copies[k], err));
    }
    IFN_TRY(count_cost(self, err));
    IFN_TRY(place_all(self, err));
    return try_call(self, err);
}

ifn_status bench_call_open(bench_call *self, ifn_error *err)
{
    jmp_buf exhausted;
    conform_pool_init(&self->pool);
    if (conform_case_layout(&self->c, &self->layout) != IFN_OK)
        return ifn_fail(err, IFN_ERR_SHAPE, "%s of %s: found sizes that do not fit its blocks",
                        ifn_op_name(self->c.op), ifn_dtype_name(self->c.dtype));
    self->n_copies = copies_of(self);
    self->defers = ifn_backend_defers(self->backend);
    self->copies = calloc((size_t)self->n_copies, sizeof *self->copies);
    self->pool.exhausted = &exhausted;
    if (!self->copies || setjmp(exhausted))
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory for %s", ifn_op_name(self->c.op));
    const ifn_status status = open_copies(self, err);
    self->pool.exhausted = NULL;
    return status;
}

void bench_call_close(bench_call *self)
{
    ifn_backend *const who = ifn_backend_implementer(self->backend, self->c.op);
    for (int k = 0; self->copies && k < self->n_copies; k++)
        for (int i = 0; i < IFN_LINEAR_MAX; i++)
            if (self->copies[k].packed[i].data)
                who->desc->release(who, &self->copies[k].packed[i]);
    free_buffers(self);
    free(self->copies);
    self->copies = NULL;
    conform_pool_fini(&self->pool);
}

void bench_call_run(void *cookie)
{
    bench_call *const self = cookie;
    const int k = self->next;
    self->next = k + 1 < self->n_copies ? k + 1 : 0;
    (void)run_copy(self, k);
}

bool bench_call_is_of_dots(const bench_call *self)
{
    return self->c.op == IFN_OP_LINEAR_Q8;
}

void bench_call_sizes(const bench_call *self, char *out, size_t bytes)
{
    const conform_module *const m = conform_module_of(self->c.op);
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i] && used < bytes; i++) {
        const bool is_usual = strcmp(m->dim_names[i], "n_w") == 0 && self->c.dim[i] == 1;
        if (self->c.dim[i] == 0 || is_usual)
            continue;
        const int n = snprintf(out + used, bytes - used, "%s%s=%" PRId64, used ? "," : "",
                               m->dim_names[i], self->c.dim[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}
