/* A request for a completion or a chat completion. */
#ifndef IFN_CLI_REQUEST_H
#define IFN_CLI_REQUEST_H

#include <jansson.h>

#include "args.h"
#include "generation.h"
#include "refusal.h"
#include "served.h"

typedef struct request {
    bool is_chat, is_stream, wants_usage, ignore_eos;
    ifn_tokens prompt;
    generation_size size;
    int64_t n; /* the most tokens to generate, or GENERATION_NO_LIMIT */
    double temperature, top_p, min_p, frequency, presence;
    int64_t top_k, seed; /* seed: a random one if none was given and one is needed */
    arg_list stop;       /* borrowed from `document` */
    json_t *document;
} request;

#endif
