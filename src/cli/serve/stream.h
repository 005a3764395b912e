/* Streams an answer as server-sent events while the engine generates it. */
#ifndef IFN_CLI_STREAM_H
#define IFN_CLI_STREAM_H

#include <microhttpd.h>

#include "answer.h"

/* Returns the response of a job that is begun; its body waits for text from the engine. Borrows both arguments. NULL:
 * out of memory. */
struct MHD_Response *stream_open(const answer_head *head, job *begun);

#endif
