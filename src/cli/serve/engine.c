#include "engine.h"

#include "continuation.h"

typedef struct answer {
    const served *model;
    job *job;
    engine_is_cut *is_cut;
    continuation continuation;
    bool is_turn_over; /* of a chat: the mark that ends it has come */
    bool is_left;      /* the client has gone, or we are to stop */
    int64_t n_ids;
} answer;

/* An ifn_text_sink. */
static ifn_status show(void *cookie, const char *data, size_t bytes)
{
    const answer *const a = cookie;
    return job_add(a->job, data, bytes);
}

/* The end of a turn is a token that may have text, which is no part of the answer. */
static ifn_status hear(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    answer *const a = cookie;
    const request *const q = &a->job->request;
    (void)prob;
    a->n_ids++;
    a->is_turn_over =
        q->is_chat && !q->ignore_eos &&
        (id == a->model->end_of_turn || ifn_tokenizer_is_end(a->model->session.tokenizer, id));
    return a->is_turn_over ? IFN_OK : continuation_push(&a->continuation, id, err);
}

static bool is_over(void *cookie)
{
    answer *const a = cookie;
    a->is_left = a->is_left || a->is_cut() || job_is_abandoned(a->job);
    return a->is_left || a->is_turn_over || a->continuation.is_stopped;
}

static ifn_sampling sampling_of(const request *q)
{
    return IFN_SIZED(ifn_sampling, .temperature = (float)q->temperature, .top_k = (int32_t)q->top_k,
                     .top_p = (float)q->top_p, .min_p = (float)q->min_p, .seed = (uint64_t)q->seed,
                     .repeat = 1, .frequency = (float)q->frequency, .presence = (float)q->presence);
}

/* The context is rewound to its beginning: what is computed is what `generate` computes. */
static ifn_status generate(answer *a, generation_stop *stop, ifn_error *err)
{
    const request *const q = &a->job->request;
    const session *const s = &a->model->session;
    metrics times = {0};
    const generation_params params = {.prompt = q->prompt.ids,
                                      .n_prompt = q->prompt.n,
                                      .size = q->size,
                                      .how = sampling_of(q),
                                      .n_recent = GENERATION_RECENT,
                                      .ignore_eos = q->ignore_eos,
                                      .listener = hear,
                                      .is_over = is_over,
                                      .cookie = a,
                                      .session = s,
                                      .context = &a->model->params};
    IFN_TRY(ifn_context_rewind(s->context, 0, err));
    continuation_begin(&a->continuation, s->tokenizer);
    IFN_TRY(generation_run(&params, stop, &times, err));
    return continuation_end(&a->continuation, err);
}

static void tell_end(const answer *a, ifn_status status, generation_stop stop, const ifn_error *err)
{
    refusal why;
    if (status == IFN_OK && !a->is_left) {
        job_end(a->job, stop, a->n_ids);
        return;
    }
    if (status == IFN_OK)
        (void)refuse(&why, REFUSE_BUSY, NULL, "the server stops, the answer was cut short");
    else
        (void)refuse_error(&why, REFUSE_FAULT, NULL, err);
    job_refuse(a->job, &why);
}

void engine_answer(const served *model, job *one, engine_is_cut *is_cut)
{
    ifn_error err = {.text = "out of memory for the answer"}; /* what says nothing else */
    generation_stop stop = one->request.size.cut ? STOP_CONTEXT : STOP_LENGTH;
    ifn_status status = IFN_OK;
    answer a = {.model = model, .job = one, .is_cut = is_cut};
    a.continuation = (continuation){.stop = &one->request.stop, .show = show, .cookie = &a};
    job_begin(one);
    a.is_left = job_is_abandoned(one);
    if (!a.is_left && one->request.size.n > 0)
        status = generate(&a, &stop, &err);
    continuation_free(&a.continuation);
    tell_end(&a, status, stop, &err);
}
