/* Parameters of a text to generate. progression.h generates it alone, company.h together with others. */
#ifndef IFN_CLI_GENERATION_H
#define IFN_CLI_GENERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/inferno.h>

#include "session.h"

enum { GENERATION_NO_LIMIT = -1, GENERATION_RECENT = 64 /* the tokens that penalties look at */ };

/* The size of a generation, computed by generation_fit. */
typedef struct generation_size {
    int64_t max_pos; /* prompt and continuation together */
    int64_t n;       /* ids to generate at most */
    int cut;         /* 1: n is less than asked for, as the context ends first */
    int beyond;      /* 1: max_pos exceeds the context the model was trained for */
} generation_size;

/**
 * trained   the context the model was trained for
 * asked     --ctx, or 0: a hard limit
 * n         ids asked for, or GENERATION_NO_LIMIT
 *
 * Without --ctx, an n that was asked for may exceed the trained context, as rotary positions have no hard limit.
 * Errors  IFN_ERR_ARGUMENT: an empty prompt, or one longer than the context
 */
ifn_status generation_fit(int64_t trained, int64_t asked, size_t n_prompt, int64_t n,
                          generation_size *out, ifn_error *err);

/* Warns of a size beyond what the model was trained for. */
void generation_note(const generation_size *size, int64_t trained, const char *program);

typedef enum generation_stop { STOP_END, STOP_LENGTH, STOP_CONTEXT, STOP_TEXT } generation_stop;

/* Returns "end", "length", "context" or "text". */
const char *generation_stop_name(generation_stop stop);

/* Called for every id. A return value other than IFN_OK ends the generation. */
typedef ifn_status (*generation_listener)(void *cookie, ifn_token id, float prob, ifn_error *err);

typedef struct generation_params {
    const ifn_token *prompt; /* ids already in the context at its start are not evaluated again */
    size_t n_prompt;
    generation_size size;
    ifn_sampling how;
    int64_t n_recent; /* penalties apply to so many latest ids */
    int ignore_eos;
    generation_listener listener;
    bool (*is_over)(void *cookie); /* called after each id; true: STOP_TEXT; NULL: never. company.h
                                    * also calls it before each chunk of a prompt */
    void *cookie;
    const session *session;            /* its context and tokenizer are used */
    const ifn_context_params *context; /* the parameters the context was opened with */
} generation_params;

#endif
