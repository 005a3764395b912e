/* HTTP: connections, addresses and their answers. Each connection has a thread, which waits. */
#ifndef IFN_CLI_HTTP_H
#define IFN_CLI_HTTP_H

#include "queue.h"

typedef struct http http;

/**
 * Takes connections at the socket, which is closed by http_stop, or by this where it fails.
 * Errors  IFN_ERR_NOMEM: the server cannot be started
 */
ifn_status http_start(const served *model, queue *requests, int socket, http **out, ifn_error *err);

/* Takes no more connections, gives answers that are ready a few seconds to leave, closes all. */
void http_stop(http *self);

#endif
