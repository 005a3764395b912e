/* A case that has passed, and the same call at a few other sizes: without guards and truth, beside scalar. */
#ifndef CONFORM_JUDGE_SIZES_H
#define CONFORM_JUDGE_SIZES_H

#include "judge_session.h"

/* The first of them that fails when it is judged as a case of its own is what the verdict is of. `judge` does that. */
typedef void judge_whole_case(conform_judge *self, const conform_slot *slot, conform_verdict *out);
void judge_other_sizes(conform_judge *self, const conform_slot *slot, judge_whole_case *judge,
                       conform_verdict *out);

#endif
