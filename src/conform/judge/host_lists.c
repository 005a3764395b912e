#include "host_lists.h"

#include <string.h>

#include <inferno/signature_values.h>
#include <inferno/spans.h>

int host_lists_count(ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const ifn_op_arg *const n = a->count > 1 ? ifn_op_arg_find(op, "n_w") : NULL;
    const int64_t n_w = n ? ifn_arg_integer(n, args) : a->count;
    return n_w < 0 ? 0 : n_w < a->count ? (int)n_w : a->count;
}

static void show_weights(ifn_op op, ifn_args *args, host_lists *self)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0;
             s.args[i].kind == IFN_ARG_WEIGHT && k < host_lists_count(op, &s.args[i], &args->call);
             k++) {
            unsigned char *const field = args->room + s.args[i].offset + (size_t)k * sizeof(void *);
            const ifn_tensor *given, *own = &self->w[self->n_w];
            memcpy(&given, field, sizeof given);
            if (!given || self->n_w == IFN_LINEAR_MAX)
                continue;
            self->w[self->n_w++] = *given;
            memcpy(field, &own, sizeof own);
        }
}

/* The arguments of both ops with a cache that say where its rows are. `alone` is the span of a call without a list. */
typedef struct cache_lists {
    const ifn_span **spans;
    const int32_t *pages;
    int64_t n_spans, n_pages, page_rows, max_pos;
    ifn_span alone;
} cache_lists;

#define LISTS_OF(a)                                                                                \
    ((cache_lists){&(a)->spans,                                                                    \
                   (a)->pages,                                                                     \
                   (a)->n_spans,                                                                   \
                   (a)->n_pages,                                                                   \
                   (a)->page_rows,                                                                 \
                   (a)->max_pos,                                                                   \
                   {0, (a)->first_pos, (a)->rows}})

/* The entries of the table up to that of the last row of any span; the others may be in protected memory. */
static int64_t entries_of(const cache_lists *l)
{
    const int64_t extent = ifn_cache_extent(l->n_pages, l->page_rows, l->max_pos);
    const ifn_span *const spans = l->n_spans > 0 ? *l->spans : &l->alone;
    int64_t end = 0;
    for (int64_t i = 0; i < l->n_spans || i == 0; i++) {
        const ifn_span s = spans[i];
        if (ifn_span_fits(&s, extent) && s.rows > 0 && s.begin + s.first_pos + s.rows > end)
            end = s.begin + s.first_pos + s.rows;
    }
    return (end + l->page_rows - 1) / l->page_rows;
}

/* Calls that are to be refused may have no lists, or ones of negative lengths. */
static void show_lists(judge_run *r, const cache_lists *l, host_lists *self)
{
    conform_pool *const pool = &r->judge->pool;
    if (l->n_spans < 0 || (l->n_spans > 0 && !*l->spans))
        return;
    if (l->pages && l->page_rows > 0 && l->n_pages > 0) {
        self->n_pages = entries_of(l);
        self->pages = (int32_t *)(uintptr_t)l->pages;
        self->kept = conform_pool_take(pool, (size_t)self->n_pages + 1, sizeof *self->kept);
        memcpy(self->kept, l->pages, (size_t)self->n_pages * sizeof *self->kept);
    }
    if (l->n_spans == 0)
        return;
    self->n_spans = l->n_spans;
    self->spans = conform_pool_take(pool, (size_t)l->n_spans, sizeof *self->spans);
    memcpy(self->spans, *l->spans, (size_t)l->n_spans * sizeof *self->spans);
    *l->spans = self->spans;
}

void host_lists_show(judge_run *r, ifn_op op, ifn_args *args, host_lists *self)
{
    memset(self, 0, sizeof *self);
    show_weights(op, args, self);
    if (op == IFN_OP_KV_STORE)
        show_lists(r, &LISTS_OF(&args->kv_store), self);
    if (op == IFN_OP_ATTENTION)
        show_lists(r, &LISTS_OF(&args->attention), self);
}

void host_lists_spoil(host_lists *self)
{
    for (int i = 0; i < self->n_w; i++)
        self->w[i] = (ifn_tensor){.data = NULL};
    for (int64_t i = 0; i < self->n_spans; i++)
        self->spans[i] = (ifn_span){0, 0, 0};
    for (int64_t i = 0; i < self->n_pages; i++)
        self->pages[i] = 0;
}

void host_lists_mend(const host_lists *self)
{
    if (self->n_pages > 0)
        memcpy(self->pages, self->kept, (size_t)self->n_pages * sizeof *self->pages);
}
