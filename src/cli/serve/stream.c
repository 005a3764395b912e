#include "stream.h"

#include <stdlib.h>
#include <string.h>

typedef enum stage { STAGE_BEGIN, STAGE_TEXT, STAGE_OVER } stage;

typedef struct stream {
    const answer_head *head;
    job *job;
    stage stage;
    char *events; /* events made so far; those from `sent` on are not sent yet */
    size_t bytes, sent;
} stream;

static void put_text(stream *self, FILE *out)
{
    text piece = {0};
    if (job_take(self->job, &piece)) {
        answer_event_text(self->head, &piece, out);
    } else {
        (void)job_wait_end(self->job);
        answer_event_end(self->head, self->job, out);
        self->stage = STAGE_OVER;
    }
    text_free(&piece);
}

/* Waits for text and makes the next events. */
static bool refill(stream *self)
{
    free(self->events);
    self->events = NULL;
    self->bytes = self->sent = 0;
    FILE *const out = open_memstream(&self->events, &self->bytes);
    if (!out)
        return false;
    if (self->stage == STAGE_BEGIN) {
        answer_event_begin(self->head, out);
        self->stage = STAGE_TEXT;
    }
    if (ftell(out) == 0)
        put_text(self, out);
    return fclose(out) == 0;
}

/* An MHD_ContentReaderCallback. */
static ssize_t read_events(void *cookie, uint64_t at, char *out, size_t room)
{
    stream *const self = cookie;
    (void)at;
    if (self->sent == self->bytes && self->stage == STAGE_OVER)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (self->sent == self->bytes && !refill(self))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    const size_t left = self->bytes - self->sent, n = left < room ? left : room;
    memcpy(out, self->events + self->sent, n);
    self->sent += n;
    return (ssize_t)n;
}

static void close_stream(void *cookie)
{
    stream *const self = cookie;
    free(self->events);
    free(self);
}

struct MHD_Response *stream_open(const answer_head *head, job *begun)
{
    enum { BLOCK_BYTES = 4096 };
    stream *const opened = malloc(sizeof *opened);
    if (!opened)
        return NULL;
    *opened = (stream){.head = head, .job = begun};
    struct MHD_Response *const r = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_events, opened, close_stream);
    if (!r)
        close_stream(opened);
    return r;
}
