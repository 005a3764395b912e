/* What is asked of a text that is to be made. Made alone: progression.h; with others: company.h. */
#ifndef IFN_CLI_GENERATION_H
#define IFN_CLI_GENERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/inferno.h>

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
    bool (*is_over)(void *cookie); /* asked after each id; 1: STOP_TEXT; NULL: never. Of several: of
                                    * one whose prompt comes in chunks before each chunk, too */
    void *cookie;
    const session *session;            /* whose context and tokenizer are used */
    const ifn_context_params *context; /* what it was opened with */
} generation_params;

#endif
