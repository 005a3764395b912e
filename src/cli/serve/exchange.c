#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "request_read.h"
#include "stream.h"

/* Takes ownership of `body`, which comes from malloc. */
enum MHD_Result exchange_reply(exchange *self, unsigned status, const char *type, char *body,
                               size_t bytes)
{
    struct MHD_Response *const r =
        MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_FREE);
    if (!r) {
        free(body);
        return MHD_NO;
    }
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (status == REFUSE_METHOD)
        MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, self->route->method);
    if (status == REFUSE_BUSY)
        MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    const enum MHD_Result result = MHD_queue_response(self->connection, status, r);
    MHD_destroy_response(r);
    return result;
}

enum MHD_Result exchange_refuse(exchange *self, const refusal *why)
{
    char *body = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&body, &bytes);
    if (!out)
        return MHD_NO;
    refusal_json(why, out);
    fclose(out);
    return exchange_reply(self, why->status, "application/json", body, bytes);
}

static enum MHD_Result reply_answer(exchange *self)
{
    char *body = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&body, &bytes);
    if (!out)
        return MHD_NO;
    answer_json(&self->head, &self->job, out);
    fclose(out);
    return exchange_reply(self, MHD_HTTP_OK, "application/json", body, bytes);
}

static enum MHD_Result reply_stream(exchange *self)
{
    struct MHD_Response *const r = stream_open(&self->head, &self->job);
    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    const enum MHD_Result result = MHD_queue_response(self->connection, MHD_HTTP_OK, r);
    MHD_destroy_response(r);
    return result;
}

static bool is_json(exchange *self)
{
    static const char json[] = "application/json";
    const char *const type = MHD_lookup_connection_value(self->connection, MHD_HEADER_KIND,
                                                         MHD_HTTP_HEADER_CONTENT_TYPE);
    return type && strncmp(type, json, sizeof json - 1) == 0;
}

/* Reads a request; accepts JSON only. A browser lets a page of another site post JSON only after a CORS preflight, so
 * other sites cannot use the server. */
static bool read_request(exchange *self, bool is_chat, refusal *why)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(self->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!is_json(self))
        return refuse(why, REFUSE_TYPE, NULL, "expected Content-Type: application/json");
    job_init(&self->job, info->connect_fd);
    self->has_job = true;
    const char *const body = self->body.bytes > 0 ? self->body.data : "";
    return request_read(&self->job.request, self->model, is_chat, body, self->body.bytes, why);
}

static bool enqueue(exchange *self, refusal *why)
{
    self->head = answer_head_of(&self->job.request, self->model);
    self->is_queued = queue_push(self->requests, &self->job);
    return self->is_queued || refuse(why, REFUSE_BUSY, NULL,
                                     "%zu requests are waiting, which is all there is room for",
                                     queue_length(self->requests));
}

/* Sets the timeout of an idle connection; 0 while the engine answers its request. */
static void watch_time(exchange *self, unsigned seconds)
{
    (void)MHD_set_connection_option(self->connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static job_state wait_for_engine(exchange *self)
{
    job *const j = &self->job;
    watch_time(self, 0);
    const job_state state = j->request.is_stream ? job_wait_begin(j) : job_wait_end(j);
    if (!j->request.is_stream)
        watch_time(self, EXCHANGE_PATIENCE);
    return state;
}

static enum MHD_Result answer(exchange *self, bool is_chat)
{
    refusal why;
    if (!read_request(self, is_chat, &why) || !enqueue(self, &why))
        return exchange_refuse(self, &why);
    if (wait_for_engine(self) == JOB_REFUSED)
        return exchange_refuse(self, &self->job.why);
    return self->job.request.is_stream ? reply_stream(self) : reply_answer(self);
}

enum MHD_Result exchange_complete(exchange *self)
{
    return answer(self, false);
}

enum MHD_Result exchange_chat(exchange *self)
{
    return answer(self, true);
}
