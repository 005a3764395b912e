#include "engine.h"

#include <stdlib.h>

#include "continuation.h"

struct engine_answer {
    const engine *engine;
    job *job; /* NULL: this place is free */
    generation_params params;
    continuation continuation;
    bool is_turn_over; /* in a chat: the mark that ends an answer was generated */
    bool is_left;      /* the client has gone, or the engine must stop */
    int64_t n_ids;
};

/* An ifn_text_sink. */
static ifn_status show(void *cookie, const char *data, size_t bytes)
{
    const engine_answer *const a = cookie;
    return job_add(a->job, data, bytes);
}

/* Sets the error of a failure to pass text to the connection, which has no message of its own. */
static void expect_no_memory(ifn_error *err)
{
    (void)ifn_fail(err, IFN_ERR_NOMEM, "out of memory for the answer");
}

static bool ends_turn(const engine_answer *a, ifn_token id)
{
    const served *const model = a->engine->model;
    const request *const q = &a->job->request;
    return q->is_chat && !q->ignore_eos &&
           (id == model->end_of_turn || ifn_tokenizer_is_end(model->session.tokenizer, id));
}

/* A generation_listener. The text of the token that ends a turn is not part of the answer. */
static ifn_status hear(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    engine_answer *const a = cookie;
    (void)prob;
    a->n_ids++;
    a->is_turn_over = ends_turn(a, id);
    expect_no_memory(err);
    return a->is_turn_over ? IFN_OK : continuation_push(&a->continuation, id, err);
}

static bool is_over(void *cookie)
{
    engine_answer *const a = cookie;
    a->is_left = a->is_left || a->engine->is_cut() || job_is_abandoned(a->job);
    return a->is_left || a->is_turn_over || a->continuation.is_stopped;
}

static void tell_end(const engine_answer *a, ifn_status status, generation_stop stop,
                     const ifn_error *err)
{
    refusal why;
    if (status == IFN_OK && !a->is_left) {
        job_end(a->job, stop, a->n_ids);
        return;
    }
    if (status == IFN_OK)
        (void)refuse(&why, REFUSE_BUSY, NULL, "the server stops, the answer was cut short");
    else
        (void)refuse_error(&why, REFUSE_SERVER, NULL, err);
    job_refuse(a->job, &why);
}

/* A company_end. A failure of an answer is told to its client only. */
static ifn_status end(void *cookie, ifn_status status, generation_stop stop, ifn_error *err)
{
    engine_answer *const a = cookie;
    if (status == IFN_OK) {
        expect_no_memory(err);
        status = continuation_end(&a->continuation, err);
    }
    continuation_free(&a->continuation);
    tell_end(a, status, stop, err);
    a->job = NULL;
    return IFN_OK;
}

static ifn_sampling sampling_of(const request *q)
{
    return IFN_SIZED(ifn_sampling, .temperature = (float)q->temperature, .top_k = (int32_t)q->top_k,
                     .top_p = (float)q->top_p, .min_p = (float)q->min_p, .seed = (uint64_t)q->seed,
                     .repeat = 1, .frequency = (float)q->frequency, .presence = (float)q->presence);
}

static generation_params params_of(engine_answer *a)
{
    const request *const q = &a->job->request;
    const served *const model = a->engine->model;
    return (generation_params){.prompt = q->prompt.ids,
                               .n_prompt = q->prompt.n,
                               .size = q->size,
                               .how = sampling_of(q),
                               .n_recent = GENERATION_RECENT,
                               .ignore_eos = q->ignore_eos,
                               .listener = hear,
                               .is_over = is_over,
                               .cookie = a,
                               .session = &model->session,
                               .context = &model->params};
}

ifn_status engine_open(engine *self, const served *model, engine_is_asked *is_cut, ifn_error *err)
{
    *self = (engine){.model = model, .is_cut = is_cut};
    IFN_TRY(company_open(&self->company, &model->session, &model->params, end, err));
    self->answers = calloc(self->company.room, sizeof *self->answers);
    if (!self->answers)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu answers at a time",
                        self->company.room);
    return IFN_OK;
}

void engine_close(engine *self)
{
    ifn_error unused;
    for (size_t i = 0; self->answers && i < self->company.room; i++) {
        self->answers[i].is_left = true;
        if (self->answers[i].job)
            (void)end(&self->answers[i], IFN_OK, STOP_TEXT, &unused);
    }
    company_close(&self->company);
    free(self->answers);
    *self = (engine){0};
}

bool engine_is_busy(const engine *self)
{
    return self->company.n > 0;
}

bool engine_has_room(const engine *self)
{
    return company_has_room(&self->company);
}

static engine_answer *free_place(const engine *self)
{
    engine_answer *place = self->answers;
    while (place->job)
        place++;
    return place;
}

void engine_take(engine *self, job *one)
{
    ifn_error err;
    engine_answer *const a = free_place(self);
    *a = (engine_answer){.engine = self, .job = one};
    a->continuation = (continuation){.stop = &one->request.stop, .show = show, .cookie = a};
    a->params = params_of(a);
    continuation_begin(&a->continuation, self->model->session.tokenizer);
    job_begin(one);
    const ifn_status status = company_join(&self->company, &a->params, &err);
    if (status != IFN_OK)
        (void)end(a, status, STOP_LENGTH, &err);
}

ifn_status engine_step(engine *self, ifn_error *err)
{
    return company_step(&self->company, err);
}

/* Takes as many waiting jobs as there is room for. Waits for a job if none is being answered. */
static void take_waiting(engine *self, queue *requests, engine_is_asked *is_ended)
{
    while (!is_ended() && engine_has_room(self)) {
        job *const one = queue_pop(requests, !engine_is_busy(self));
        if (!one)
            return;
        engine_take(self, one);
    }
}

ifn_status engine_run(engine *self, queue *requests, engine_is_asked *is_ended, ifn_error *err)
{
    refusal why;
    ifn_status status = IFN_OK;
    (void)refuse(&why, REFUSE_BUSY, NULL, "the server stops");
    while (status == IFN_OK && !is_ended()) {
        take_waiting(self, requests, is_ended);
        status = engine_step(self, err);
    }
    queue_close(requests, &why);
    while (status == IFN_OK && engine_is_busy(self))
        status = engine_step(self, err);
    return status;
}
