/* Tries the call of a case that has passed at a few other sizes, without guards and truth, against scalar. */
#ifndef CONFORM_JUDGE_SIZES_H
#define CONFORM_JUDGE_SIZES_H

#include "judge_session.h"

/* A size that looks wrong is judged by `judge` as a case of its own. The verdict is that of the first one that
 * fails. */
typedef void judge_whole_case(conform_judge *self, const conform_slot *slot, conform_verdict *out);
void judge_other_sizes(conform_judge *self, const conform_slot *slot, judge_whole_case *judge,
                       conform_verdict *out);

#endif
