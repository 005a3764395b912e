/* The state of a run of `generate`: options, what is open, and results. */
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
    ifn_tokens prompt;         /* in a chat: the whole conversation */
    prompt_list prompts;       /* prompts of a file; empty: none was given */
    size_t n_evaluated;        /* ids of the prompt evaluated for this text */
    const chat_template *chat; /* NULL: no chat */
    ifn_token end_of_turn;     /* in a chat: the mark that ends an answer */
    uint64_t n_answers;        /* each answer has its own random numbers */
    generate_step *steps;
    size_t n_steps, step_room;
    continuation answer;
    bool is_turn_over; /* in a chat: end_of_turn was generated */
    generation_stop stop;
    metrics times;
    int unwritten; /* errno of a failed write to standard output; 0: none failed */
    output trace;
    bool is_writing; /* an error is one of writing the trace */
} generate_run;

/* Opens the model, its prompt, the context and the trace. The command closes what is open, even after a failure. */
ifn_status generate_open(generate_run *r, ifn_error *err);

/* Prints the results as one JSON document on standard output. */
void generate_print_json(const generate_run *r);

#endif
