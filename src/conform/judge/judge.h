/*
 * Judges one backend on one slot: every placement, both prefills, parts, aliasing, registers, and
 * the comparison with the truth. Runs in the worker process, or in the only one with --in-process.
 */
#ifndef CONFORM_JUDGE_H
#define CONFORM_JUDGE_H

#include "judge_session.h"

void conform_judge_case(conform_judge *self, const conform_slot *slot, conform_verdict *out);

#endif
