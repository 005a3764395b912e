/* A stream of server-sent events: text as the engine makes it. */
#ifndef IFN_CLI_STREAM_H
#define IFN_CLI_STREAM_H

#include <microhttpd.h>

#include "answer.h"

/* The body of an answer to a job that is begun; waits for the engine. Borrows both. NULL: no memory. */
struct MHD_Response *stream_open(const answer_head *head, job *begun);

#endif
