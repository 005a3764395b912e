/* A far call of whole tensors. judge_far_whole.c makes the call; judge_far_moved.c and judge_far_values.c fill its
 * tensors and check the output. */
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
    far_map maps[CONFORM_MAX_TENSORS]; /* at NULL: tensor i stays where the call at home has it */
    unsigned char *home[CONFORM_MAX_TENSORS];
    int out; /* index of the output; -1: the output is small */
    far_map scratch;
    int64_t winner; /* the index that argmax_with_prob must find */
} whole_trial;

/* Fills the own pieces of map i with words that depend on their offset; each is XORed with `flip`. */
void judge_far_fill(const whole_trial *t, int i, uint64_t flip);
/* Fills the output before the call; and the checks that bytes beside it still hold that fill. */
void judge_far_prefill(const whole_trial *t);
bool judge_far_is_inside(const far_map *map, size_t at);
unsigned char judge_far_before(const whole_trial *t, size_t at);
void judge_far_check_beside(const whole_trial *t, const far_piece *p);

/* Checks the output of an op that moves elements. */
void judge_far_check_moved(const whole_trial *t);

/* For an op that computes: fills the inputs with the elements of the case, over and over, and checks the output. */
void judge_far_fill_values(const whole_trial *t);
void judge_far_check_values(const whole_trial *t);

#endif
