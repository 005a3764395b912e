/* The loop that makes text: evaluate, choose, tell, again. */
#ifndef IFN_CLI_GENERATION_H
#define IFN_CLI_GENERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/inferno.h>

#include "metrics.h"
#include "session.h"

enum { GENERATION_NO_LIMIT = -1, GENERATION_RECENT = 64 /* the tokens that penalties look at */ };

/* How many tokens the context must hold, from what was asked for. */
typedef struct generation_size {
    int64_t max_pos; /* prompt and continuation together */
    int64_t n;       /* ids to generate at most */
    int cut;         /* 1: fewer than asked for, the context ends first */
    int beyond;      /* 1: more than the model was trained for */
} generation_size;

/**
 * trained   the context the model was trained for
 * asked     --ctx, or 0: a hard limit
 * n         ids asked for, or GENERATION_NO_LIMIT
 *
 * Without --ctx an n that was asked for may go beyond the trained context: rotary positions have no
 * hard end. Errors  IFN_ERR_ARGUMENT: an empty prompt, or one longer than the context
 */
ifn_status generation_fit(int64_t trained, int64_t asked, size_t n_prompt, int64_t n,
                          generation_size *out, ifn_error *err);

/* Warns of a size beyond what the model was trained for. */
void generation_note(const generation_size *size, int64_t trained, const char *program);

typedef enum generation_stop { STOP_END, STOP_LENGTH, STOP_CONTEXT, STOP_TEXT } generation_stop;

/* "end", "length", "context", "text" */
const char *generation_stop_name(generation_stop stop);

/* Hears of every id. What it returns, if not IFN_OK, ends the generation. */
typedef ifn_status (*generation_listener)(void *cookie, ifn_token id, float prob, ifn_error *err);

typedef struct generation_params {
    const ifn_token *prompt; /* begins with what the context has, which is not evaluated again */
    size_t n_prompt;
    generation_size size;
    ifn_sampling how;
    int64_t n_recent; /* of the latest ids: those that penalties apply to */
    int ignore_eos;
    generation_listener listener;
    bool (*is_over)(void *cookie); /* asked after each id; 1: STOP_TEXT; NULL: never */
    void *cookie;
    const session *session;            /* whose context and tokenizer are used */
    const ifn_context_params *context; /* what it was opened with */
} generation_params;

/*
 * An end token is told of as well, and is the last.
 * Errors  IFN_ERR_NUMERIC: logits that are not finite (not_finite.h)
 */
ifn_status generation_run(const generation_params *params, generation_stop *stop, metrics *times,
                          ifn_error *err);

/* Hears of the end of one of several; the cookie is that of its params. */
typedef ifn_status (*generation_end)(void *cookie, generation_stop stop, ifn_error *err);

/*
 * Several, of one session, in its context: as many at once as that has sequences, the next as soon
 * as one has ended. Each gets the ids that it gets alone, where the backend holds R10.
 */
ifn_status generation_run_all(const generation_params *params, size_t n, generation_end end,
                              ifn_error *err);

#endif
