#include "serve.h"

#include <signal.h>
#include <unistd.h>

#include "engine.h"
#include "http.h"
#include "listener.h"
#include "messages.h"
#include "signals.h"

/* Used by a signal handler: how many times the server was asked to end, and the semaphore that it posts. */
static volatile sig_atomic_t n_ends;
static sem_t *volatile wake;

static void hear_end(int number)
{
    (void)number;
    n_ends = n_ends + 1;
    if (wake)
        sem_post(wake);
}

/* An engine_is_asked: a second signal cuts answers short. */
static bool is_cut(void)
{
    return n_ends > 1;
}

/* An engine_is_asked: the first signal ends the server. */
static bool is_ended(void)
{
    return n_ends > 0;
}

static ifn_status answer_all(const served *model, queue *requests, ifn_error *err)
{
    engine opened;
    ifn_status status = engine_open(&opened, model, is_cut, err);
    if (status == IFN_OK)
        status = engine_run(&opened, requests, is_ended, err);
    engine_close(&opened);
    return status;
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
        message_note(INFERNO, "serve: %s, %d at a time, at %s", model->called,
                     (int)model->params.n_sequences, url);
    const ifn_status status = answer_all(model, requests, err);
    http_stop(server);
    return status;
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
    if (status != IFN_OK)
        session_say_what_helps(&model.session, "--no-prepare, --backend scalar or a smaller --ctx",
                               &err);
    served_close(&model);
    queue_free(&requests);
    if (status == IFN_OK)
        return EXIT_DONE;
    return message_error(INFERNO, &err);
}
