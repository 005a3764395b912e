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
} progression;

/* Evaluates what is new and chooses an id; a span of a trace, if there is one. */
static ifn_status forward(progression *p, ifn_token *id, float *prob, ifn_error *err)
{
    const session *const s = p->params->session;
    ifn_trace_begin(s->backend, ifn_context_position(s->context) == 0 ? "prefill" : "decode");
    ifn_status status = ifn_context_eval(s->context, p->ids + p->n - p->n_new, p->n_new, err);
    if (status == IFN_OK)
        status = ifn_context_sample(s->context, &p->sampler, id, prob, err);
    ifn_trace_end(s->backend);
    return status;
}

static ifn_status step(progression *p, metrics *times, ifn_token *id, ifn_error *err)
{
    const generation_params *const how = p->params;
    const not_finite_run run = {how->session, how->context, p->ids, p->n};
    float prob;
    p->sampler.n_recent = p->n < (size_t)how->n_recent ? p->n : (size_t)how->n_recent;
    p->sampler.recent = p->ids + p->n - p->sampler.n_recent;
    const uint64_t start = ifn_clock_ns();
    IFN_TRY(forward(p, id, &prob, err));
    metrics_add(times, ifn_clock_ns() - start);
    if (!isfinite(
            prob)) /* a share of all logits: they are read where it tells of one that is not */
        IFN_TRY(not_finite_check_context(&run, p->logits, err));
    return how->listener(how->cookie, *id, prob, err);
}

static ifn_status run_steps(progression *p, generation_stop *stop, metrics *times, ifn_error *err)
{
    const generation_params *const how = p->params;
    for (int64_t i = 0; i < how->size.n; i++) {
        ifn_token id;
        IFN_TRY(step(p, times, &id, err));
        if (!how->ignore_eos && ifn_tokenizer_is_end(how->session->tokenizer, id)) {
            *stop = STOP_END;
            return IFN_OK;
        }
        if (how->is_over && how->is_over(how->cookie)) {
            *stop = STOP_TEXT;
            return IFN_OK;
        }
        p->ids[p->n++] = id;
        p->n_new = 1;
    }
    *stop = how->size.cut ? STOP_CONTEXT : STOP_LENGTH;
    return IFN_OK;
}

ifn_status generation_run(const generation_params *params, generation_stop *stop, metrics *times,
                          ifn_error *err)
{
    const size_t n_vocab = (size_t)ifn_model_hparams(params->session->model)->n_vocab;
    const size_t n_known = (size_t)ifn_context_position(params->session->context);
    progression p = {.params = params, .n = params->n_prompt, .n_new = params->n_prompt - n_known};
    IFN_TRY(ifn_sampler_init(&p.sampler, &params->how, err));
    p.ids = malloc((params->n_prompt + (size_t)params->size.n) * sizeof *p.ids + 1);
    p.logits = malloc(n_vocab * sizeof *p.logits + 1);
    ifn_status status = p.ids && p.logits
                            ? IFN_OK
                            : ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu logits", n_vocab);
    if (status == IFN_OK) {
        memcpy(p.ids, params->prompt, params->n_prompt * sizeof *p.ids);
        status = run_steps(&p, stop, times, err);
    }
    free(p.ids);
    free(p.logits);
    return status;
}
