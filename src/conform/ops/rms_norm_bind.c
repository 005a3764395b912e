/* rms_norm: root-mean-square normalisation, with an optional residual sum before it */
#include <math.h>
#include <stdbool.h>

#include "activations.h"
#include "gen.h"

/* residual  0: x alone; 1: x + add; 2: x + add, which goes to sum as well; 3: x, which goes to sum
 * eps       0: none; n: 10^-n */
enum { ROWS, DIM, RESIDUAL, EPS };
enum { ALIAS_NONE, ALIAS_OUT_X, ALIAS_SUM_X, ALIAS_SUM_ADD };

static bool has_add(const conform_case *c)
{
    return c->dim[RESIDUAL] == 1 || c->dim[RESIDUAL] == 2;
}

static bool has_sum(const conform_case *c)
{
    return c->dim[RESIDUAL] >= 2;
}

static int alias_fits(const conform_case *c)
{
    if (c->alias == ALIAS_OUT_X)
        return c->out_dtype == IFN_DTYPE_F32;
    if (c->alias == ALIAS_SUM_X)
        return has_sum(c);
    return c->alias != ALIAS_SUM_ADD || c->dim[RESIDUAL] == 2;
}

static void add_if(conform_layout *l, int present, const char *name, conform_role role,
                   const conform_case *c)
{
    if (present)
        conform_add_f32(l, name, role, c->dim[ROWS], c->dim[DIM]);
    else
        conform_add_absent(l, name);
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[DIM] < 1 || !alias_fits(c))
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[ROWS], c->dim[DIM]);
    conform_add_f32(out, "weight", ROLE_IN, 1, c->dim[DIM]);
    add_if(out, has_add(c), "add", ROLE_IN, c);
    add_if(out, has_sum(c), "sum", ROLE_OUT, c);
    return conform_add_activations(out, c->out_dtype, c->dim[ROWS], c->dim[DIM]);
}

/* T0: a lattice on which s^2 adds up exactly, whatever the family; the residual doubles it. */
static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[ROWS], dim = c->dim[DIM];
    const int64_t k = has_add(c) ? 4 * dim : dim;
    conform_case inputs = *c, weight = *c;
    (void)l;
    inputs.family = c->tier == TIER_T0 ? FAMILY_LATTICE : c->family;
    weight.family = c->tier == TIER_T0 ? FAMILY_NORMAL : c->family;
    conform_fill_f32(&inputs, "x", OPERAND_A, k, data[0], rows, dim, dim);
    conform_fill_f32(&weight, "weight", OPERAND_WEIGHT, dim, data[1], 1, dim, dim);
    if (has_add(c))
        conform_fill_f32(&inputs, "add", OPERAND_A, k, data[2], rows, dim, dim);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    (void)data;
    call->args.rms_norm.eps = c->dim[EPS] ? (float)pow(10.0, -(double)c->dim[EPS]) : 0.0f;
}

static int64_t work(const conform_case *c)
{
    return c->dim[ROWS] * c->dim[DIM];
}

const conform_module conform_module_rms_norm = {
    .op = IFN_OP_RMS_NORM,
    .dim_names = {"rows", "dim", "residual", "eps"},
    .block_dim = "dim",
    .aliases = {"out=x", "sum=x", "sum=add"},
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_rms_norm,
    .work = work,
};
