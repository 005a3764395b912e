/* A model with a vocabulary of bytes, made by `inferno synth`, for tests of the modules of the programs. */
#ifndef IFN_TEST_SYNTH_MODEL_H
#define IFN_TEST_SYNTH_MODEL_H

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "paths.h"
#include "test.h"

/* Returns the path, in static storage; <|end|> ends its turns, as in Phi. NULL: the model cannot be made. */
static inline const char *synth_model(const char *context_length)
{
    static char path[1024], context[16];
    char *const words[] = {"synth", "llama",  path, "--type",       "F32", "--embedding_length",
                           "64",    "--seed", "1",  "--vocab_size", "300", "--context_length",
                           context, "--quiet"};
    char *argv[N_OF(words) + 1] = {0};
    snprintf(path, sizeof path, "%s", temp_path("synth.gguf"));
    snprintf(context, sizeof context, "%s", context_length);
    memcpy(argv, words, sizeof words);
    return cmd_synth((int)N_OF(words), argv) == 0 ? path : NULL;
}

#endif
