#include "serve.h"

#include <signal.h>
#include <unistd.h>

#include "engine.h"
#include "http.h"
#include "listener.h"
#include "messages.h"
#include "queue.h"
#include "signals.h"

/* Read and written by a handler: how often we were asked to end, and whom that wakes. */
static volatile sig_atomic_t n_ends;
static sem_t *volatile wake;

static void hear_end(int number)
{
    (void)number;
    n_ends = n_ends + 1;
    if (wake)
        sem_post(wake);
}

/* An engine_is_cut: whoever asks twice is in a hurry. */
static bool is_cut(void)
{
    return n_ends > 1;
}

/* Until we are asked to end. The one answer that is being made is finished. */
static void answer_all(const served *model, queue *requests)
{
    refusal why;
    (void)refuse(&why, REFUSE_BUSY, NULL, "the server stops");
    while (n_ends == 0) {
        job *const one = queue_pop(requests);
        if (one && n_ends == 0)
            engine_answer(model, one, is_cut);
        else if (one)
            job_refuse(one, &why);
    }
    queue_close(requests, &why);
}

static ifn_status listen_and_answer(const served *model, queue *requests, ifn_error *err)
{
    const serve_options *const o = model->options;
    char url[LISTENER_URL_BYTES];
    int socket;
    http *server;
    IFN_TRY(listener_open(o->host, o->port, &socket, url, err));
    wake = &requests->wake;
    signals_hear_end(hear_end);
    IFN_TRY(http_start(model, requests, socket, &server, err));
    if (!o->quiet)
        message_note(INFERNO, "serve: %s at %s", model->called, url);
    answer_all(model, requests);
    http_stop(server);
    return IFN_OK;
}

int serve_run(const serve_options *options)
{
    ifn_error err;
    served model = {0};
    queue requests;
    queue_init(&requests, (size_t)options->queue);
    ifn_status status = served_open(&model, options, &err);
    if (status == IFN_OK)
        status = listen_and_answer(&model, &requests, &err);
    wake = NULL;
    served_close(&model);
    queue_free(&requests);
    if (status == IFN_OK)
        return EXIT_DONE;
    session_say_what_helps("--no-prepare, --backend scalar or a smaller --ctx", &err);
    return message_error(INFERNO, &err);
}
