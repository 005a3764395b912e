/* Makes cases for classes of the certificate (reach.h) that the random cases have not reached. */
#ifndef CONFORM_PLAN_REACH_H
#define CONFORM_PLAN_REACH_H

#include "plan_large.h"
#include "reach.h"

/* Every class with fewer cases so far than the profile promises. */
typedef struct plan_holes {
    int n, capacity;
    reach_hole *holes; /* owned */
} plan_holes;

IFN_NODISCARD ifn_status plan_holes_find(plan_holes *self, conform_reach *counted,
                                         const spec_op *spec, conform_profile profile,
                                         ifn_error *err);
void plan_holes_close(plan_holes *self);

/* True if a case can be made for the class. False for relations, addresses, parts and threads, which any case may have,
 * and for regimes that are not drawn. */
bool plan_can_aim(int class);

/* True if cases of the class may be as large as the profile affords for one case, beyond the limits of most cases. */
bool plan_is_large(int class);

typedef struct plan_aimer {
    const spec_op *spec;
    const plan_shape *shape;
    conform_profile profile;
    plan_dice *dice;
} plan_aimer;

/* Changes a drawn case so that it falls into the class of the hole. False: the draws did not succeed. */
bool plan_aim(const plan_aimer *a, conform_case *c, const reach_hole *hole);

#endif
