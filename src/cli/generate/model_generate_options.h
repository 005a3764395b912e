/* The options of `model-generate`. */
#ifndef IFN_CLI_MODEL_GENERATE_OPTIONS_H
#define IFN_CLI_MODEL_GENERATE_OPTIONS_H

#include "args.h"

#define MODEL_GENERATE "model-generate" /* prefix of every message */

typedef struct model_generate_options {
    const char *model, *prompt;
    const char *backend; /* NULL: the best that is not parallel */
    int64_t n, threads;
    int cached; /* 1: with --kv */
} model_generate_options;

extern const arg_command model_generate_command;

/* Sets defaults and parses the command line. Returns -1 to go on, else the exit status. */
int model_generate_options_read(model_generate_options *self, int argc, char **argv);

#endif
