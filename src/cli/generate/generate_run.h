/* One run of `generate`, from what its options name to what came of it. */
#ifndef IFN_CLI_GENERATE_RUN_H
#define IFN_CLI_GENERATE_RUN_H

#include <stdbool.h>

#include "chat.h"
#include "continuation.h"
#include "generate_options.h"
#include "generation.h"
#include "metrics.h"
#include "output.h"
#include "prompt_list.h"
#include "session.h"
#include "shipped.h"
#include "text.h"

typedef struct generate_step {
    ifn_token id;
    float prob;
} generate_step;

typedef struct generate_run {
    const generate_options *options;
    char model[SHIPPED_PATH_BYTES];
    session session;
    ifn_context_params params;
    generation_size size;
    text prompt_text;          /* empty: ids were given */
    ifn_tokens prompt;         /* of a chat: all that was said */
    prompt_list prompts;       /* of a file; empty: none was given */
    size_t n_evaluated;        /* of the prompt, for this text */
    const chat_template *chat; /* NULL: no chat */
    ifn_token end_of_turn;     /* of a chat */
    uint64_t n_answers;        /* each draws its own numbers */
    generate_step *steps;
    size_t n_steps, step_room;
    continuation answer;
    bool is_turn_over; /* of a chat: the mark that ends it has come */
    generation_stop stop;
    metrics times;
    int unwritten; /* errno of standard output when it failed */
    output trace;
    bool is_writing; /* the trace, when it is opened and at the end */
} generate_run;

/* Opens the model, its prompt, the context and the trace. What is open is closed by the command, come what may. */
ifn_status generate_open(generate_run *r, ifn_error *err);

/* What came of it, as one JSON document on standard output. */
void generate_print_json(const generate_run *r);

#endif
