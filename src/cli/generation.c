#include "generation.h"

#include <inttypes.h>

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

const char *generation_stop_name(generation_stop stop)
{
    static const char *const names[] = {"end", "length", "context"};
    return names[stop];
}

/* Evaluates what is new and chooses an id; a span of a trace, if there is one. */
static ifn_status forward(ifn_context *context, ifn_backend *backend, const ifn_token *new_ids,
                          size_t n, ifn_sampler *sampler, ifn_token *id, float *prob,
                          ifn_error *err)
{
    ifn_trace_begin(backend, ifn_context_position(context) == 0 ? "prefill" : "decode");
    ifn_status status = ifn_context_eval(context, new_ids, n, err);
    if (status == IFN_OK)
        status = ifn_context_sample(context, sampler, id, prob, err);
    ifn_trace_end(backend);
    return status;
}

ifn_status generation_run(ifn_context *context, const ifn_tokenizer *tokenizer,
                          const generation_params *params, generation_stop *stop, metrics *times,
                          ifn_error *err)
{
    ifn_sampler sampler;
    IFN_TRY(ifn_sampler_init(&sampler, &params->how, err));
    const ifn_token *next = params->prompt;
    size_t n_next = params->n_prompt;
    ifn_token id;
    for (int64_t i = 0; i < params->size.n; i++) {
        float prob;
        const uint64_t start = ifn_clock_ns();
        IFN_TRY(forward(context, params->backend, next, n_next, &sampler, &id, &prob, err));
        metrics_add(times, ifn_clock_ns() - start);
        IFN_TRY(params->listener(params->cookie, id, prob, err));
        if (!params->ignore_eos && ifn_tokenizer_is_end(tokenizer, id)) {
            *stop = STOP_END;
            return IFN_OK;
        }
        next = &id;
        n_next = 1;
    }
    *stop = params->size.cut ? STOP_CONTEXT : STOP_LENGTH;
    return IFN_OK;
}
