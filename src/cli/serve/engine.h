/* Answers requests, several at a time, each with the same text as `generate`. */
#ifndef IFN_CLI_ENGINE_H
#define IFN_CLI_ENGINE_H

#include "company.h"
#include "queue.h"

/* A question asked between steps; a signal handler may ask it, too. */
typedef bool engine_is_asked(void);

typedef struct engine_answer engine_answer;

typedef struct engine {
    const served *model;
    engine_is_asked *is_cut;
    company company;
    engine_answer *answers; /* [room of the company] */
} engine;

/* Takes over the context of the model and answers as many requests at a time as it has sequences. Answers are cut short
 * when `is_cut` returns true. engine_close also closes a half-opened engine. */
ifn_status engine_open(engine *self, const served *model, engine_is_asked *is_cut, ifn_error *err);
/* Refuses requests that are not answered yet. */
void engine_close(engine *self);

bool engine_is_busy(const engine *self);
bool engine_has_room(const engine *self);

/* Takes a job; there must be room. The engine answers it step by step. Once it is done or refused, it belongs to its
 * connection. */
void engine_take(engine *self, job *one);
/* Advances all answers by one step. An error concerns all answers and ends the engine. */
ifn_status engine_step(engine *self, ifn_error *err);

/* Answers jobs from the queue until `is_ended` returns true; post the queue's `wake` to have it asked. Then waiting
 * jobs are refused, and running answers are finished. */
ifn_status engine_run(engine *self, queue *requests, engine_is_asked *is_ended, ifn_error *err);

#endif
