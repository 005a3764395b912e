/* Opens the socket on which the server accepts connections. */
#ifndef IFN_CLI_LISTENER_H
#define IFN_CLI_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

enum { LISTENER_URL_BYTES = 300 };

/**
 * Port 0: the system chooses a free port. Sets `url` to the address: "http://127.0.0.1:8080".
 * Errors  IFN_ERR_IO: this machine has no such address, or it is in use
 */
ifn_status listener_open(const char *host, int64_t port, int *out, char url[LISTENER_URL_BYTES],
                         ifn_error *err);

#endif
