/* Cases for classes of the certificate (reach.h) that what is drawn at random has not reached. */
#ifndef CONFORM_PLAN_REACH_H
#define CONFORM_PLAN_REACH_H

#include "plan_large.h"
#include "reach.h"

/* Every promise that the cases counted so far do not keep. */
typedef struct plan_holes {
    int n, capacity;
    reach_hole *holes; /* owned */
} plan_holes;

IFN_NODISCARD ifn_status plan_holes_find(plan_holes *self, conform_reach *counted,
                                         const spec_op *spec, conform_profile profile,
                                         ifn_error *err);
void plan_holes_close(plan_holes *self);

/* Whether cases are made for a class: not for relations, addresses and pieces, which are of any. */
bool plan_can_aim(int class);

/* Whether its cases are as large as a profile affords, and not as most cases are. */
bool plan_is_large(int class);

typedef struct plan_aimer {
    const spec_op *spec;
    const plan_shape *shape;
    conform_profile profile;
    plan_dice *dice;
} plan_aimer;

/* Changes a case that was drawn so that it closes the hole. False: chance was against it. */
bool plan_aim(const plan_aimer *a, conform_case *c, const reach_hole *hole);

#endif
