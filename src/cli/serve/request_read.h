/* Parses and checks the JSON of a request. */
#ifndef IFN_CLI_REQUEST_READ_H
#define IFN_CLI_REQUEST_READ_H

#include "request.h"

/**
 * Reads a body for /v1/completions, or for /v1/chat/completions if is_chat. False: `why` says what is wrong, and in
 * which field. The caller releases the request with request_free in any case.
 */
bool request_read(request *self, const served *model, bool is_chat, const char *body, size_t bytes,
                  refusal *why);
void request_free(request *self);

#endif
