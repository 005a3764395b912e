/* A second call of the case's op, which meets the first one: on another lane, with tensors and numbers of its own. */
#ifndef CONFORM_JUDGE_SECOND_H
#define CONFORM_JUDGE_SECOND_H

#include "invoke.h"
#include "judge_run.h"

typedef struct judge_second {
    ifn_backend *backend; /* the backend of both calls */
    conform_op_fn entry;
    conform_call call;
    void *data[CONFORM_MAX_TENSORS];
    unsigned char *own[CONFORM_MAX_TENSORS];   /* the kept outputs of this call */
    unsigned char *first[CONFORM_MAX_TENSORS]; /* and of the first call */
    int64_t ns;                                /* how long this call takes alone */
} judge_second;

/* Binds the case's call anew. Returns false if it has two phases, which share a scratch. */
bool judge_second_start(judge_run *r);
/* Makes the second call from the bound first one, which gets a lane, too. Returns false if it cannot be bound. */
bool judge_second_make(judge_run *r, judge_second *s);
/* Opens the meeting of both (judge_meet.h). */
bool judge_second_meet(judge_second *s, int64_t wait_us);
/* Prefills the outputs of both calls. */
void judge_second_prefill(judge_run *r, judge_second *s);
/* Makes both calls, one after the other. Returns false if one of them was refused. */
bool judge_second_alone(judge_run *r, judge_second *s);
/* keep copies the current outputs of both calls; expect fails the case if the current outputs differ from these copies.
 * has_met: the second call has run, too. */
void judge_second_keep(judge_run *r, judge_second *s);
void judge_second_expect(judge_run *r, judge_second *s, conform_run run, bool has_met);

#endif
