#include "variants.h"

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
    static const variant variant_of_##id = {order, lanes, fma, f64, seed};
VARIANTS(X)
#undef X

/* An op may not ask `self` who it is (ops are pure), so every variant has functions of its own:
 * reversed_matmul, ... */
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
    return variant_scratch_bytes(max);
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
