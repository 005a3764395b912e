/* The model that is served, with everything that requests need of it. */
#ifndef IFN_CLI_SERVED_H
#define IFN_CLI_SERVED_H

#include "chat_template.h"
#include "serve_options.h"
#include "session.h"
#include "shipped.h"

enum { SERVED_BATCH = 8 /* default number of answers at a time */ };

typedef struct served {
    const serve_options *options;
    char path[SHIPPED_PATH_BYTES];
    char name[SHIPPED_PATH_BYTES]; /* of the file, without .gguf */
    const char *called;            /* name in the API: --alias, else `name` */
    int64_t since;                 /* start of the server, seconds since 1970 */
    session session;
    ifn_context_params params;
    const chat_template *chat; /* NULL: it cannot chat; no_chat says why */
    ifn_error no_chat;
    ifn_token end_of_turn; /* the mark that ends an answer of a chat */
} served;

/* Opens everything. `self` starts zeroed; served_close also closes a half-opened one. */
ifn_status served_open(served *self, const serve_options *options, ifn_error *err);
void served_close(served *self);

#endif
