#include "plan_reach.h"

#include <stdlib.h>

typedef struct collector {
    plan_holes *holes;
    bool has_no_memory;
} collector;

static void collect(void *cookie, const reach_hole *hole)
{
    collector *const to = cookie;
    plan_holes *const holes = to->holes;
    if (holes->n == holes->capacity) {
        const int capacity = holes->capacity ? 2 * holes->capacity : 64;
        reach_hole *const grown = realloc(holes->holes, (size_t)capacity * sizeof *grown);
        to->has_no_memory |= !grown;
        if (!grown)
            return;
        holes->holes = grown;
        holes->capacity = capacity;
    }
    holes->holes[holes->n++] = *hole;
}

ifn_status plan_holes_find(plan_holes *self, conform_reach *counted, const spec_op *spec,
                           conform_profile profile, ifn_error *err)
{
    collector to = {.holes = self};
    *self = (plan_holes){0};
    conform_reach_need(counted, spec, profile);
    conform_reach_missing(counted, collect, &to);
    if (!to.has_no_memory)
        return IFN_OK;
    plan_holes_close(self);
    return ifn_fail(err, IFN_ERR_NOMEM, "plan: no memory for what it lacks");
}

void plan_holes_close(plan_holes *self)
{
    free(self->holes);
    *self = (plan_holes){0};
}

static bool is_drawn(conform_tier tier, conform_family family)
{
    return tier != TIER_GOLDEN && tier != TIER_REFUSE && family != FAMILY_EVERY;
}

bool plan_can_aim(int class)
{
    int list, at;
    const reach_kind kind = reach_kind_of(class, &list, &at);
    if (kind == REACH_REGIMES)
        return is_drawn((conform_tier)(list / FAMILY_COUNT), (conform_family)(list % FAMILY_COUNT));
    return kind == REACH_OCTAVES || kind == REACH_RESIDUES || kind == REACH_OVERLAPS ||
           kind == REACH_FAR || kind == REACH_LARGE;
}

bool plan_is_large(int class)
{
    int list, at;
    const reach_kind kind = reach_kind_of(class, &list, &at);
    return kind == REACH_OCTAVES || kind == REACH_LARGE;
}

enum { TRIES = 64 };

/* An ordinary size, or one around the first multiples of 8, which may lie above the range of drawn sizes. */
static int64_t some_size(const spec_dim *dim, plan_dice *d)
{
    const int64_t size = 8 * plan_roll(d, 1, 4) + plan_roll(d, -1, 1);
    const bool is_one = size <= dim->limit && (dim->multiple < 2 || size % dim->multiple == 0);
    return is_one && plan_roll(d, 0, 1) ? size : plan_size(dim, 1, d);
}

static bool aim_at_residue(const spec_dim *dim, int64_t *size, int residue, plan_dice *d)
{
    for (int i = 0; i < TRIES && reach_residue(*size) != residue; i++)
        *size = some_size(dim, d);
    return reach_residue(*size) == residue;
}

static bool aim_at_residues(const plan_aimer *a, conform_case *c, int list, int at)
{
    int second = 1;
    while (reach_pair(0, second + 1) <= list)
        second++;
    const int first = list - reach_pair(0, second);
    return aim_at_residue(a->shape->dims[first], &c->dim[first], at / REACH_N_RESIDUES, a->dice) &&
           aim_at_residue(a->shape->dims[second], &c->dim[second], at % REACH_N_RESIDUES, a->dice);
}

/* Draws all dimensions anew, because what a profile affords depends on all of them. */
static bool aim_at_octave(const plan_aimer *a, conform_case *c, int dim, int octave)
{
    if (octave == 0) {
        c->dim[dim] = 0;
        return true;
    }
    plan_large_regime(a->spec, c, a->dice);
    return plan_octave_sizes(a->shape, a->profile, c, dim, octave - 1, a->dice);
}

/* Makes one of the dimensions large that can be. */
static bool aim_large(const plan_aimer *a, conform_case *c)
{
    for (int i = 0; i < TRIES; i++) {
        const int dim = (int)plan_roll(a->dice, 0, a->shape->n_dims - 1);
        if (a->shape->dims[dim]->limit >= 2 * REACH_LARGE_SIZE)
            return plan_large_sizes(a->shape, a->profile, c, dim, a->dice);
    }
    return false;
}

/* Looks for a seed that gives the case its far calls. */
static bool aim_far(const plan_aimer *a, conform_case *c, int class)
{
    return conform_far_make_due(c, class, a->dice->stream, &a->dice->next);
}

bool plan_aim(const plan_aimer *a, conform_case *c, const reach_hole *hole)
{
    int list, at;
    if (hole->key.out != REACH_ANY_DTYPE)
        c->out_dtype = (ifn_dtype)hole->key.out;
    switch (reach_kind_of(hole->class, &list, &at)) {
    case REACH_REGIMES:
        c->tier = (conform_tier)(list / FAMILY_COUNT);
        c->family = (conform_family)(list % FAMILY_COUNT);
        return true;
    case REACH_LARGE:
        c->tier = (conform_tier)(list / FAMILY_COUNT);
        c->family = (conform_family)(list % FAMILY_COUNT);
        return aim_large(a, c);
    case REACH_OCTAVES:
        return aim_at_octave(a, c, list, at);
    case REACH_RESIDUES:
        return aim_at_residues(a, c, list, at);
    case REACH_FAR:
        return aim_far(a, c, hole->class - REACH_FIRST_FAR);
    case REACH_OVERLAPS:
        c->alias = list + 1;
        return true;
    default:
        return false;
    }
}
