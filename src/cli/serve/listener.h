/* The socket on which connections are taken. */
#ifndef IFN_CLI_LISTENER_H
#define IFN_CLI_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

enum { LISTENER_URL_BYTES = 300 };

/**
 * Port 0 is one that is free. `url` becomes where it is: "http://127.0.0.1:8080".
 * Errors  IFN_ERR_IO: no such address here, or somebody else listens there
 */
ifn_status listener_open(const char *host, int64_t port, int *out, char url[LISTENER_URL_BYTES],
                         ifn_error *err);

#endif
