/*
 * The bug museum: a backend with one wrong op, modelled on a bug of a public kernel. The option selects
 * the fault, the expression its base: ./museum.so=odd_block_dropped:simd
 */
#include "museum_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/spans.h>

#include "fault_names.h"

/* fill_copied_accumulator, ... */
#define X(name, op, killer, text, source)                                                          \
    static void fill_##name(ifn_op_table *table)                                                   \
    {                                                                                              \
        table->op = museum_##name;                                                                 \
    }
MUSEUM_CHOICES(X)
#undef X

#define X(name, op, killer, text, source) MUSEUM_##name,
enum {
    MUSEUM_CHOICES(X) N_CHOICES,
    N_FAULTS = MUSEUM_untouched_products /* the first choice that is not a fault */
};
#undef X

static void (*const fills[])(ifn_op_table *table) = {
#define X(name, op, killer, text, source) fill_##name,
    MUSEUM_CHOICES(X)
#undef X
};

static const conform_museum_fault choices[] = {
#define X(name, op, killer, text, source) {#name, #op, killer, text, source, 0},
    MUSEUM_EARLIER(X) MUSEUM_CLASSES(X)
#undef X
#define X(name, op, killer, text, source) {#name, #op, killer, text, source, 2026},
        MUSEUM_2026(X)
#undef X
#define X(name, op, killer, text, source) {#name, #op, killer, text, source, 0},
            MUSEUM_UNTOUCHED(X)
#undef X
};

const conform_museum *ifn_museum(void)
{
    static const conform_museum museum = {sizeof(conform_museum_fault), N_FAULTS, choices};
    return &museum;
}

static int find_choice(const ifn_backend_env *env)
{
    static const conform_museum all = {sizeof(conform_museum_fault), N_CHOICES, choices};
    return fault_find(&all, env->options);
}

/* True for the faults that read the block tables of several sequences. */
static int knows_tables(int fault)
{
    return fault == MUSEUM_kv_table_of_the_first_span || fault == MUSEUM_page_put_back ||
           fault == MUSEUM_pages_of_each_span_in_turn;
}

/* True for the faults that handle a cache in pages themselves; the others get a copy without pages. */
static int knows_pages(int fault)
{
    return fault == MUSEUM_pages_in_pairs || fault == MUSEUM_pages_of_sixteen_apart ||
           fault == MUSEUM_last_page_read_whole || fault == MUSEUM_chunk_in_one_page ||
           fault == MUSEUM_page_number_in_16_bits || fault == MUSEUM_untouched_pages ||
           fault == MUSEUM_table_as_long_as_the_cache ||
           fault == MUSEUM_pages_before_not_looked_at || knows_tables(fault);
}

/* True for the faults that handle spans themselves; the others get one sequence at a time. */
static int knows_spans(int fault)
{
    return fault == MUSEUM_rounded_by_company || fault == MUSEUM_sequences_after_eight ||
           fault == MUSEUM_slot_of_the_one_before || fault == MUSEUM_partials_of_many_spans;
}

static ifn_op_table ops_of(const ifn_backend *self)
{
    ifn_op_table own = {0};
    fills[*(const int *)self->state](&own);
    return own;
}

static ifn_status attention_of_one(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_op_table own = ops_of(self);
    return knows_pages(*(const int *)self->state)
               ? own.attention(self, a)
               : museum_attention_unpaged(self, a, own.attention);
}

static ifn_status kv_store_of_one(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_op_table own = ops_of(self);
    return knows_pages(*(const int *)self->state) ? own.kv_store(self, a)
                                                  : museum_kv_store_unpaged(self, a, own.kv_store);
}

static ifn_status attention_by_spans(ifn_backend *self, const ifn_attention_args *a)
{
    if (knows_spans(*(const int *)self->state) && a->page_rows == 0)
        return ops_of(self).attention(self, a);
    return a->n_spans == 0 ? attention_of_one(self, a)
                           : ifn_attention_by_spans(self, a, attention_of_one);
}

static ifn_status kv_store_by_spans(ifn_backend *self, const ifn_kv_store_args *a)
{
    const int fault = *(const int *)self->state;
    if (knows_tables(fault) || (knows_spans(fault) && a->page_rows == 0))
        return ops_of(self).kv_store(self, a);
    return a->n_spans == 0 ? kv_store_of_one(self, a)
                           : ifn_kv_store_by_spans(self, a, kv_store_of_one);
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    const int i = find_choice(env);
    if (i < 0)
        return;
    fills[i](table);
    if (strcmp(choices[i].op, "attention") == 0)
        table->attention = attention_by_spans;
    if (strcmp(choices[i].op, "kv_store") == 0)
        table->kv_store = kv_store_by_spans;
}

/* The state is the index of the choice. */
static ifn_status open_fault(void **state, const ifn_backend_env *env, ifn_error *err)
{
    const int i = find_choice(env);
    if (i < 0)
        return fault_refuse(ifn_museum(), "museum", env->options, err);
    int *const chosen = malloc(sizeof *chosen);
    if (!chosen)
        return IFN_ERR_NOMEM;
    *chosen = i;
    *state = chosen;
    return IFN_OK;
}

/* Stores one float per block, in pairs: if their number is odd, the last pair writes one past the end. */
static ifn_status pack_in_pairs(ifn_backend *self, const ifn_tensor *w, ifn_packed *out)
{
    const int64_t elements = museum_block_elements(w->dtype);
    const int64_t n = elements ? w->shape[0] * (w->shape[1] / elements) : 0;
    const size_t bytes = (size_t)n * sizeof(float);
    if (n < 1)
        return IFN_OK;
    float *const packed = self->buffers->alloc(self->buffers->cookie, bytes, sizeof(float));
    if (!packed)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < n; i += 2)
        packed[i] = packed[i + 1] = 1.0f;
    *out = (ifn_packed){.data = packed, .bytes = bytes, .ops = IFN_USE_LINEAR_Q8};
    return IFN_OK;
}

/* Makes a handle that no op reads; a weight that occurs twice gets the same handle twice. */
static ifn_status pack_once(ifn_backend *self, const ifn_tensor *const *w, int i, ifn_packed *out)
{
    for (int j = 0; j < i; j++)
        if (w[j] == w[i]) {
            out[i] = out[j];
            return IFN_OK;
        }
    void *const packed = self->buffers->alloc(self->buffers->cookie, 64, 64);
    out[i] = (ifn_packed){.data = packed, .bytes = 64, .ops = IFN_USE_LINEAR};
    return packed ? IFN_OK : IFN_ERR_NOMEM;
}

/* Gives back the first n handles of a prepare that has failed, each once. */
static ifn_status undo(ifn_backend *self, const ifn_packed *out, int n)
{
    for (int i = 0; i < n; i++) {
        int first = 0;
        while (out[first].data != out[i].data)
            first++;
        if (first == i)
            self->buffers->free(self->buffers->cookie, out[i].data, out[i].bytes);
    }
    return IFN_ERR_NOMEM;
}

/* Handles hold no weights: the ops read the raw weight, and use a handle only as a sign that it was prepared. */
static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    const int fault = *(const int *)self->state;
    static char handle;
    for (int i = 0; i < n; i++) {
        out[i] = (ifn_packed){0};
        if (fault == MUSEUM_prepare_in_eights && w[i]->shape[0] % 8) {
            if (err)
                snprintf(err->text, sizeof err->text, "museum: %lld rows, expected eights",
                         (long long)w[i]->shape[0]);
            return IFN_ERR_SHAPE;
        }
        if (fault == MUSEUM_prepared_scale_bf16 && uses & IFN_USE_LINEAR_Q8)
            out[i] = (ifn_packed){.data = &handle, .bytes = 1, .ops = IFN_USE_LINEAR_Q8};
        if (fault == MUSEUM_one_handle_for_both && pack_once(self, w, i, out) != IFN_OK)
            return undo(self, out, i);
        if (fault == MUSEUM_packed_in_pairs && pack_in_pairs(self, w[i], &out[i]) != IFN_OK)
            return undo(self, out, i);
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    const int fault = *(const int *)self->state;
    if (fault == MUSEUM_packed_in_pairs || fault == MUSEUM_one_handle_for_both)
        self->buffers->free(self->buffers->cookie, packed->data, packed->bytes);
}

/* Some faults read their scratch. */
static size_t scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    (void)max;
    return 64;
}

/* Declares all invariances, so that a fault that breaks one breaks a promise. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
    .spans = 1,
    .pages = 1,
    .arithmetic = museum_arithmetic,
};

IFN_BACKEND_ENTRY(.name = "museum", .summary = "one fault, chosen by option: for conform --museum",
                  .manifest = &manifest, .fill = fill, .open = open_fault, .close = free,
                  .scratch_bytes = scratch_bytes, .prepare = prepare, .release = release)
