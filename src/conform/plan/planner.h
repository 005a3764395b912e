/* Drawing the cases of one op: what all steps of the plan share. */
#ifndef CONFORM_PLANNER_H
#define CONFORM_PLANNER_H

#include <stdbool.h>

#include "plan.h"
#include "plan_cover.h"
#include "plan_sizes.h"
#include "reach.h"

/* What a profile affords: CONFORM_PROFILES. */
typedef struct plan_budget {
    int64_t n_cases, n_stratum, n_model, model_work, n_swept;
} plan_budget;

extern const plan_budget plan_budgets[PROFILE_COUNT];

/* A dtype of the op with raw or with prepared weights: each gets its share of the cases. */
typedef struct stratum {
    ifn_dtype dtype;
    int32_t prepared;
} stratum;

/* A regime, or a dtype of the output, that is not drawn; NULL: it is. */
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
    int n_weights, n_outs; /* --dtype: of weights, cache or table; of what is written; 0: all */
    ifn_dtype weights[SPEC_MAX_DTYPES], outs[SPEC_MAX_DTYPES];
    int n_strata;
    stratum strata[2 * SPEC_MAX_DTYPES];
    plan_dice dice;
    conform_cover cover;
    conform_reach reach; /* of the cases so far, whatever their shard, as if each had passed */
    conform_plan *plan;
    int64_t capacity;
    const plan_want *want; /* NULL: everything is drawn */
    int32_t n_of[2 * SPEC_MAX_DTYPES][SPEC_MAX_DTYPES][SPEC_MAX_REGIMES];
} planner;

/* Whether a list names the dtype; an empty one stands for all. */
int plan_names_dtype(const ifn_dtype *list, int n, ifn_dtype dtype);
int planner_is_wanted(const planner *p, ifn_dtype dtype);
/* A dtype is that of weights where they differ, else of what is written where that does. Returns 0
 * if something was asked for, and the op has none of it. */
int planner_split_filter(planner *p);
void planner_add_strata(planner *p);
IFN_NODISCARD ifn_status planner_find_dims(planner *p, ifn_error *err);
/* Adds a case to the plan and to what is counted of it. */
IFN_NODISCARD ifn_status planner_append(planner *p, const conform_case *c, ifn_error *err);
/* What else is drawn depends on the cases so far: those of other shards go when the plan is whole,
 * so that it is the same in each. */
void planner_keep_own(conform_plan *plan, const conform_filter *filter);
/* Case i of the stream. */
conform_case planner_blank(planner *p, const stratum *s, uint64_t i);
void planner_draw_rest(planner *p, conform_case *c);
/* The sizes; `model`: those of models. */
void planner_draw_sizes(planner *p, conform_case *c, int model);
/* Draws until the module has such a case and it is within the budget. Returns 0 if it never is. */
int planner_draw(planner *p, conform_case *c, int model);

#endif
