#include "e2e_session.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base_name.h"
#include "e2e_company.h"
#include "e2e_explain.h"
#include "e2e_file.h"
#include "e2e_trial.h"
#include "outputs.h"
#include "shipped.h"
#include "signals.h"
/* --patience is the time limit of one call; all runs of one truth may take CALLS times as long. */
enum { CALLS = 60 };

ifn_status e2e_session_backend(const void *backend, int32_t n_threads, ifn_backend **out,
                               ifn_error *err)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = n_threads);
    return ifn_backend_open(backend, &options, out, err);
}

unsigned e2e_session_seconds(const conform_options *o)
{
    return (unsigned)(o->patience * CALLS);
}

static ifn_status open_model(e2e_session *s, const char *path, ifn_error *err)
{
    char shipped[SHIPPED_PATH_BYTES];
    if (strcmp(path, "shipped") == 0) {
        IFN_TRY(shipped_path("the model of the project", SHIPPED_MODEL, shipped, err));
        path = shipped;
    }
    IFN_TRY(ifn_gguf_open(path, NULL, &s->gguf, err));
    signals_mapped(s->gguf);
    IFN_TRY(ifn_model_open(s->gguf, NULL, &s->model, err));
    for (int i = 0; i < s->report.n_tested; i++) {
        s->is_explained[i] = false;
        s->results[i] = e2e_results_open(i, base_name(path));
        if (!s->results[i])
            return ifn_fail(err, IFN_ERR_NOMEM, "whole models: no memory to share");
    }
    s->effort = e2e_effort_of(s->options.filter.profile, s->model, s->options.n_backends);
    return IFN_OK;
}

static void close_model(e2e_session *s)
{
    for (int i = 0; i < CONFORM_MAX_TESTED; i++) {
        e2e_results_close(s->results[i]);
        s->results[i] = NULL;
    }
    ifn_model_close(s->model);
    signals_mapped(NULL);
    ifn_gguf_close(s->gguf);
    s->model = NULL;
    s->gguf = NULL;
}

static void work(void *cookie, e2e_results *results)
{
    e2e_trial_run(cookie, results);
}

static void search(void *cookie, e2e_results *results)
{
    e2e_explain_run(cookie, results);
}

/* Searches for the first bad op, once for each model and backend: after the first failure, or at once with --explain.
 * */
static void explain(e2e_session *s, const e2e_trial *trial, int i)
{
    const conform_options *const o = &s->options;
    e2e_results *const results = s->results[i];
    e2e_explain one = {.trial = trial, .again = results->again, .row = results->failed - 1};
    e2e_file file;
    if (s->is_explained[i] || (!results->failed && !s->options.explain))
        return;
    if (!results->failed)
        one.again.way = (e2e_way){.activations = trial->truth->mode.activations, .kv = IFN_KV_F32};
    s->is_explained[i] = true;
    e2e_file_open(&file, o->shrunk, s->n_files);
    one.yaml = file.path[0] ? file.path : NULL;
    e2e_results_guard(results, o->in_process, e2e_session_seconds(o), search, &one);
    e2e_file_close(&file, results->has_file);
    s->n_files += results->has_file;
    progress_clear(&s->progress);
    if (!conform_output_is_stream(o->json))
        printf("%s on %s, %s:\n%s\n", results->model, s->report.label[i], trial->truth->name,
               results->text);
}

/* Runs a truth on all backends that declare the same arithmetic as backend `first`. */
static void try_truth(e2e_session *s, const e2e_truth *truth, int first, int64_t n_more)
{
    const conform_options *const o = &s->options;
    for (int i = first; i < o->n_backends; i++) {
        if (s->group[i] != first)
            continue;
        e2e_trial trial = {.truth = truth,
                           .open = e2e_session_backend,
                           .backend = o->backends[i],
                           .seed = o->filter.seed,
                           .n_more = n_more};
        progress_line(&s->progress, "%-30s %-20s %-24s", s->results[i]->model, truth->name,
                      s->report.label[i]);
        e2e_results_guard(s->results[i], o->in_process, e2e_session_seconds(o), work, &trial);
        explain(s, &trial, i);
    }
}

/* Makes one truth per declared arithmetic, as each has its own noise floor. */
static ifn_status try_prompt(e2e_session *s, const conform_truth_mode *mode,
                             const e2e_prompt *prompt, bool with_free, int64_t n_more,
                             ifn_error *err)
{
    for (int i = 0; i < s->options.n_backends; i++) {
        e2e_truth truth;
        if (s->group[i] != i)
            continue;
        const ifn_status status =
            e2e_truth_open(&truth, s->model, mode, &s->declared[i], prompt, with_free, err);
        if (status == IFN_OK)
            try_truth(s, &truth, i, n_more);
        e2e_truth_close(&truth);
        IFN_TRY(status);
    }
    return IFN_OK;
}

/* Divides --runs among the truths; the first ones take the remainder. */
static int64_t share_of(const e2e_session *s, int index, int n)
{
    const int64_t runs = s->options.n_runs;
    return runs ? runs / n + (index < runs % n) : s->effort.n_more;
}

/* Notes in the row of the long prompt on each backend why it is shorter than the profile asks for. */
static void note_long(e2e_session *s, const conform_truth_mode *mode)
{
    const e2e_effort *const e = &s->effort;
    const e2e_way way = {.activations = mode->activations,
                         .kv = e2e_kv_of(mode->cache),
                         .is_forced = true,
                         .is_long = true};
    for (int i = 0; e->why_shorter && i < s->report.n_tested; i++) {
        e2e_statistics *const statistics = e2e_results_row(s->results[i], &way);
        if (statistics)
            e2e_statistics_note(statistics, "%s%lld ids of the %lld of this profile: %s",
                                statistics->row.runs ? "" : "not run: ", (long long)e->n_long,
                                (long long)e->n_wanted, e->why_shorter);
    }
}

/* Runs the long prompt in every mode; each mode begins with other cuts. */
static ifn_status try_long(e2e_session *s, ifn_error *err)
{
    conform_truth_mode modes[E2E_MAX_MODES];
    const int n_modes = e2e_modes_of(s->model, modes);
    const e2e_effort *const e = &s->effort;
    ifn_status status = IFN_OK;
    ifn_token *const ids = e2e_random_ids(s->model, s->options.filter.seed, "long", e->n_long);
    if (!ids)
        return ifn_fail(err, IFN_ERR_NOMEM, "whole models: no memory for prompts");
    for (int m = 0; status == IFN_OK && m < n_modes; m++) {
        char name[32];
        const e2e_cuts cuts = e2e_cuts_of(e->n_long, e->n_cuts, m);
        const e2e_prompt prompt = {name, ids, e->n_long, 0, NULL, &cuts};
        snprintf(name, sizeof name, "random, %lld ids", (long long)e->n_long);
        if (e->n_long)
            status = try_prompt(s, &modes[m], &prompt, 0, 0, err);
        if (status == IFN_OK)
            note_long(s, &modes[m]);
    }
    free(ids);
    return status;
}

/* Prompts after the first n_narrow skip modes that narrow; the long prompt runs in all modes. */
static bool is_tried(const e2e_session *s, int prompt, const conform_truth_mode *mode)
{
    return prompt < s->effort.n_narrow || !e2e_mode_is_narrow(mode);
}

static ifn_status try_prompts(e2e_session *s, const e2e_prompts *prompts, ifn_error *err)
{
    conform_truth_mode modes[E2E_MAX_MODES];
    const int n_modes = e2e_modes_of(s->model, modes);
    int n_truths = 0, index = 0;
    for (int i = 0; i < prompts->n * n_modes; i++)
        n_truths += is_tried(s, i / n_modes, &modes[i % n_modes]);
    for (int i = 0; i < prompts->n * n_modes; i++) {
        if (!is_tried(s, i / n_modes, &modes[i % n_modes]))
            continue;
        IFN_TRY(try_prompt(s, &modes[i % n_modes], &prompts->list[i / n_modes], s->effort.with_free,
                           share_of(s, index++, n_truths), err));
    }
    return try_long(s, err);
}

/* Returns the dtype that holds most bytes of the file. */
static const char *weights_of(const ifn_gguf *gguf)
{
    uint64_t bytes[IFN_DTYPE_COUNT] = {0};
    ifn_dtype most = IFN_DTYPE_F32;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const ifn_gguf_tensor *const t = ifn_gguf_tensor_at(gguf, i);
        const ifn_dtype dtype = t->known ? t->view.dtype : IFN_DTYPE_F32;
        bytes[dtype] += t->bytes;
        most = bytes[dtype] > bytes[most] ? dtype : most;
    }
    return ifn_dtype_name(most);
}

static void keep_company(void *cookie, e2e_results *results)
{
    e2e_company_run(cookie, results);
}

/* Runs random batches on every backend in every mode. --runs counts batches per mode. */
static void try_company(e2e_session *s, const char *model)
{
    static const int64_t n_runs[] = {
        [PROFILE_SMOKE] = 20, [PROFILE_CI] = 200, [PROFILE_NIGHTLY] = 10000};
    const conform_options *const o = &s->options;
    conform_truth_mode modes[E2E_MAX_MODES];
    const int n_modes = e2e_modes_of(s->model, modes);
    for (int i = 0; i < o->n_backends * n_modes; i++) {
        e2e_results *const results = s->results[i / n_modes];
        e2e_company one = {.model = s->model,
                           .mode = modes[i % n_modes],
                           .open = e2e_session_backend,
                           .backend = o->backends[i / n_modes],
                           .seed = o->filter.seed,
                           .n = s->options.n_runs ? s->options.n_runs : n_runs[o->filter.profile],
                           .word = model,
                           .label = s->report.label[i / n_modes]};
        progress_line(&s->progress, "%-30s %-20s %-24s", results->model, "company",
                      s->report.label[i / n_modes]);
        e2e_results_guard(results, o->in_process,
                          (unsigned)(o->patience * CALLS * (1 + one.n / 100)), keep_company, &one);
    }
}

static void add_row(e2e_session *s, const e2e_row *row)
{
    e2e_row whole = *row;
    snprintf(whole.weights, sizeof whole.weights, "%s", weights_of(s->gguf));
    conform_report_add_row(&s->report, &whole);
}

static ifn_status try_texts(e2e_session *s, ifn_error *err)
{
    e2e_prompts prompts = {.n = 0};
    ifn_status status =
        e2e_prompts_open(&prompts, s->model, &s->effort, s->spec_dir, s->options.filter.seed, err);
    if (status == IFN_OK)
        status = try_prompts(s, &prompts, err);
    e2e_prompts_close(&prompts);
    return status;
}

ifn_status e2e_session_try(e2e_session *s, const char *path, ifn_error *err)
{
    ifn_status status = open_model(s, path, err);
    if (status == IFN_OK && s->options.company)
        try_company(s, path);
    else if (status == IFN_OK)
        status = try_texts(s, err);
    for (int i = 0; status == IFN_OK && i < s->report.n_tested; i++)
        for (int r = 0; r < s->results[i]->n; r++)
            add_row(s, &s->results[i]->all_statistics[r].row);
    close_model(s);
    return status;
}
