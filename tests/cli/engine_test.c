/* The engine of `inferno serve` without HTTP: client threads put jobs into the queue and wait for them. */
#include "engine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "continuation.h"
#include "progression.h"
#include "request_read.h"
#include "synth_model.h"

enum { CLIENTS = 100, BODY_BYTES = 300 };

/* A model with several sequences, an engine and a queue. */
typedef struct server {
    serve_options options;
    served model;
    queue requests;
    engine engine;
} server;

/* A client, which holds the other end of a pair of sockets. */
typedef struct client {
    server *server;
    job job;
    int ends[2];
    char body[BODY_BYTES];
    bool is_taken; /* by the queue */
    pthread_t thread;
} client;

static const char *model_path;
static atomic_bool is_cut_now;
static atomic_int n_to_end; /* clients still waited for; 0 asks the server to end */

static bool is_cut(void)
{
    return atomic_load(&is_cut_now);
}

static bool is_ended(void)
{
    return atomic_load(&n_to_end) == 0;
}

static server *open_server(int64_t batch)
{
    ifn_error err = {0};
    server *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->options = (serve_options){.model = model_path,
                                 .alias = "tiny",
                                 .kv = IFN_KV_F32,
                                 .chat_template = CHAT_TEMPLATE_OF_MODEL,
                                 .batch = batch,
                                 .quiet = true};
    atomic_store(&is_cut_now, false);
    queue_init(&s->requests, CLIENTS);
    assert_ok(served_open(&s->model, &s->options, &err), err);
    assert_int_equal(s->model.params.n_sequences, batch);
    assert_ok(engine_open(&s->engine, &s->model, is_cut, &err), err);
    return s;
}

static void close_server(server *s)
{
    engine_close(&s->engine);
    served_close(&s->model);
    queue_free(&s->requests);
    free(s);
}

static void connect_client(client *c, server *s, const char *body)
{
    refusal why = {0};
    c->server = s;
    snprintf(c->body, sizeof c->body, "%s", body);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, c->ends), 0);
    job_init(&c->job, c->ends[0]);
    assert_that(request_read(&c->job.request, &s->model, false, c->body, strlen(c->body), &why),
                "%s: %s", body, why.text);
}

static void free_client(client *c)
{
    close(c->ends[0]);
    close(c->ends[1]);
    job_free(&c->job);
}

/* Writes the i-th of many requests: short and long prompts, greedy and sampled, with stop words, of different
 * lengths. */
static void write_body(unsigned i, char body[BODY_BYTES])
{
    snprintf(body, BODY_BYTES,
             "{\"prompt\": \"%.*s %u\", \"max_tokens\": %u, \"temperature\": %s, \"seed\": %u, "
             "\"presence_penalty\": %s, \"ignore_eos\": %s%s}",
             (int)(i % 7 * 20),
             "Once upon a time there was a little world, and in it was a house, and in the house "
             "was a room in which nobody had been for a hundred years",
             i, 1 + i % 5 * 8, i % 2 ? "0.8" : "0", i, i % 4 ? "0" : "0.5",
             i % 3 ? "true" : "false", i % 5 ? "" : ", \"stop\": [\"e\", \"q\"]");
}

/* A text that is generated alone, in a context of its own. */
typedef struct lone {
    const served *model;
    continuation continuation;
    text shown;
} lone;

static ifn_status show(void *cookie, const char *data, size_t bytes)
{
    return text_append(&((lone *)cookie)->shown, data, bytes, NULL);
}

static ifn_status hear(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    (void)prob;
    return continuation_push(&((lone *)cookie)->continuation, id, err);
}

static bool is_stopped(void *cookie)
{
    return ((const lone *)cookie)->continuation.is_stopped;
}

/* Generates a request alone, as `inferno generate` does. */
static void generate_alone(const served *model, const request *q, text *out, generation_stop *stop)
{
    ifn_error err = {0};
    metrics times = {0};
    lone l = {.model = model};
    l.continuation = (continuation){.stop = &q->stop, .show = show, .cookie = &l};
    const generation_params params = {
        .prompt = q->prompt.ids,
        .n_prompt = q->prompt.n,
        .size = q->size,
        .how =
            IFN_SIZED(ifn_sampling, .temperature = (float)q->temperature, .top_p = (float)q->top_p,
                      .seed = (uint64_t)q->seed, .presence = (float)q->presence),
        .n_recent = GENERATION_RECENT,
        .ignore_eos = q->ignore_eos,
        .listener = hear,
        .is_over = is_stopped,
        .cookie = &l,
        .session = &model->session,
        .context = &model->params};
    continuation_begin(&l.continuation, model->session.tokenizer);
    assert_ok(ifn_context_rewind(model->session.context, 0, &err), err);
    assert_ok(progression_run(&params, stop, &times, &err), err);
    assert_ok(continuation_end(&l.continuation, &err), err);
    continuation_free(&l.continuation);
    *out = l.shown;
}

static void assert_as_alone(const served *model, client *c)
{
    text alone = {0};
    generation_stop stop;
    generate_alone(model, &c->job.request, &alone, &stop);
    assert_that(c->job.state == JOB_DONE, "%s: %s", c->body, c->job.why.text);
    assert_int_equal(c->job.stop, stop);
    assert_int_equal(c->job.text.bytes, alone.bytes);
    if (alone.bytes > 0)
        assert_memory_equal(c->job.text.data, alone.data, alone.bytes);
    text_free(&alone);
}

static void *ask(void *cookie)
{
    client *const c = cookie;
    c->is_taken = queue_push(&c->server->requests, &c->job);
    if (c->is_taken)
        (void)job_wait_end(&c->job);
    if (atomic_fetch_sub(&n_to_end, 1) == 1)
        sem_post(&c->server->requests.wake);
    return NULL;
}

/* Sends a hundred requests at once; the server ends when all are answered. */
static void ask_many(int64_t batch)
{
    ifn_error err = {0};
    server *const s = open_server(batch), *const one = open_server(1);
    client *const all = calloc(CLIENTS, sizeof *all);
    assert_non_null(all);
    atomic_store(&n_to_end, CLIENTS);
    for (unsigned i = 0; i < CLIENTS; i++) {
        char body[BODY_BYTES];
        write_body(i, body);
        connect_client(&all[i], s, body);
        assert_int_equal(pthread_create(&all[i].thread, NULL, ask, &all[i]), 0);
    }
    assert_ok(engine_run(&s->engine, &s->requests, is_ended, &err), err);
    for (unsigned i = 0; i < CLIENTS; i++)
        pthread_join(all[i].thread, NULL);
    engine_close(&one->engine); /* only the single requests need its context */
    ifn_context *const context = one->model.session.context;
    int32_t first;
    assert_ok(ifn_context_sequence_add(context, &first, &err), err);
    for (unsigned i = 0; i < CLIENTS; i++) {
        assert_true(all[i].is_taken);
        assert_as_alone(&one->model, &all[i]);
        free_client(&all[i]);
    }
    free(all);
    close_server(one);
    close_server(s);
}

static void a_hundred_at_once_are_answered_as_each_alone(void **state)
{
    (void)state;
    ask_many(8);
}

static void a_hundred_at_once_are_answered_one_by_one(void **state)
{
    (void)state;
    ask_many(1);
}

static const char endless[] =
    "{\"prompt\": \"a\", \"max_tokens\": 900, \"temperature\": 0, \"ignore_eos\": true}";

static void steps(server *s, int n)
{
    ifn_error err = {0};
    for (int i = 0; i < n; i++)
        assert_ok(engine_step(&s->engine, &err), err);
}

static void who_goes_away_makes_room_and_others_go_on(void **state)
{
    enum { BATCH = 3 };
    client c[BATCH];
    server *const s = open_server(BATCH);
    (void)state;
    for (int i = 0; i < BATCH; i++) {
        connect_client(&c[i], s, endless);
        engine_take(&s->engine, &c[i].job);
    }
    steps(s, 5);
    assert_false(engine_has_room(&s->engine));
    close(c[1].ends[1]);
    steps(s, 1);
    assert_true(engine_has_room(&s->engine));
    assert_int_equal(job_wait_end(&c[1].job), JOB_REFUSED);
    job_abandon(&c[0].job);
    steps(s, 1);
    assert_int_equal(c[0].job.state, JOB_REFUSED);
    assert_int_equal(c[2].job.state, JOB_RUNNING);
    assert_int_equal(s->engine.company.n, 1);
    engine_close(&s->engine);
    assert_int_equal(c[2].job.state, JOB_REFUSED); /* a waiting client is told of the end */
    c[1].ends[1] = dup(c[1].ends[0]);
    for (int i = 0; i < BATCH; i++)
        free_client(&c[i]);
    close_server(s);
}

static void cut_short_all_are_told(void **state)
{
    enum { BATCH = 3 };
    client c[BATCH];
    server *const s = open_server(BATCH);
    (void)state;
    for (int i = 0; i < BATCH; i++) {
        connect_client(&c[i], s, endless);
        engine_take(&s->engine, &c[i].job);
    }
    steps(s, 3);
    atomic_store(&is_cut_now, true);
    steps(s, 1);
    assert_false(engine_is_busy(&s->engine));
    for (int i = 0; i < BATCH; i++) {
        assert_int_equal(c[i].job.state, JOB_REFUSED);
        assert_non_null(strstr(c[i].job.why.text, "cut short"));
        free_client(&c[i]);
    }
    close_server(s);
}

/* The server is asked to end while it answers as many requests as fit: it finishes these, and refuses the waiting
 * ones. */
static void at_the_end_answers_are_finished_and_nobody_else_is_taken(void **state)
{
    enum { BATCH = 2, ALL = 5 };
    static const char body[] = "{\"prompt\": \"a\", \"max_tokens\": 30, \"ignore_eos\": true}";
    client c[ALL];
    ifn_error err = {0};
    server *const s = open_server(BATCH);
    (void)state;
    for (int i = 0; i < ALL; i++) {
        connect_client(&c[i], s, body);
        if (i < BATCH)
            engine_take(&s->engine, &c[i].job);
        else
            assert_true(queue_push(&s->requests, &c[i].job));
    }
    steps(s, 4);
    atomic_store(&n_to_end, 0);
    assert_ok(engine_run(&s->engine, &s->requests, is_ended, &err), err);
    for (int i = 0; i < ALL; i++) {
        assert_int_equal(c[i].job.state, i < BATCH ? JOB_DONE : JOB_REFUSED);
        assert_int_equal(c[i].job.n_ids, i < BATCH ? 30 : 0);
        free_client(&c[i]);
    }
    close_server(s);
}

static void nothing_to_generate_is_an_answer(void **state)
{
    client c;
    server *const s = open_server(2);
    (void)state;
    connect_client(&c, s, "{\"prompt\": \"a\", \"max_tokens\": 0}");
    engine_take(&s->engine, &c.job);
    steps(s, 1);
    assert_int_equal(c.job.state, JOB_DONE);
    assert_int_equal(c.job.text.bytes, 0);
    free_client(&c);
    close_server(s);
}

static int make_model(void **state)
{
    (void)state;
    model_path = synth_model("1024");
    return model_path ? 0 : -1;
}

static int clean(void **state)
{
    (void)state;
    temp_clean();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_hundred_at_once_are_answered_as_each_alone),
        RUN(a_hundred_at_once_are_answered_one_by_one),
        RUN(who_goes_away_makes_room_and_others_go_on),
        RUN(cut_short_all_are_told),
        RUN(at_the_end_answers_are_finished_and_nobody_else_is_taken),
        RUN(nothing_to_generate_is_an_answer),
    };
    return cmocka_run_group_tests(tests, make_model, clean);
}
