#include "generation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "not_finite.h"

ifn_status generation_fit(int64_t trained, int64_t asked, size_t n_prompt, int64_t n,
                          generation_size *out, ifn_error *err)
{
    const int64_t limit = asked > 0 ? asked : trained;
    const int64_t used = (int64_t)n_prompt;
    if (used == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "the prompt is empty, and this vocabulary adds no token of its own");
    if (used > limit)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "the prompt has %" PRId64 " tokens, the context (%s) holds %" PRId64, used,
                        asked > 0 ? "--ctx" : "what the model was trained for", limit);
    const int64_t room = limit - used;
    const int grows = n > room && asked == 0;
    const int limited = n != GENERATION_NO_LIMIT && (n <= room || grows);
    *out = (generation_size){
        .max_pos = limited ? used + n : limit,
        .n = limited ? n : room,
        .cut = !limited,
        .beyond = grows,
    };
    return IFN_OK;
}

void generation_note(const generation_size *size, int64_t trained, const char *program)
{
    if (size->beyond)
        message_note(program,
                     "warning: %" PRId64 " tokens, but the model was trained for %" PRId64
                     "; the text may get worse",
                     size->max_pos, trained);
}

const char *generation_stop_name(generation_stop stop)
{
    static const char *const names[] = {"end", "length", "context", "text"};
    return names[stop];
}

/* All ids so far, and room for a row of logits. */
typedef struct progression {
    const generation_params *params;
    ifn_sampler sampler;
    ifn_token *ids; /* [max_pos] */
    size_t n, n_new;
    float *logits;
    int32_t sequence; /* of the context */
    int64_t n_chosen;
    bool is_over;
    generation_stop stop;
} progression;

static void check_length(progression *p)
{
    const generation_size *const size = &p->params->size;
    if (p->n_chosen < size->n)
        return;
    p->stop = size->cut ? STOP_CONTEXT : STOP_LENGTH;
    p->is_over = true;
}

static void progression_close(progression *p)
{
    free(p->ids);
    free(p->logits);
    *p = (progression){0};
}

/* What of the prompt the sequence has already is not evaluated again. */
static ifn_status progression_open(progression *p, const generation_params *params,
                                   int32_t sequence, ifn_error *err)
{
    const session *const s = params->session;
    const size_t n_vocab = (size_t)ifn_model_hparams(s->model)->n_vocab;
    const size_t n_known = (size_t)ifn_context_sequence_position(s->context, sequence);
    *p = (progression){.params = params,
                       .n = params->n_prompt,
                       .n_new = params->n_prompt - n_known,
                       .sequence = sequence};
    p->sampler = IFN_SIZED(ifn_sampler);
    IFN_TRY(ifn_sampler_init(&p->sampler, &params->how, err));
    p->ids = malloc((params->n_prompt + (size_t)params->size.n) * sizeof *p->ids + 1);
    p->logits = malloc(n_vocab * sizeof *p->logits + 1);
    if (!p->ids || !p->logits)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu logits", n_vocab);
    memcpy(p->ids, params->prompt, params->n_prompt * sizeof *p->ids);
    check_length(p);
    return IFN_OK;
}

static ifn_batch_part next_part(const progression *p)
{
    return (ifn_batch_part){
        .sequence = p->sequence, .n = p->n_new, .ids = p->ids + p->n - p->n_new, .n_logits = 1};
}

static ifn_status choose(progression *p, ifn_token *id, float *prob, ifn_error *err)
{
    p->sampler.n_recent = p->n < (size_t)p->params->n_recent ? p->n : (size_t)p->params->n_recent;
    p->sampler.recent = p->ids + p->n - p->sampler.n_recent;
    return ifn_context_sequence_sample(p->params->session->context, p->sequence, &p->sampler, id,
                                       prob, err);
}

/* A share of all logits that is not finite: they are read where it tells of one that is not. */
static ifn_status check_finite(const progression *p, float prob, ifn_error *err)
{
    const generation_params *const how = p->params;
    const not_finite_run run = {how->session, how->context, p->ids, p->n};
    if (isfinite(prob))
        return IFN_OK;
    IFN_TRY(ifn_context_sequence_logits(how->session->context, p->sequence, p->logits, err));
    return not_finite_check(&run, p->logits, err);
}

/* Tells of an id, and goes on with it unless it is the last. */
static ifn_status accept(progression *p, ifn_token id, float prob, ifn_error *err)
{
    const generation_params *const how = p->params;
    IFN_TRY(check_finite(p, prob, err));
    IFN_TRY(how->listener(how->cookie, id, prob, err));
    const bool is_end = !how->ignore_eos && ifn_tokenizer_is_end(how->session->tokenizer, id);
    p->n_chosen++;
    if (is_end || (how->is_over && how->is_over(how->cookie))) {
        p->stop = is_end ? STOP_END : STOP_TEXT;
        p->is_over = true;
        return IFN_OK;
    }
    p->ids[p->n++] = id;
    p->n_new = 1;
    check_length(p);
    return IFN_OK;
}

/* Evaluates what is new and chooses an id; a span of a trace, if there is one. */
static ifn_status forward(progression *p, ifn_token *id, float *prob, ifn_error *err)
{
    const session *const s = p->params->session;
    ifn_trace_begin(s->backend, ifn_context_position(s->context) == 0 ? "prefill" : "decode");
    ifn_status status = ifn_context_eval(s->context, p->ids + p->n - p->n_new, p->n_new, err);
    if (status == IFN_OK)
        status = choose(p, id, prob, err);
    ifn_trace_end(s->backend);
    return status;
}

static ifn_status run_steps(progression *p, metrics *times, ifn_error *err)
{
    while (!p->is_over) {
        ifn_token id;
        float prob;
        const uint64_t start = ifn_clock_ns();
        IFN_TRY(forward(p, &id, &prob, err));
        metrics_add(times, ifn_clock_ns() - start);
        IFN_TRY(accept(p, id, prob, err));
    }
    return IFN_OK;
}

ifn_status generation_run(const generation_params *params, generation_stop *stop, metrics *times,
                          ifn_error *err)
{
    progression p = {0};
    ifn_status status = progression_open(&p, params, 0, err);
    if (status == IFN_OK)
        status = run_steps(&p, times, err);
    *stop = p.stop;
    progression_close(&p);
    return status;
}

/* --- several --- */

/* Places of the context, of which [0, n) are taken, each by one of the list. */
typedef struct company {
    const generation_params *params; /* [n_params] */
    size_t n_params, next;
    progression *seats; /* [room] */
    ifn_batch_part *parts;
    size_t room;
    generation_end end;
} company;

static bool is_taken(const progression *p)
{
    return p->params != NULL;
}

/* Seat i is sequence i. */
static ifn_status take_seats(company *c, ifn_error *err)
{
    for (size_t i = 0; i < c->room; i++) {
        ifn_context *const context = c->params->session->context;
        if (is_taken(&c->seats[i]) || c->next == c->n_params)
            continue;
        IFN_TRY(ifn_context_sequence_cut(context, (int32_t)i, 0, err));
        IFN_TRY(progression_open(&c->seats[i], &c->params[c->next++], (int32_t)i, err));
    }
    return IFN_OK;
}

static ifn_status leave_seats(company *c, ifn_error *err)
{
    for (size_t i = 0; i < c->room; i++) {
        progression *const p = &c->seats[i];
        if (!is_taken(p) || !p->is_over)
            continue;
        IFN_TRY(c->end(p->params->cookie, p->stop, err));
        progression_close(p);
    }
    return IFN_OK;
}

static ifn_status accept_all(company *c, ifn_error *err)
{
    for (size_t i = 0; i < c->room; i++) {
        ifn_token id;
        float prob;
        if (!is_taken(&c->seats[i]))
            continue;
        IFN_TRY(choose(&c->seats[i], &id, &prob, err));
        IFN_TRY(accept(&c->seats[i], id, prob, err));
    }
    return IFN_OK;
}

static ifn_status run_together(company *c, ifn_error *err)
{
    const session *const s = c->params->session;
    for (;;) {
        size_t n = 0;
        IFN_TRY(take_seats(c, err));
        IFN_TRY(leave_seats(c, err)); /* with nothing to generate */
        for (size_t i = 0; i < c->room; i++)
            if (is_taken(&c->seats[i]))
                c->parts[n++] = next_part(&c->seats[i]);
        if (n == 0 && c->next == c->n_params)
            return IFN_OK;
        ifn_trace_begin(s->backend, "batch");
        ifn_status status = ifn_context_eval_batch(s->context, &(ifn_batch){n, c->parts}, err);
        if (status == IFN_OK)
            status = accept_all(c, err);
        ifn_trace_end(s->backend);
        IFN_TRY(status);
        IFN_TRY(leave_seats(c, err));
    }
}

static ifn_status add_sequences(company *c, ifn_error *err)
{
    int32_t taken;
    for (size_t i = 1; i < c->room; i++)
        IFN_TRY(ifn_context_sequence_add(c->params->session->context, &taken, err));
    return IFN_OK;
}

ifn_status generation_run_all(const generation_params *params, size_t n, generation_end end,
                              ifn_error *err)
{
    const int32_t most = params->context->n_sequences;
    company c = {.params = params, .n_params = n, .room = most > 1 ? (size_t)most : 1, .end = end};
    c.seats = calloc(c.room, sizeof *c.seats);
    c.parts = calloc(c.room, sizeof *c.parts);
    ifn_status status = c.seats && c.parts
                            ? add_sequences(&c, err)
                            : ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu prompts", n);
    if (status == IFN_OK)
        status = run_together(&c, err);
    for (size_t i = 0; c.seats && i < c.room; i++)
        progression_close(&c.seats[i]);
    free(c.seats);
    free(c.parts);
    return status;
}
