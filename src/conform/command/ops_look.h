/* Cases of a run over ops that are run by themselves. */
#ifndef CONFORM_OPS_LOOK_H
#define CONFORM_OPS_LOOK_H

#include "ops_session.h"

/* Runs each of the cases by itself, over and over, and says how often it failed. */
ifn_status ops_look_repeat(ops_session *s, const conform_case *cases, int64_t n, ifn_error *err);

/* Looks into some of the failures from `first` on: do they recur, and what is the smallest case. */
ifn_status ops_look_into(ops_session *s, int64_t first, ifn_error *err);

#endif
