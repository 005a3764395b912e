/* Reads the fields of a request that are plain values; refuses or ignores fields that are not supported. */
#ifndef IFN_CLI_REQUEST_FIELDS_H
#define IFN_CLI_REQUEST_FIELDS_H

#include "request.h"

/* Reads all members of the document except those that request_read.c reads itself. */
bool request_fields_read(request *self, refusal *why);

#endif
