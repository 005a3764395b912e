#include "bench_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "json_writer.h"
#include "not_finite.h"
#include "session.h"

enum { PASSES = 3 };

/* Rates of all passes, per second. */
typedef struct bench_passes {
    double prefill[PASSES], decode[PASSES]; /* tokens */
    double operations[PASSES], read[PASSES];
} bench_passes;

/* What one token costs: multiplications and additions in the layers, bytes with the output. */
typedef struct bench_cost {
    double operations, bytes;
} bench_cost;

static bench_cost cost_of(const ifn_gguf *gguf)
{
    bench_cost cost = {0};
    const int is_tied = ifn_gguf_find_tensor(gguf, "output.weight") == NULL;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_tensor *const w = &ifn_gguf_tensor_at(gguf, i)->view;
        const int is_embedding = strcmp(w->name, "token_embd.weight") == 0;
        if (w->n_dims != 2 || (is_embedding && !is_tied))
            continue;
        cost.bytes += (double)w->shape[0] * (double)ifn_dtype_row_bytes(w->dtype, w->shape[1]);
        if (!is_embedding && strcmp(w->name, "output.weight") != 0)
            cost.operations += 2.0 * (double)w->shape[0] * (double)w->shape[1];
    }
    return cost;
}

static int64_t longest(const bench_model *m)
{
    return m->n_prompt > m->n ? m->n_prompt : m->n;
}

/* Ids of all sorts, the same every time. */
static ifn_token *some_ids(size_t n, int64_t n_vocab)
{
    ifn_token *const ids = malloc(n * sizeof *ids);
    uint64_t state = 1;
    for (size_t i = 0; ids && i < n; i++)
        ids[i] = (ifn_token)((int64_t)bench_random(&state) % n_vocab);
    return ids;
}

/* Operations per second of the loop that bounds the products. */
static double ceiling_of(ifn_activations activations)
{
    double operations;
    bench_entry entry =
        bench_ceiling(ifn_cpu_detect(), activations == IFN_ACTIVATIONS_Q8, &operations);
    if (!entry.fn)
        return 0.0;
    bench_run(&entry, 1);
    return operations / bench_time_of(&entry).median;
}

static ifn_status take_pass(const bench_model *m, ifn_context *context, const ifn_token *ids,
                            int pass, bench_passes *out, ifn_error *err)
{
    IFN_TRY(ifn_context_rewind(context, 0, err));
    double start = bench_now();
    IFN_TRY(ifn_context_eval(context, ids, (size_t)m->n_prompt, err));
    out->prefill[pass] = (double)m->n_prompt / (bench_now() - start);
    IFN_TRY(ifn_context_rewind(context, 0, err));
    start = bench_now();
    for (int64_t i = 0; i < m->n; i++)
        IFN_TRY(ifn_context_eval(context, ids + i, 1, err));
    out->decode[pass] = (double)m->n / (bench_now() - start);
    return IFN_OK;
}

/* Of the last pass that was timed: rates of numbers that mean nothing are no rates. */
static ifn_status check_logits(const bench_model *m, const session *s,
                               const ifn_context_params *params, const ifn_token *ids,
                               ifn_error *err)
{
    const not_finite_run run = {s, params, ids, (size_t)m->n};
    float *const logits = malloc((size_t)ifn_model_hparams(s->model)->n_vocab * sizeof *logits);
    const ifn_status status = logits
                                  ? not_finite_check_context(&run, logits, err)
                                  : ifn_fail(err, IFN_ERR_NOMEM, "no memory for a row of logits");
    free(logits);
    return status;
}

static ifn_status take_passes(const bench_model *m, const session *s,
                              const ifn_context_params *params, bench_passes *out, ifn_error *err)
{
    const ifn_activations activations = session_activations(s, params);
    ifn_token *const ids = some_ids((size_t)longest(m), ifn_model_hparams(s->model)->n_vocab);
    ifn_status status = ids ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "no memory for the prompt");
    for (int pass = 0; status == IFN_OK && pass < PASSES; pass++) {
        status = take_pass(m, s->context, ids, pass, out, err);
        if (status == IFN_OK)
            status = check_logits(m, s, params, ids, err);
        out->operations[pass] = ceiling_of(activations);
        out->read[pass] = bench_read_bytes(1);
    }
    free(ids);
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double values[PASSES])
{
    qsort(values, PASSES, sizeof *values, compare);
    return values[PASSES / 2];
}

static void print_rate(const char *what, int64_t n, double tokens, double rate, double ceiling,
                       const char *unit)
{
    printf("%-8s %5" PRId64 " tokens: %8.2f tok/s, %7.1f %s, %3.0f %% of %.1f\n", what, n, tokens,
           rate / 1e9, unit, ceiling > 0.0 ? 100.0 * rate / ceiling : 0.0, ceiling / 1e9);
}

static void print_json(const bench_model *m, const char *backend, bench_cost cost, bench_passes *p)
{
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"prompt_tokens", (double)m->n_prompt},
        {"decoded_tokens", (double)m->n},
        {"prefill_tokens_per_second", median(p->prefill)},
        {"decode_tokens_per_second", median(p->decode)},
        {"operations_per_token", cost.operations},
        {"peak_operations_per_second", median(p->operations)},
        {"weight_bytes_per_token", cost.bytes},
        {"read_bytes_per_second", median(p->read)},
    };
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "model");
    json_put_string(&json, m->path);
    json_key(&json, "backend");
    json_put_string(&json, backend);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_key(&json, numbers[i].key);
        json_put_double(&json, numbers[i].value);
    }
    json_end_object(&json);
    json_finish(&json);
}

static ifn_status measure(const bench_model *m, session *s, int is_json, ifn_error *err)
{
    const ifn_context_params params = {.max_pos = longest(m), .kv = IFN_KV_BASIC};
    IFN_TRY(session_open_model(s, m->path, err));
    IFN_TRY(session_open_backend(s, m->backend ? m->backend : "simd", 0, err));
    const char *const backend = ifn_backend_expression(s->backend);
    if (session_has_threads(s))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--backend %s: it has threads, expected a backend that runs on one",
                        backend);
    IFN_TRY(session_open_context(s, &params, NULL, err));
    const bench_cost cost = cost_of(s->gguf);
    bench_passes passes;
    IFN_TRY(take_passes(m, s, &params, &passes, err));
    if (is_json) {
        print_json(m, backend, cost, &passes);
        return IFN_OK;
    }
    const double prefill = median(passes.prefill), decode = median(passes.decode);
    printf("%s on %s, one thread, medians of %d passes\n", m->path, backend, (int)PASSES);
    print_rate("prefill", m->n_prompt, prefill, prefill * cost.operations,
               median(passes.operations), "GOP/s");
    print_rate("decode", m->n, decode, decode * cost.bytes, median(passes.read), "GB/s");
    return IFN_OK;
}

ifn_status bench_model_run(const bench_model *self, int is_json, ifn_error *err)
{
    session s = {0};
    const ifn_status status = measure(self, &s, is_json, err);
    if (status != IFN_OK)
        session_say_what_helps("--backend scalar, a smaller --prompt or -n", err);
    session_close(&s);
    return status;
}
