#include "plan_mixed.h"

#include <stdbool.h>

#include "linear_tensors.h"

enum { WHOLE_ROW = 256, ROWS = 3, FEATURES = 9, PAD = 3, AFTER = IFN_LINEAR_MAX - 1, THIRDS = 2 };

static bool is_alike(ifn_dtype a, ifn_dtype b)
{
    return ifn_dtype_row_bytes(a, WHOLE_ROW) == ifn_dtype_row_bytes(b, WHOLE_ROW);
}

/* Chooses the dtypes after the first, as many as a call holds, from spec dtype *from on; advances *from. Returns their
 * number. */
static int draw_after(const planner *p, ifn_dtype first, int *from, ifn_dtype out[AFTER])
{
    int n = 0;
    while (*from < p->spec->n_dtypes && n < AFTER) {
        const ifn_dtype other = p->spec->dtypes[(*from)++];
        if (other != first && planner_is_wanted(p, other) &&
            (p->filter->profile > PROFILE_SMOKE || is_alike(first, other)))
            out[n++] = other;
    }
    return n;
}

static void size(planner *p, conform_case *c)
{
    c->dim[LINEAR_ROWS] = plan_roll(&p->dice, 1, ROWS);
    c->dim[LINEAR_N] = plan_roll(&p->dice, AFTER + 1, FEATURES);
    c->dim[LINEAR_K] = WHOLE_ROW * plan_roll(&p->dice, 1, 2);
    c->dim[LINEAR_N_W] = c->n_more + 1;
    c->dim[LINEAR_PAD] = plan_roll(&p->dice, 0, PAD);
    c->dim[LINEAR_BIAS] = plan_roll(&p->dice, 0, 1);
}

static ifn_status add_after(planner *p, const stratum *s, ifn_error *err)
{
    ifn_dtype after[AFTER];
    int from = 0, n;
    while ((n = draw_after(p, s->dtype, &from, after)) > 0) {
        conform_case c = planner_blank(p, s, p->dice.next++);
        planner_draw_rest(p, &c);
        c.n_more = 0;
        while (c.n_more < n) {
            c.more[c.n_more] = after[c.n_more];
            c.n_more++;
        }
        size(p, &c);
        IFN_TRY(planner_append(p, &c, err));
    }
    return IFN_OK;
}

/* Draws another dtype. Half of the time it is one with rows of the same bytes, if there is one, as a backend may take
 * F16 for BF16. */
static ifn_dtype draw_other(planner *p, ifn_dtype first)
{
    const int n = p->spec->n_dtypes, from = (int)plan_roll(&p->dice, 0, n - 1);
    const bool looks_alike = plan_roll(&p->dice, 0, 1) == 1;
    for (int i = 0; looks_alike && i < n; i++) {
        const ifn_dtype other = p->spec->dtypes[(from + i) % n];
        if (other != first && is_alike(other, first))
            return other;
    }
    return p->spec->dtypes[from];
}

/* Adds a call in which the first dtype comes two or three times before another one. It finds backends that decide by
 * the first weight only, or stop comparing before the last. */
static ifn_status add_third(planner *p, const stratum *s, ifn_error *err)
{
    const ifn_dtype other = draw_other(p, s->dtype);
    conform_case c = planner_blank(p, s, p->dice.next++);
    if (other == s->dtype || !planner_is_wanted(p, other))
        return IFN_OK;
    planner_draw_rest(p, &c);
    c.n_more = (int)plan_roll(&p->dice, 2, AFTER);
    for (int i = 0; i < c.n_more; i++)
        c.more[i] = i + 1 < c.n_more ? s->dtype : other;
    size(p, &c);
    return planner_append(p, &c, err);
}

ifn_status planner_add_mixed(planner *p, ifn_error *err)
{
    const ifn_op op = p->spec->op;
    const plan_dice dice = p->dice;
    ifn_status status = IFN_OK;
    if ((op != IFN_OP_LINEAR && op != IFN_OP_LINEAR_Q8) || p->n_weights == 1)
        return IFN_OK;
    p->dice = (plan_dice){.stream = conform_stream_of(dice.stream.key, "mixed")};
    for (int i = 0; status == IFN_OK && i < p->n_strata; i++)
        status = add_after(p, &p->strata[i], err);
    for (int i = 0; status == IFN_OK && i < THIRDS * p->n_strata; i++)
        status = add_third(p, &p->strata[i % p->n_strata], err);
    p->dice = dice;
    return status;
}
