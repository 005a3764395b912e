/* The HTTP server. Each connection has a thread, which waits for the engine. */
#ifndef IFN_CLI_HTTP_H
#define IFN_CLI_HTTP_H

#include "queue.h"

typedef struct http http;

/**
 * Accepts connections on the socket. http_stop closes the socket; so does this function if it fails.
 * Errors  IFN_ERR_NOMEM: the server cannot be started
 */
ifn_status http_start(const served *model, queue *requests, int socket, http **out, ifn_error *err);

/* Accepts no more connections, waits a few seconds for finished answers to be sent, and closes all connections. */
void http_stop(http *self);

#endif
