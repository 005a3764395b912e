/* Chooses levels at run time and makes packed weights. This file uses no vector instructions. */
#include "simd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "op_table.h"
#include "simd_levels.h"
#include "slabs.h"

/* ifn_baseline_level, ifn_avx2_level, ... */
#define X(level) extern const ifn_simd_level ifn_##level##_level;
IFN_SIMD_LEVELS(X)
#undef X

/* Weakest first, NULL at the end: some processors have no level at all. */
static const ifn_simd_level *const levels[] = {
#define X(level) &ifn_##level##_level,
    IFN_SIMD_LEVELS(X) NULL,
#undef X
};

enum { ALIGNMENT = 64, SLAB_BLOCK = 256 << 10 /* blocks of so many bytes and more lie in slabs */ };

static int usable(const ifn_backend_env *env)
{
    return levels[0] && ifn_cpu_has(env->cpu, levels[0]->needs);
}

/* "simd=avx2" allows nothing beyond AVX2. If tile registers are allowed, asks the system for them. */
static uint64_t allowed_features(const ifn_backend_env *env)
{
    uint64_t mask;
    const uint64_t features = ifn_cpu_level_mask(env->options, &mask) ? env->cpu & mask : env->cpu;
    const bool is_refused = ifn_cpu_has(features, IFN_CPU_AMXTILE) && !ifn_cpu_ask_for_tiles();
    return is_refused ? features & ~IFN_CPU_AMXTILE : features;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    const uint64_t features = allowed_features(env);
    for (size_t i = 0; levels[i]; i++)
        if (ifn_cpu_has(features, levels[i]->needs))
            ifn_op_overlay(table, &levels[i]->ops);
}

/* "baseline, avx2"; truncated to `bytes`. */
static void list_levels(uint64_t features, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; levels[i]; i++) {
        if (!ifn_cpu_has(features, levels[i]->needs))
            continue;
        const int n = snprintf(out + used, bytes - used, "%s%s", used ? ", " : "", levels[i]->name);
        if (n < 0 || (size_t)n >= bytes - used)
            return;
        used += (size_t)n;
    }
}

/* NULL: a processor with these features has no such level. */
static const ifn_simd_level *level_named(const char *name, uint64_t features)
{
    for (size_t i = 0; levels[i]; i++)
        if (strcmp(levels[i]->name, name) == 0 && ifn_cpu_has(features, levels[i]->needs))
            return levels[i];
    return NULL;
}

/* Refuses an option that names no level of this processor, or one whose tile registers the system does not grant. */
static ifn_status check_level(const ifn_backend_env *env, ifn_error *err)
{
    if (!*env->options || level_named(env->options, allowed_features(env)))
        return IFN_OK;
    if (level_named(env->options, env->cpu))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "simd=%s: the system lends this process no tile registers", env->options);
    char names[120];
    list_levels(env->cpu, names, sizeof names);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "simd=%s: not a level of this processor; it has: %s",
                    env->options, names);
}

/* The backend's state is the slabs that hold packed weights. */
static ifn_status open_simd(void **state, const ifn_backend_env *env, ifn_error *err)
{
    IFN_TRY(check_level(env, err));
    *state = ifn_slabs_open(env->alloc);
    return *state ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "simd: no memory to open");
}

static void close_simd(void *state)
{
    ifn_slabs_close(state);
}

/* The level whose function runs `op`; NULL: the op is inherited. */
static const ifn_simd_level *level_of(const ifn_backend *self, ifn_op op)
{
    const ifn_simd_level *found = NULL;
    for (size_t i = 0; levels[i]; i++)
        if (ifn_op_same_slot(self->own_ops, &levels[i]->ops, op))
            found = levels[i];
    return found;
}

static int64_t granule(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    const ifn_simd_level *const level = level_of(self, op);
    return level && level->granule ? level->granule(op, axis, args) : 1;
}

static bool is_used(const ifn_backend *self, const ifn_simd_level *level)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (ifn_op_same_slot(self->own_ops, &level->ops, (ifn_op)op))
            return 1;
    return 0;
}

static size_t scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    size_t bytes = 0;
    for (size_t i = 0; levels[i]; i++) {
        if (!levels[i]->scratch_bytes || !is_used(self, levels[i]))
            continue;
        const size_t own = levels[i]->scratch_bytes(max);
        bytes = own > bytes ? own : bytes;
    }
    return bytes;
}

static const ifn_simd_packing *packing_of(const ifn_backend *self, ifn_op op, uint32_t uses)
{
    const ifn_simd_level *const level = level_of(self, op);
    if (!level)
        return NULL;
    if (op == IFN_OP_LINEAR)
        return uses & IFN_USE_LINEAR ? level->linear : NULL;
    return uses & IFN_USE_LINEAR_Q8 ? level->linear_q8 : NULL;
}

static size_t packed_bytes(const ifn_simd_packing *packing, const ifn_tensor *w, uint32_t uses)
{
    const size_t bytes = packing ? packing->bytes(w, uses) : 0;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    if (packed->bytes >= SLAB_BLOCK)
        ifn_slabs_give(self->state, packed->data);
    else if (packed->data)
        self->buffers->free(self->buffers->cookie, packed->data, packed->bytes);
    *packed = (ifn_packed){0};
}

/* The forms that a weight is packed in, which lie one after the other. */
typedef struct forms {
    const ifn_simd_packing *linear, *linear_q8; /* NULL: not in this form */
    size_t linear_bytes, bytes;
} forms;

static forms forms_of(const ifn_backend *self, const ifn_tensor *w, uint32_t uses)
{
    forms f = {.linear = packing_of(self, IFN_OP_LINEAR, uses),
               .linear_q8 = packing_of(self, IFN_OP_LINEAR_Q8, uses)};
    f.linear_bytes = packed_bytes(f.linear, w, uses);
    f.bytes = f.linear_bytes + packed_bytes(f.linear_q8, w, uses);
    f.linear = f.linear_bytes ? f.linear : NULL;
    f.linear_q8 = f.bytes > f.linear_bytes ? f.linear_q8 : NULL;
    return f;
}

/* Fills in a handle for forms that lie at `at`. */
static void make_handle(ifn_simd_weight *weight, const forms *f, const unsigned char *at,
                        uint32_t uses, ifn_packed *out)
{
    *weight = (ifn_simd_weight){0};
    if (f->linear) {
        weight->linear = weight->rows = at;
        weight->packing = f->linear;
        out->ops |= IFN_USE_LINEAR;
    }
    if (f->linear_q8) {
        weight->linear_q8 = weight->rows = at + f->linear_bytes;
        weight->packing = f->linear_q8;
        out->ops |= IFN_USE_LINEAR_Q8;
    }
    out->ops |= uses & IFN_USE_GATHER_ROWS;
    out->data = weight;
}

static ifn_status take_block(ifn_backend *self, size_t bytes, unsigned char **out, ifn_error *err)
{
    *out = bytes >= SLAB_BLOCK ? ifn_slabs_take(self->state, self->buffers, bytes)
                               : self->buffers->alloc(self->buffers->cookie, bytes, ALIGNMENT);
    return *out ? IFN_OK
                : ifn_fail(err, IFN_ERR_NOMEM, "simd: no memory to pack a weight in %zu bytes",
                           bytes);
}

/* Zeros fill the rest of the form's last cache line, so that the same weight has the same image. */
static void pack_form(const ifn_simd_packing *packing, const ifn_tensor *w, unsigned char *at,
                      size_t bytes)
{
    memset(at + bytes - ALIGNMENT, 0, ALIGNMENT);
    packing->pack(w, at);
}

/* Makes one allocation: the handle, padded to a cache line, then its packed forms. */
static ifn_status prepare_one(ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                              ifn_packed *out, ifn_error *err)
{
    const forms f = forms_of(self, w, uses);
    unsigned char *block;
    *out = (ifn_packed){0};
    if (f.bytes == 0)
        return IFN_OK;
    IFN_TRY(take_block(self, ALIGNMENT + f.bytes, &block, err));
    if (f.linear)
        pack_form(f.linear, w, block + ALIGNMENT, f.linear_bytes);
    if (f.linear_q8)
        pack_form(f.linear_q8, w, block + ALIGNMENT + f.linear_bytes, f.bytes - f.linear_bytes);
    make_handle((ifn_simd_weight *)(void *)block, &f, block + ALIGNMENT, uses, out);
    out->bytes = ALIGNMENT + f.bytes;
    return IFN_OK;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    for (int i = 0; i < n; i++) {
        const ifn_status status = prepare_one(self, w[i], uses, &out[i], err);
        if (status == IFN_OK)
            continue;
        while (i-- > 0)
            release(self, &out[i]);
        return status;
    }
    return IFN_OK;
}

/* Must go up whenever a level packs the same weight into other bytes: weights in cache files of other versions are then
 * packed again. The test backends/simd_layout has the hashes of this version. */
#define LAYOUT_VERSION 1

static const char *level_name(const ifn_backend *self, ifn_op op)
{
    return level_of(self, op)->name;
}

/* "simd/1 linear_q8=avx2 Q8_0" */
static void layout(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES])
{
    const forms f = forms_of(self, w, uses);
    out[0] = '\0';
    if (f.bytes == 0)
        return;
    const int n = snprintf(
        out, IFN_LAYOUT_BYTES, "simd/%d%s%s%s%s %s", LAYOUT_VERSION, f.linear ? " linear=" : "",
        f.linear ? level_name(self, IFN_OP_LINEAR) : "", f.linear_q8 ? " linear_q8=" : "",
        f.linear_q8 ? level_name(self, IFN_OP_LINEAR_Q8) : "", ifn_dtype_name(w->dtype));
    if (n < 0 || n >= IFN_LAYOUT_BYTES)
        out[0] = '\0';
}

static const void *image(ifn_backend *self, const ifn_packed *packed, size_t *bytes)
{
    (void)self;
    *bytes = packed->bytes - ALIGNMENT;
    return (const unsigned char *)packed->data + ALIGNMENT;
}

static ifn_status adopt(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *bytes,
                        size_t n, ifn_packed *out, ifn_error *err)
{
    const forms f = forms_of(self, w, uses);
    unsigned char *block;
    *out = (ifn_packed){0};
    if (n != f.bytes)
        return ifn_fail(err, IFN_ERR_SHAPE, "simd: %s: an image of %zu bytes, expected %zu",
                        w->name, n, f.bytes);
    IFN_TRY(take_block(self, ALIGNMENT, &block, err));
    make_handle((ifn_simd_weight *)(void *)block, &f, bytes, uses, out);
    out->bytes = ALIGNMENT;
    return IFN_OK;
}

/* R0 .. R10: see "One order" in simd.h. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
    .spans = 1,
    .pages = 1,
};

const ifn_backend_desc ifn_backend_simd = {
    IFN_BACKEND_STAMP,
    .name = "simd",
    .summary = "vector kernels, the best level this processor has; simd=LEVEL caps",
    .manifest = &manifest,
    .fill = fill,
    .usable = usable,
    .scratch_bytes = scratch_bytes,
    .granule = granule,
    .open = open_simd,
    .close = close_simd,
    .prepare = prepare,
    .release = release,
    .layout = layout,
    .image = image,
    .adopt = adopt,
};
