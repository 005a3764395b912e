/* The planner of one op: the state and the draws that all steps of the plan share. */
#ifndef CONFORM_PLANNER_H
#define CONFORM_PLANNER_H

#include <stdbool.h>

#include "plan.h"
#include "plan_cover.h"
#include "plan_sizes.h"
#include "reach.h"

/* The limits of a profile: CONFORM_PROFILES. */
typedef struct plan_budget {
    int64_t n_cases, n_stratum, n_model, model_work, n_swept;
} plan_budget;

extern const plan_budget plan_budgets[PROFILE_COUNT];

/* A dtype of the op with raw or with prepared weights; each stratum gets its share of the cases. */
typedef struct stratum {
    ifn_dtype dtype;
    int32_t prepared;
} stratum;

/* A fixed regime or output dtype for the cases to come; a member that is NULL is drawn. */
typedef struct plan_want {
    const spec_regime *regime;
    const ifn_dtype *out;
} plan_want;

typedef struct planner {
    const conform_module *module;
    const spec_op *spec;
    const conform_filter *filter;
    const spec_dim *dims[CONFORM_MAX_DIMS]; /* in the module's order */
    int n_dims, n_aliases;
    int n_weights, n_outs; /* --dtype: dtypes of weights, cache or table; of the output; 0: all */
    ifn_dtype weights[SPEC_MAX_DTYPES], outs[SPEC_MAX_DTYPES];
    int n_strata;
    stratum strata[2 * SPEC_MAX_DTYPES];
    plan_dice dice;
    conform_cover cover;
    conform_reach reach; /* classes of the cases so far, of all shards, as if each had passed */
    conform_plan *plan;
    int64_t capacity;
    const plan_want *want; /* NULL: everything is drawn */
    int32_t n_of[2 * SPEC_MAX_DTYPES][SPEC_MAX_DTYPES][SPEC_MAX_REGIMES];
} planner;

/* 1 if the list names the dtype; an empty list stands for all. */
int plan_names_dtype(const ifn_dtype *list, int n, ifn_dtype dtype);
int planner_is_wanted(const planner *p, ifn_dtype dtype);
/* Splits the dtypes of --dtype: one that the op's weights can have, if these vary, selects weights; else one that its
 * output can have selects outputs. Returns 0 if the filter names dtypes and the op has none of them. */
int planner_split_filter(planner *p);
void planner_add_strata(planner *p);
IFN_NODISCARD ifn_status planner_find_dims(planner *p, ifn_error *err);
/* Adds a case to the plan and to its counts: triples, regimes, classes. */
IFN_NODISCARD ifn_status planner_append(planner *p, const conform_case *c, ifn_error *err);
/* Removes the cases of other shards. Later draws depend on earlier cases, so the planner calls this when the plan is
 * whole: every shard draws the same plan. */
void planner_keep_own(conform_plan *plan, const conform_filter *filter);
/* Starts case i of the stream: op, dtype, form, seed and tier. */
conform_case planner_blank(planner *p, const stratum *s, uint64_t i);
void planner_draw_rest(planner *p, conform_case *c);
/* Draws the sizes; `model`: those of models. */
void planner_draw_sizes(planner *p, conform_case *c, int model);
/* Draws until the module has such a case and it is within the budget. Returns 0 if all draws fail. */
int planner_draw(planner *p, conform_case *c, int model);

#endif
