/* `inferno serve`: serves a model over HTTP with OpenAI's API. */
#ifndef IFN_CLI_SERVE_H
#define IFN_CLI_SERVE_H

#include "serve_options.h"

/* Serves until SIGINT or SIGTERM and returns the exit status. If the program was built without a library that this
 * needs, prints one line that names it. */
int serve_run(const serve_options *options);

#endif
