/* Cases in every octave of every dimension, and every regime at the sizes of models. */
#ifndef CONFORM_PLAN_OCTAVES_H
#define CONFORM_PLAN_OCTAVES_H

#include "planner.h"

/* Every octave gets one case, then every octave another, until there are enough or time is up. */
IFN_NODISCARD ifn_status planner_add_large(planner *p, ifn_error *err);

#endif
