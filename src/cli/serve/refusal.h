/* The reason why a request is refused, as sent to the client. */
#ifndef IFN_CLI_REFUSAL_H
#define IFN_CLI_REFUSAL_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/status.h>

enum {
    REFUSE_BAD = 400,
    REFUSE_NOT_FOUND = 404,
    REFUSE_METHOD = 405,
    REFUSE_TOO_LARGE = 413,
    REFUSE_TYPE = 415,
    REFUSE_SERVER = 500,
    REFUSE_BUSY = 503
};

typedef struct refusal {
    unsigned status;  /* HTTP status */
    const char *code; /* error code for programs; NULL: none. Static */
    char param[64];   /* the wrong field; empty: none */
    char text[400];
} refusal;

/* Fill in the refusal and return false. */
bool refuse(refusal *self, unsigned status, const char *param, const char *format, ...)
    IFN_PRINTF(4, 5);
bool refuse_error(refusal *self, unsigned status, const char *param, const ifn_error *err);

/* Writes {"error": {"message": ..., "type": ..., "param": ..., "code": ...}}. */
void refusal_json(const refusal *self, FILE *out);

#endif
