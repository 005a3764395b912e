#include "http.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exchange.h"
#include "json_writer.h"
#include "page.h"

struct http {
    const served *model;
    queue *requests;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n_exchanges; /* exchanges in progress */
};

static enum MHD_Result reply_json(exchange *self, void (*put)(exchange *self, json_writer *json))
{
    char *body = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&body, &bytes);
    json_writer json = {.out = out};
    if (!out)
        return MHD_NO;
    json_begin_object(&json);
    put(self, &json);
    json_end_object(&json);
    fclose(out);
    return exchange_reply(self, MHD_HTTP_OK, "application/json", body, bytes);
}

static void put_health(exchange *self, json_writer *json)
{
    json_member(json, "status", "ok");
    json_key(json, "batch");
    json_put_int(json, self->model->params.n_sequences);
    json_key(json, "waiting");
    json_put_uint(json, queue_length(self->requests));
}

static enum MHD_Result tell_health(exchange *self)
{
    return reply_json(self, put_health);
}

/* Lists the model. The last two members are extensions of OpenAI's format. */
static void put_models(exchange *self, json_writer *json)
{
    const served *const m = self->model;
    json_member(json, "object", "list");
    json_key(json, "data");
    json_begin_array(json);
    json_begin_object(json);
    json_member(json, "id", m->called);
    json_member(json, "object", "model");
    json_key(json, "created");
    json_put_int(json, m->since);
    json_member(json, "owned_by", "inferno");
    json_key(json, "context_length");
    json_put_int(json, m->params.max_pos);
    json_member(json, "chat_template", m->chat ? m->chat->name : NULL);
    json_end_object(json);
    json_end_array(json);
}

static enum MHD_Result tell_models(exchange *self)
{
    return reply_json(self, put_models);
}

static enum MHD_Result show_page(exchange *self)
{
    struct MHD_Response *const r = MHD_create_response_from_buffer(
        page_bytes, (void *)(uintptr_t)page, MHD_RESPMEM_PERSISTENT);
    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/html; charset=utf-8");
    MHD_add_response_header(r, "Content-Security-Policy",
                            "default-src 'none'; script-src 'unsafe-inline'; "
                            "style-src 'unsafe-inline'; connect-src 'self'; img-src data:");
    const enum MHD_Result result = MHD_queue_response(self->connection, MHD_HTTP_OK, r);
    MHD_destroy_response(r);
    return result;
}

static const route routes[] = {
    {"/", MHD_HTTP_METHOD_GET, show_page},
    {"/health", MHD_HTTP_METHOD_GET, tell_health},
    {"/v1/models", MHD_HTTP_METHOD_GET, tell_models},
    {"/v1/completions", MHD_HTTP_METHOD_POST, exchange_complete},
    {"/v1/chat/completions", MHD_HTTP_METHOD_POST, exchange_chat},
};

static const route *find_route(const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strcmp(routes[i].path, path) == 0)
            return &routes[i];
    return NULL;
}

static void count(http *self, bool is_begun)
{
    pthread_mutex_lock(&self->lock);
    self->n_exchanges = is_begun ? self->n_exchanges + 1 : self->n_exchanges - 1;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

/* Returns the Content-Length of a request; 0: it has none. */
static uint64_t announced(struct MHD_Connection *connection)
{
    const char *const length =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length ? strtoull(length, NULL, 10) : 0;
}

static enum MHD_Result refuse_too_large(exchange *self)
{
    refusal why;
    (void)refuse(&why, REFUSE_TOO_LARGE, NULL, "the body: expected %d bytes at most",
                 EXCHANGE_MOST_BYTES);
    return exchange_refuse(self, &why);
}

static exchange *begin(http *self, struct MHD_Connection *connection, const char *path)
{
    exchange *const e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    *e = (exchange){.connection = connection,
                    .model = self->model,
                    .requests = self->requests,
                    .route = find_route(path)};
    count(self, true);
    return e;
}

/* Appends a piece of the body. A body that is too large is read to its end and dropped, so that the client receives the
 * reason; but not without limit. */
static enum MHD_Result take_body(exchange *self, const char *data, size_t bytes)
{
    const size_t most = EXCHANGE_MOST_BYTES;
    if (self->n_dropped == 0 && self->body.bytes + bytes <= most)
        return text_append(&self->body, data, bytes, NULL) == IFN_OK ? MHD_YES : MHD_NO;
    self->n_dropped += bytes;
    return self->n_dropped < 8 * most ? MHD_YES : MHD_NO;
}

static bool is_method(const route *at, const char *method)
{
    const bool is_head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    return strcmp(is_head ? MHD_HTTP_METHOD_GET : method, at->method) == 0;
}

static enum MHD_Result answer(exchange *self, const char *path, const char *method)
{
    refusal why;
    if (self->n_dropped > 0)
        return refuse_too_large(self);
    if (self->route && is_method(self->route, method))
        return self->route->answer(self);
    if (self->route)
        (void)refuse(&why, REFUSE_METHOD, NULL, "%.100s: found the method %.20s, expected %s", path,
                     method, self->route->method);
    else
        (void)refuse(&why, REFUSE_NOT_FOUND, NULL, "%.100s: there is nothing at this address",
                     path);
    return exchange_refuse(self, &why);
}

/* An MHD_AccessHandlerCallback. MHD calls it first for the headers, then for each piece of the body, then for the
 * answer. */
static enum MHD_Result handle(void *cls, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *bytes, void **place)
{
    exchange *self = *place;
    (void)version;
    if (!self) {
        *place = self = begin(cls, connection, path);
        const bool is_large = self && announced(connection) > EXCHANGE_MOST_BYTES;
        return is_large ? refuse_too_large(self) : self ? MHD_YES : MHD_NO;
    }
    if (*bytes == 0)
        return answer(self, path, method);
    const enum MHD_Result result = take_body(self, data, *bytes);
    *bytes = 0;
    return result;
}

/* An MHD_RequestCompletedCallback. If the engine still has the job, waits until it notices between steps that the
 * client has gone. */
static void end(void *cls, struct MHD_Connection *connection, void **place,
                enum MHD_RequestTerminationCode how)
{
    exchange *const self = *place;
    (void)connection;
    (void)how;
    if (!self)
        return;
    if (self->has_job && self->is_queued && !queue_remove(self->requests, &self->job)) {
        job_abandon(&self->job);
        (void)job_wait_end(&self->job);
    }
    if (self->has_job)
        job_free(&self->job);
    text_free(&self->body);
    free(self);
    *place = NULL;
    count(cls, false);
}

/* Returns the most connections: those being answered, those that wait, and as many again plus 64 for visitors of the
 * page. */
static unsigned most_connections(const served *model, const queue *requests)
{
    return (unsigned)requests->most * 2 + (unsigned)model->params.n_sequences + 64;
}

ifn_status http_start(const served *model, queue *requests, int socket, http **out, ifn_error *err)
{
    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                           MHD_USE_POLL | MHD_USE_ITC;
    http *const self = calloc(1, sizeof *self);
    *out = self;
    if (self) {
        *self = (http){.model = model, .requests = requests};
        pthread_mutex_init(&self->lock, NULL);
        pthread_cond_init(&self->changed, NULL);
        self->daemon =
            MHD_start_daemon(flags, 0, NULL, NULL, handle, self, MHD_OPTION_LISTEN_SOCKET, socket,
                             MHD_OPTION_CONNECTION_LIMIT, most_connections(model, requests),
                             MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)EXCHANGE_PATIENCE,
                             MHD_OPTION_NOTIFY_COMPLETED, end, self, MHD_OPTION_END);
    }
    if (self && self->daemon)
        return IFN_OK;
    close(socket);
    http_stop(self);
    *out = NULL;
    return ifn_fail(err, IFN_ERR_NOMEM, "serve: the HTTP server cannot be started");
}

static void let_go(http *self)
{
    enum { PATIENCE = 5 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&self->lock);
    while (self->n_exchanges > 0 &&
           pthread_cond_timedwait(&self->changed, &self->lock, &until) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&self->lock);
}

void http_stop(http *self)
{
    if (!self)
        return;
    if (self->daemon) {
        const MHD_socket listening = MHD_quiesce_daemon(self->daemon);
        let_go(self);
        MHD_stop_daemon(self->daemon);
        if (listening != MHD_INVALID_SOCKET)
            close(listening);
    }
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}
