/* The fields of a request that are plain values, and those that are refused or left alone. */
#ifndef IFN_CLI_REQUEST_FIELDS_H
#define IFN_CLI_REQUEST_FIELDS_H

#include "request.h"

/* Reads all members of the document but those that request.c reads itself. */
bool request_fields_read(request *self, refusal *why);

#endif
