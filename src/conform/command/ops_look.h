/* Runs single cases of a run over ops alone: for --repeat, and to examine failures. */
#ifndef CONFORM_OPS_LOOK_H
#define CONFORM_OPS_LOOK_H

#include "ops_session.h"

/* Runs each case alone, as often as --repeat says, and notes how often it failed. */
ifn_status ops_look_repeat(ops_session *s, const conform_case *cases, int64_t n, ifn_error *err);

/* Examines some of the failures from `first` on: whether they recur, and what their smallest case is. */
ifn_status ops_look_into(ops_session *s, int64_t first, ifn_error *err);

#endif
