#include "bench_model.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/batch.h>
#include <inferno/clock.h>

#include "bench.h"
#include "bench_chart.h"
#include "bench_compare.h"
#include "bench_roof.h"
#include "generate_options.h"
#include "messages.h"
#include "not_finite.h"
#include "progress.h"
#include "session.h"
#include "team.h"

/* The cost of one token: multiplications and additions in the layers; bytes of weights, including the output matrix. */
typedef struct bench_cost {
    double operations, bytes;
    int64_t all_bytes; /* of all tensors, each counted once */
} bench_cost;

static bench_cost cost_of(const ifn_gguf *gguf)
{
    bench_cost cost = {0};
    const bool is_tied = ifn_gguf_find_tensor(gguf, "output.weight") == NULL;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_tensor *const w = &ifn_gguf_tensor_at(gguf, i)->view;
        const bool is_embedding = strcmp(w->name, "token_embd.weight") == 0;
        cost.all_bytes += (int64_t)ifn_gguf_tensor_at(gguf, i)->bytes;
        if (w->n_dims != 2 || (is_embedding && !is_tied))
            continue;
        cost.bytes += (double)w->shape[0] * (double)ifn_dtype_row_bytes(w->dtype, w->shape[1]);
        if (!is_embedding && strcmp(w->name, "output.weight") != 0)
            cost.operations += 2.0 * (double)w->shape[0] * (double)w->shape[1];
    }
    return cost;
}

/* Returns n pseudo-random ids, the same ones every time. */
static ifn_token *some_ids(size_t n, int64_t n_vocab)
{
    ifn_token *const ids = malloc(n * sizeof *ids);
    uint64_t state = 1;
    for (size_t i = 0; ids && i < n; i++)
        ids[i] = (ifn_token)((int64_t)bench_random(&state) % n_vocab);
    return ids;
}

/* All tests of a command. */
typedef struct bench_run_state {
    const bench_model *options;
    const bench_old *old;
    bench_output table;
    bench_result *results; /* all results, if a chart is drawn; owned */
    int n_results, room;
    progress bar;
    bench_roof roof; /* takes seconds to measure, so it is measured once */
} bench_run_state;

/* One model on some threads, with a context for one size of batch. */
typedef struct stage {
    bench_run_state *all;
    session session;
    ifn_context_params params;
    int64_t threads;
    bench_cost cost;
    double operations;     /* per second, of the products of weights: the ceiling */
    double f32_operations; /* of attention, which is in f32 always */
    const char *backend;   /* an expression, or NULL */
    ifn_token *ids;        /* the one at each position */
    float *logits;         /* room for one row */
    ifn_batch_part *parts; /* room for the sequences of a batch */
    const char *path;
} stage;

static int in_processor_time(const stage *s)
{
    return s->threads == 1 && !s->all->options->is_wall;
}

/* --- one test --- */

/* Evaluates one token of each sequence. */
static ifn_status take_step(const stage *s, const ifn_token *ids, int64_t i, ifn_error *err)
{
    const int32_t n = s->params.n_sequences;
    if (n <= 1)
        return ifn_context_eval(s->session.context, ids + i, 1, err);
    for (int32_t q = 0; q < n; q++)
        s->parts[q] = (ifn_batch_part){.sequence = q, .n = 1, .ids = ids + i, .n_logits = 1};
    return ifn_context_eval_batch(s->session.context, &(ifn_batch){(size_t)n, s->parts}, err);
}

/* Evaluates a prompt at once, or tokens one after the other, and measures the seconds. */
static ifn_status take_run(const stage *s, const bench_result *r, double *seconds, ifn_error *err)
{
    const ifn_token *const ids = s->ids + r->depth;
    IFN_TRY(ifn_context_rewind(s->session.context, r->depth, err));
    for (int32_t q = 1; q < s->params.n_sequences; q++)
        IFN_TRY(ifn_context_sequence_cut(s->session.context, q, r->depth, err));
    const double start = bench_now_by(!in_processor_time(s));
    if (r->n_prompt > 0)
        IFN_TRY(ifn_context_eval(s->session.context, ids, (size_t)r->n_prompt, err));
    for (int64_t i = 0; i < r->n; i++)
        IFN_TRY(take_step(s, ids, i, err));
    *seconds = bench_now_by(!in_processor_time(s)) - start;
    return IFN_OK;
}

static void show(stage *s, const bench_result *r, int64_t run)
{
    char test[64];
    bench_test_name(r, test, sizeof test);
    progress_line(&s->all->bar, "%s, %" PRId64 " threads, %s: run %" PRId64 " of %" PRId64, s->path,
                  s->threads, test, run, s->all->options->n_runs);
}

/* Fails if the logits are not finite, as the rate of a wrong computation means nothing. */
static ifn_status check_logits(const stage *s, const bench_result *r, ifn_error *err)
{
    const not_finite_run run = {&s->session, &s->params, s->ids,
                                (size_t)(r->depth + r->n_prompt + r->n)};
    return not_finite_check_context(&run, s->logits, err);
}

static ifn_status keep_result(bench_run_state *all, const bench_result *r, ifn_error *err)
{
    if (!all->options->chart)
        return IFN_OK;
    if (all->n_results == all->room) {
        const int room = all->room ? 2 * all->room : 16;
        bench_result *const grown = realloc(all->results, (size_t)room * sizeof *grown);
        if (!grown)
            return ifn_fail(err, IFN_ERR_NOMEM, "bench: no memory for %d results", room);
        all->results = grown;
        all->room = room;
    }
    all->results[all->n_results++] = *r;
    return IFN_OK;
}

/* Makes the runs of a test. The first run does not count, as it touches all memory for the first time. */
static ifn_status take_test(stage *s, bench_result *r, ifn_error *err)
{
    const double tokens = (double)(r->n_prompt + (r->n ? r->n * r->batch : 0));
    for (int64_t run = 0; run <= s->all->options->n_runs; run++) {
        double seconds;
        show(s, r, run);
        IFN_TRY(take_run(s, r, &seconds, err));
        if (run > 0)
            r->samples[r->n_samples++] = tokens / seconds;
    }
    IFN_TRY(check_logits(s, r, err));
    r->old = bench_old_rate(s->all->old, r);
    progress_clear(&s->all->bar);
    bench_output_row(&s->all->table, r);
    return keep_result(s->all, r, err);
}

/* Returns how many positions a token attends to on average, for n tokens after the first `depth`. */
static double seen_positions(int64_t depth, int64_t n)
{
    return (double)depth + 0.5 * (double)(n + 1);
}

/* Counts the bytes that a token reads on average. Sequences that are decoded together share the weights; each has its
 * own keys and values. */
static void count_decoding(const stage *s, bench_result *r)
{
    const double sequences = (double)r->batch;
    bench_roof *const roof = &s->all->roof;
    r->per_token =
        s->cost.bytes / sequences +
        seen_positions(r->depth, r->n) * (double)session_kv_row_bytes(&s->session, s->params.kv);
    const uint64_t bytes = (uint64_t)(r->per_token * sequences);
    r->ceiling = bench_roof_reading(roof, (int)s->threads, bytes);
    r->memory = bench_roof_memory(roof, (int)s->threads, bytes);
}

/* Counts the operations of a token of a prompt on average. Attention multiplies with each key that the token sees, and
 * with its value. */
static void count_prompt(const stage *s, bench_result *r)
{
    const ifn_hparams *const h = ifn_model_hparams(s->session.model);
    const double attention = 2.0 * 2.0 * seen_positions(r->depth, r->n_prompt) *
                             (double)(h->head_dim * h->n_heads * h->n_layers);
    r->per_token = s->cost.operations + attention;
    if (s->operations > 0.0 && s->f32_operations > 0.0)
        r->ceiling =
            r->per_token / (s->cost.operations / s->operations + attention / s->f32_operations);
}

static bench_result result_for(const stage *s, int64_t depth, int64_t n_prompt, int64_t n)
{
    const int64_t sequences = s->params.n_sequences > 1 ? s->params.n_sequences : 1;
    bench_result r = {.model = s->path,
                      .model_bytes = s->cost.all_bytes,
                      .threads = s->threads,
                      .batch = n_prompt ? s->params.max_rows : sequences,
                      .depth = depth,
                      .n_prompt = n_prompt,
                      .n = n,
                      .clock = in_processor_time(s) ? "processor" : "wall",
                      .kv = s->params.kv == IFN_KV_F32 ? "" : generate_kv_words[s->params.kv],
                      .memory = ""};
    if (n_prompt)
        count_prompt(s, &r);
    else
        count_decoding(s, &r);
    snprintf(r.backend, sizeof r.backend, "%s", ifn_backend_expression(s->session.backend));
    return r;
}

/* Fills the context with `depth` tokens before a test; this is not timed. */
static ifn_status fill_to(stage *s, int64_t depth, ifn_error *err)
{
    IFN_TRY(ifn_context_rewind(s->session.context, 0, err));
    if (depth)
        IFN_TRY(ifn_context_eval(s->session.context, s->ids, (size_t)depth, err));
    for (int32_t q = 1; q < s->params.n_sequences; q++)
        IFN_TRY(ifn_context_sequence_copy(s->session.context, 0, q, depth, err));
    return IFN_OK;
}

static ifn_status take_decodes(stage *s, int64_t depth, ifn_error *err)
{
    const bench_list *const decodes = &s->all->options->decodes;
    for (int i = 0; i < decodes->n; i++) {
        bench_result r = result_for(s, depth, 0, decodes->at[i]);
        if (r.n > 0)
            IFN_TRY(take_test(s, &r, err));
    }
    return IFN_OK;
}

static ifn_status take_prompts(stage *s, int64_t depth, ifn_error *err)
{
    const bench_model *const o = s->all->options;
    for (int i = 0; i < o->prompts.n; i++) {
        bench_result r = result_for(s, depth, o->prompts.at[i], 0);
        if (r.n_prompt > 0)
            IFN_TRY(take_test(s, &r, err));
    }
    return IFN_OK;
}

/* --- a model on some threads --- */

static int64_t longest(const bench_model *o)
{
    const int64_t prompt = bench_list_largest(&o->prompts), n = bench_list_largest(&o->decodes);
    return bench_list_largest(&o->depths) + (prompt > n ? prompt : n);
}

typedef ifn_status (*take_fn)(stage *s, int64_t depth, ifn_error *err);

/* Runs tests at every depth in a context of their own. */
static ifn_status take_depths(stage *s, take_fn take, ifn_error *err)
{
    const bench_list *const depths = &s->all->options->depths;
    int32_t taken;
    IFN_TRY(session_open_context(&s->session, &s->params, NULL, err));
    for (int32_t q = 1; q < s->params.n_sequences; q++)
        IFN_TRY(ifn_context_sequence_add(s->session.context, &taken, err));
    for (int d = 0; d < depths->n; d++) {
        IFN_TRY(fill_to(s, depths->at[d], err));
        IFN_TRY(take(s, depths->at[d], err));
    }
    session_close_context(&s->session);
    return IFN_OK;
}

/* Runs prompts with each batch size, and decoding with each number of sequences. */
static ifn_status take_batches(stage *s, ifn_error *err)
{
    const bench_model *const o = s->all->options;
    s->params = IFN_SIZED(ifn_context_params, .max_pos = longest(o), .kv = (ifn_kv)o->kv,
                          .page_rows = o->page_rows, .n_pages = o->n_pages);
    for (int b = 0; bench_list_largest(&o->prompts) > 0 && b < o->batches.n; b++) {
        s->params.max_rows = o->batches.at[b];
        IFN_TRY(take_depths(s, take_prompts, err));
    }
    for (int q = 0; bench_list_largest(&o->decodes) > 0 && q < o->sequences.n; q++) {
        const int64_t n = o->sequences.at[q], rows = o->batches.at[0];
        s->params.max_rows = n > rows ? n : rows;
        s->params.n_sequences = (int32_t)n;
        IFN_TRY(take_depths(s, take_decodes, err));
    }
    return IFN_OK;
}

/* Measures the ceiling of operations. That of reading depends on the number of bytes: see count_decoding. */
static void find_ceilings(stage *s)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .kv = (ifn_kv)s->all->options->kv);
    const bool of_dots = session_activations(&s->session, &params) == IFN_ACTIVATIONS_Q8;
    progress_line(&s->all->bar, "%" PRId64 " threads: what the machine can do", s->threads);
    s->operations = bench_roof_operations(&s->all->roof, (int)s->threads, of_dots);
    s->f32_operations = bench_roof_operations(&s->all->roof, (int)s->threads, false);
}

static ifn_status open_stage(stage *s, int64_t threads, ifn_error *err)
{
    const bench_model *const o = s->all->options;
    IFN_TRY(session_open_model(&s->session, s->path, err));
    IFN_TRY(session_open_backend(&s->session, s->backend, threads, err));
    const int64_t n_vocab = ifn_model_hparams(s->session.model)->n_vocab;
    s->threads = bench_threads_of(s->session.backend);
    s->cost = cost_of(s->session.gguf);
    s->ids = some_ids((size_t)longest(o) + 1, n_vocab);
    s->logits = malloc((size_t)n_vocab * sizeof *s->logits);
    s->parts = malloc((size_t)bench_list_largest(&o->sequences) * sizeof *s->parts);
    if (!s->ids || !s->logits || !s->parts)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: no memory for a prompt and a row of logits",
                        s->path);
    return IFN_OK;
}

static ifn_status take_model(bench_run_state *all, const char *path, const char *backend,
                             int64_t threads, ifn_error *err)
{
    stage s = {.all = all, .path = path, .backend = backend};
    s.session.cache = all->options->cache;
    s.session.program = all->options->is_quiet ? NULL : INFERNO;
    ifn_status status = open_stage(&s, threads, err);
    if (status == IFN_OK) {
        find_ceilings(&s);
        status = take_batches(&s, err);
    }
    progress_clear(&all->bar);
    session_close(&s.session);
    free(s.parts);
    free(s.logits);
    free(s.ids);
    return status;
}

/* Returns the i-th backend expression; NULL (the best backend) if none was given. */
static const char *backend_at(const bench_model *o, int i)
{
    return o->backends.n ? o->backends.items[i] : NULL;
}

static int n_backends(const bench_model *o)
{
    return o->backends.n ? o->backends.n : 1;
}

static ifn_status check_model(const bench_model *o, const char *path, ifn_error *err)
{
    ifn_status status = IFN_OK;
    for (int b = 0; b < n_backends(o) && status == IFN_OK; b++) {
        session on = {0};
        status = session_open_model(&on, path, err);
        if (status == IFN_OK)
            status = session_open_backend(&on, backend_at(o, b), o->threads.at[0], err);
        session_close(&on);
    }
    return status;
}

/* Checks that every model can be opened before the first is timed. */
static ifn_status check_models(const bench_model *o, ifn_error *err)
{
    for (int i = 0; i < o->n_paths; i++)
        IFN_TRY(check_model(o, o->paths[i], err));
    return IFN_OK;
}

static ifn_status take_all(bench_run_state *all, ifn_error *err)
{
    const bench_model *const o = all->options;
    for (int i = 0; i < o->n_paths; i++)
        for (int b = 0; b < n_backends(o); b++)
            for (int t = 0; t < o->threads.n; t++)
                IFN_TRY(take_model(all, o->paths[i], backend_at(o, b), o->threads.at[t], err));
    return o->chart ? bench_chart_models(o->chart, all->results, all->n_results, err) : IFN_OK;
}

ifn_status bench_model_run(const bench_model *self, ifn_error *err)
{
    bench_run_state all = {.options = self};
    bench_old *old = NULL;
    IFN_TRY(bench_chart_check(self->chart, self->format, err));
    IFN_TRY(check_models(self, err));
    if (self->old)
        IFN_TRY(bench_old_open(self->old, &old, err));
    all.old = old;
    bench_roof_open(&all.roof);
    progress_init(&all.bar, "bench", progress_terminal(self->is_quiet));
    bench_output_begin(&all.table, self->format, old != NULL);
    const ifn_status status = take_all(&all, err);
    bench_output_end(&all.table);
    bench_old_close(old);
    free(all.results);
    if (status != IFN_OK)
        session_say_what_helps(NULL, "--backend scalar, a smaller -p, -n or -d", err);
    return status;
}
