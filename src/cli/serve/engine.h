/* What answers requests, several at a time, each as `generate` would. */
#ifndef IFN_CLI_ENGINE_H
#define IFN_CLI_ENGINE_H

#include "company.h"
#include "queue.h"

/* Asked between steps, perhaps by a signal handler. */
typedef bool engine_is_asked(void);

typedef struct engine_answer engine_answer;

typedef struct engine {
    const served *model;
    engine_is_asked *is_cut;
    company company;
    engine_answer *answers; /* [room of the company] */
} engine;

/* Takes the context of the model: as many answers at a time as that has sequences. They are cut short
 * when `is_cut` says so. engine_close takes a half-opened one. */
ifn_status engine_open(engine *self, const served *model, engine_is_asked *is_cut, ifn_error *err);
/* Refuses what is not answered. */
void engine_close(engine *self);

bool engine_is_busy(const engine *self);
bool engine_has_room(const engine *self);

/* There is room. From here on the job is answered, step by step, until it is done or refused: then
 * it belongs to its connection. */
void engine_take(engine *self, job *one);
/* Advances all answers. An error is none of a single answer, and ends the work. */
ifn_status engine_step(engine *self, ifn_error *err);

/* Answers what comes into the queue, whose `wake` is posted when `is_ended` is to be asked. Once that
 * is so, those who wait are refused, and what is being answered is finished. */
ifn_status engine_run(engine *self, queue *requests, engine_is_asked *is_ended, ifn_error *err);

#endif
