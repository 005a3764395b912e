/* Plans cases in every octave of every dimension, and every regime at the sizes of models. */
#ifndef CONFORM_PLAN_OCTAVES_H
#define CONFORM_PLAN_OCTAVES_H

#include "planner.h"

/* Adds one case in every octave, then another in every octave, until there are enough or the time is used up. */
IFN_NODISCARD ifn_status planner_add_large(planner *p, ifn_error *err);

#endif
