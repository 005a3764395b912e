#include "progression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "not_finite.h"

static void check_length(progression *p)
{
    const generation_size *const size = &p->params->size;
    if (p->n_chosen < size->n)
        return;
    p->stop = size->cut ? STOP_CONTEXT : STOP_LENGTH;
    p->is_over = true;
}

void progression_close(progression *p)
{
    free(p->ids);
    free(p->logits);
    *p = (progression){0};
}

ifn_status progression_open(progression *p, const generation_params *params, int32_t sequence,
                            ifn_error *err)
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

ifn_status progression_choose(progression *p, ifn_token *id, float *prob, ifn_error *err)
{
    p->sampler.n_recent = p->n < (size_t)p->params->n_recent ? p->n : (size_t)p->params->n_recent;
    p->sampler.recent = p->ids + p->n - p->sampler.n_recent;
    return ifn_context_sequence_sample(p->params->session->context, p->sequence, &p->sampler, id,
                                       prob, err);
}

/* Checks logits by `prob`, a share of their softmax: if it is not finite, some logit is not. Only then are they read.
 * */
static ifn_status check_finite(const progression *p, float prob, ifn_error *err)
{
    const generation_params *const how = p->params;
    const not_finite_run run = {how->session, how->context, p->ids, p->n};
    if (isfinite(prob))
        return IFN_OK;
    IFN_TRY(ifn_context_sequence_logits(how->session->context, p->sequence, p->logits, err));
    return not_finite_check(&run, p->logits, err);
}

ifn_status progression_accept(progression *p, ifn_token id, float prob, ifn_error *err)
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

/* Evaluates the new ids and chooses an id; marks this as a span in the trace, if there is one. */
static ifn_status forward(progression *p, ifn_token *id, float *prob, ifn_error *err)
{
    const session *const s = p->params->session;
    ifn_trace_begin(s->backend, ifn_context_position(s->context) == 0 ? "prefill" : "decode");
    ifn_status status = ifn_context_eval(s->context, p->ids + p->n - p->n_new, p->n_new, err);
    if (status == IFN_OK)
        status = progression_choose(p, id, prob, err);
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
        IFN_TRY(progression_accept(p, id, prob, err));
    }
    return IFN_OK;
}

ifn_status progression_run(const generation_params *params, generation_stop *stop, metrics *times,
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
