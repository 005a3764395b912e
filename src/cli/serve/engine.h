/* What answers requests, one after the other, as `generate` would. */
#ifndef IFN_CLI_ENGINE_H
#define IFN_CLI_ENGINE_H

#include "job.h"

/* 1: what is being answered is to be cut short. */
typedef bool engine_is_cut(void);

/* On return the job is done or refused, and belongs to its connection. */
void engine_answer(const served *model, job *one, engine_is_cut *is_cut);

#endif
