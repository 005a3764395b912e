#include "variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "variant_ops.h"

/* X(id, order, lanes, fma, f64, seed): the first seven change one thing each, the rest several. */
/* clang-format off */
#define VARIANTS(X)                                     \
    X(reversed,     ORDER_BACKWARD,  1, 0, 0, 0)        \
    X(pairwise,     ORDER_PAIRWISE,  1, 0, 0, 0)        \
    X(lanes4,       ORDER_FORWARD,   4, 0, 0, 0)        \
    X(lanes8,       ORDER_FORWARD,   8, 0, 0, 0)        \
    X(lanes16,      ORDER_FORWARD,  16, 0, 0, 0)        \
    X(fma,          ORDER_FORWARD,   1, 1, 0, 0)        \
    X(double,       ORDER_FORWARD,   1, 0, 1, 0)        \
    X(lanes8_fma,   ORDER_FORWARD,   8, 1, 0, 0)        \
    X(pairwise_fma, ORDER_PAIRWISE,  1, 1, 0, 0)        \
    X(reversed_fma, ORDER_BACKWARD,  1, 1, 0, 0)        \
    X(shuffled1,    ORDER_SHUFFLED,  1, 0, 0, 1)        \
    X(shuffled2,    ORDER_SHUFFLED,  1, 1, 0, 2)        \
    X(shuffled3,    ORDER_SHUFFLED,  4, 0, 0, 3)        \
    X(shuffled4,    ORDER_SHUFFLED, 16, 1, 0, 4)
/* clang-format on */

/* variant_of_reversed, ... */
#define X(id, order, lanes, fma, f64, seed)                                                        \
    static const variant variant_of_##id = {order, lanes, fma, f64, seed, NULL, 1, {0}};
VARIANTS(X)
#undef X

static const variant *const variants[] = {
#define X(id, order, lanes, fma, f64, seed) &variant_of_##id,
    VARIANTS(X)
#undef X
};

/* The ops of each variant: reversed_matmul, ... Ops are pure and may not read state from `self`, so every variant has
 * its own functions. */
#define OP(id, name)                                                                               \
    static ifn_status id##_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        (void)self;                                                                                \
        return variant_##name(&variant_of_##id, a);                                                \
    }
#define X(id, order, lanes, fma, f64, seed) VARIANT_OPS(OP, id)
VARIANTS(X)
#undef X
#undef OP

/* fill_reversed, ... */
#define SLOT(id, name) table->name = id##_##name;
#define X(id, order, lanes, fma, f64, seed)                                                        \
    static void fill_##id(ifn_op_table *table, const ifn_backend_env *env)                         \
    {                                                                                              \
        (void)env;                                                                                 \
        VARIANT_OPS(SLOT, id)                                                                      \
    }
VARIANTS(X)
#undef X
#undef SLOT

static size_t scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    return variant_scratch_bytes(&variant_of_reversed, max);
}

/* R0 .. R10: an order depends on the length of the sum and on nothing else. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
};

static const ifn_backend_desc descs[] = {
#define X(id, order, lanes, fma, f64, seed)                                                        \
    {IFN_BACKEND_STAMP,                                                                            \
     .name = #id,                                                                                  \
     .summary = "scalar with other roundings, for conformance",                                    \
     .manifest = &manifest,                                                                        \
     .fill = fill_##id,                                                                            \
     .scratch_bytes = scratch_bytes},
    VARIANTS(X)
#undef X
};

int conform_variant_count(void)
{
    return (int)(sizeof descs / sizeof *descs);
}

const ifn_backend_desc *conform_variant_desc(int index)
{
    return index >= 0 && index < conform_variant_count() ? &descs[index] : NULL;
}

const ifn_backend_desc *conform_variant_find(const char *name)
{
    for (int i = 0; i < conform_variant_count(); i++)
        if (strcmp(descs[i].name, name) == 0)
            return &descs[i];
    return NULL;
}

/* --- with declared arithmetic --- */

/* The state of a variant with declared arithmetic. No backend wraps this leaf, so its ops may read state from
 * `self`. */
typedef struct declared_state {
    variant v;
    conform_arithmetics declared;
} declared_state;

#define OP(id, name)                                                                               \
    static ifn_status id##_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        const declared_state *const state = self->state;                                           \
        return variant_##name(&state->v, a);                                                       \
    }
VARIANT_OPS(OP, declared)
#undef OP

static void fill_declared(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
#define SLOT(id, name) table->name = id##_##name;
    VARIANT_OPS(SLOT, declared)
#undef SLOT
}

static size_t declared_scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    const declared_state *const state = self->state;
    return variant_scratch_bytes(&state->v, max);
}

static ifn_status open_declared(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env;
    *state = calloc(1, sizeof(declared_state));
    return *state ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "out of memory");
}

static const ifn_backend_desc declared_desc = {
    IFN_BACKEND_STAMP,
    .name = "declared",
    .summary = "a variant in fewer bits, for conformance",
    .manifest = &manifest,
    .fill = fill_declared,
    .scratch_bytes = declared_scratch_bytes,
    .open = open_declared,
    .close = free,
};

/* The stretch of a variant, from 1 to 2: steps of the golden section keep any two apart. */
static double stretch_of(int index)
{
    const double turns = index * 0.6180339887498949;
    return exp2(turns - floor(turns));
}

ifn_status conform_variant_open(int index, const conform_arithmetics *declared,
                                const ifn_backend_options *options, ifn_backend **out,
                                ifn_error *err)
{
    const ifn_backend_desc *const plain = conform_variant_desc(index);
    const bool is_plain = !declared || conform_arithmetics_are_plain(declared);
    if (index < 0 || (is_plain && !plain))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "variant %d, expected 0 to %d", index,
                        conform_variant_count() - 1);
    IFN_TRY(
        ifn_backend_open_desc(is_plain ? plain : &declared_desc, NULL, NULL, options, out, err));
    if (is_plain)
        return IFN_OK;
    declared_state *const state = (*out)->state;
    state->declared = *declared;
    state->v = *variants[index % conform_variant_count()];
    state->v.declared = &state->declared;
    state->v.stretch = stretch_of(index);
    return IFN_OK;
}
