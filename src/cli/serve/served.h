/* The model that is served, and what every request needs to know of it. */
#ifndef IFN_CLI_SERVED_H
#define IFN_CLI_SERVED_H

#include "chat_template.h"
#include "serve_options.h"
#include "session.h"
#include "shipped.h"

enum { SERVED_BATCH = 8 /* answers at a time, where nothing was said */ };

typedef struct served {
    const serve_options *options;
    char path[SHIPPED_PATH_BYTES];
    char name[SHIPPED_PATH_BYTES]; /* of the file, without .gguf */
    const char *called;            /* what requests call it: as its file, or --alias */
    int64_t since;                 /* seconds since 1970 */
    session session;
    ifn_context_params params;
    const chat_template *chat; /* NULL: it cannot chat, as no_chat says */
    ifn_error no_chat;
    ifn_token end_of_turn; /* of a chat */
} served;

/* Opens all of it. `self` starts zeroed; served_close takes a half-opened one. */
ifn_status served_open(served *self, const serve_options *options, ifn_error *err);
void served_close(served *self);

#endif
