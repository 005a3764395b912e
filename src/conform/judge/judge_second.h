/* Another call of the same op, on another lane, with tensors and numbers of its own: what meets the call of a case. */
#ifndef CONFORM_JUDGE_SECOND_H
#define CONFORM_JUDGE_SECOND_H

#include "invoke.h"
#include "judge_run.h"

typedef struct judge_second {
    ifn_backend *backend; /* of both calls */
    conform_op_fn entry;
    conform_call call;
    void *data[CONFORM_MAX_TENSORS];
    unsigned char *own[CONFORM_MAX_TENSORS];   /* what it gave when that was kept */
    unsigned char *first[CONFORM_MAX_TENSORS]; /* and what the first call gave */
    int64_t ns;                                /* how long it takes */
} judge_second;

/* The call of the case, bound anew. False where it has phases, which have a scratch between them. */
bool judge_second_start(judge_run *r);
/* Of the call as it is bound, which gets a lane, too. False where it cannot be bound. */
bool judge_second_make(judge_run *r, judge_second *s);
/* Opens the meeting of both (judge_meet.h). */
bool judge_second_meet(judge_second *s, int64_t wait_us);
/* The outputs of both calls. */
void judge_second_prefill(judge_run *r, judge_second *s);
/* Both calls, one after the other. False where one of them was refused. */
bool judge_second_alone(judge_run *r, judge_second *s);
/* What both have given now is kept; what they give now is that; has_met: the second has run, too. */
void judge_second_keep(judge_run *r, judge_second *s);
void judge_second_expect(judge_run *r, judge_second *s, conform_run run, bool has_met);

#endif
