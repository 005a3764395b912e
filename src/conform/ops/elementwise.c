#include "elementwise.h"

#include <math.h>

#include "gen.h"

ifn_status conform_value_layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

static void fill_plain(const conform_case *c, const char *name, void *data, int64_t n)
{
    conform_fill_f32(c, name, OPERAND_PLAIN, 1, data, 1, n, n);
}

void conform_pair_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    fill_plain(c, "x", data[0], c->dim[0]);
    fill_plain(c, "y", data[1], c->dim[0]);
}

/* Where x * 0, x * 1 or x + 0 is taken for nothing to do, or signs are lost. */
static float seldom(uint64_t random)
{
    static const float values[] = {0.0f,      -0.0f,           1.0f,    -1.0f, -3.5f,
                                   0x1p-149f, 0x1.fffffep127f, INFINITY};
    return values[random % (sizeof values / sizeof *values)];
}

void conform_value_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    fill_plain(c, "x", data[0], c->dim[0]);
    fill_plain(c, "value", data[1], 1);
    if (c->family == FAMILY_SCALARS)
        *(float *)data[1] = seldom(conform_hash(c->seed, "value", 0));
}

int64_t conform_vector_work(const conform_case *c)
{
    return c->dim[0];
}

int64_t conform_matrix_work(const conform_case *c)
{
    return c->dim[0] * c->dim[1];
}
