/* `inferno serve`: a model over HTTP, in the form of OpenAI's API. */
#ifndef IFN_CLI_SERVE_H
#define IFN_CLI_SERVE_H

#include "serve_options.h"

/* Answers until SIGINT or SIGTERM; the exit status. Where the program was built without a library
 * that this needs, one line says which. */
int serve_run(const serve_options *options);

#endif
