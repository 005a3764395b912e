/* A far call of whole tensors: judge_far_whole.c makes it, the others say what its tensors hold and what
 * they must hold after. */
#ifndef CONFORM_JUDGE_FAR_WHOLE_H
#define CONFORM_JUDGE_FAR_WHOLE_H

#include "far_pieces.h"
#include "far_whole.h"
#include "judge_far.h"

typedef struct whole_trial {
    judge_run *r;
    const far_whole *op;
    far_size size;
    conform_case c;
    conform_layout layout;
    far_map maps[CONFORM_MAX_TENSORS]; /* at NULL: it is where the call at home has it */
    unsigned char *home[CONFORM_MAX_TENSORS];
    int out; /* the one that is written; -1: it is small */
    far_map scratch;
    int64_t winner; /* of argmax_with_prob */
} whole_trial;

/* Words that depend on where they are, in the own pieces of map i; `flip` turns bits of all. */
void judge_far_fill(const whole_trial *t, int i, uint64_t flip);
/* The output before the call, and whether what lies beside it is still like that. */
void judge_far_prefill(const whole_trial *t);
bool judge_far_is_inside(const far_map *map, size_t at);
unsigned char judge_far_before(const whole_trial *t, size_t at);
void judge_far_check_beside(const whole_trial *t, const far_piece *p);

/* Of an op that moves. */
void judge_far_check_moved(const whole_trial *t);

/* Of one that computes: the elements of the case, over and over. */
void judge_far_fill_values(const whole_trial *t);
void judge_far_check_values(const whole_trial *t);

#endif
