/* One HTTP request and its answer. */
#ifndef IFN_CLI_EXCHANGE_H
#define IFN_CLI_EXCHANGE_H

#include <microhttpd.h>

#include "answer.h"
#include "queue.h"

typedef struct exchange exchange;

/* An address with its method and handler. */
typedef struct route {
    const char *path, *method;
    enum MHD_Result (*answer)(exchange *self);
} route;

struct exchange {
    struct MHD_Connection *connection;
    const served *model;
    queue *requests;
    const route *route;
    text body;
    size_t n_dropped; /* bytes dropped from a body that is too large */
    bool has_job, is_queued;
    job job;
    answer_head head; /* of the answer to the job */
};

enum { EXCHANGE_MOST_BYTES = 4 << 20 };
enum { EXCHANGE_PATIENCE = 60 }; /* timeout of an idle connection, seconds */

enum MHD_Result exchange_reply(exchange *self, unsigned status, const char *type, char *body,
                               size_t bytes);
enum MHD_Result exchange_refuse(exchange *self, const refusal *why);

/* The handlers of completions and of chat completions. */
enum MHD_Result exchange_complete(exchange *self);
enum MHD_Result exchange_chat(exchange *self);

#endif
