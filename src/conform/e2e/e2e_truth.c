#include "e2e_truth.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e_engine.h"
#include "variants.h"

/* Relative error that f32 arithmetic may make in the input of a quantizer (numerics 11.2). */
#define JOLT 0x1p-20
/* How far, in quantization steps, f32 arithmetic since the last forced row may move a row (numerics 11.2). */
#define MOVED 0.5
/* Rows may move by so many times the largest move that the variants show. */
#define FAR 8.0

static e2e_way way_of(const e2e_truth *self, bool is_forced)
{
    return (e2e_way){.activations = self->mode.activations,
                     .kv = e2e_kv_of(self->mode.cache),
                     .is_forced = is_forced,
                     .is_long = self->steps != NULL};
}

static ifn_status continue_prompt(e2e_truth *self, int64_t n_new, ifn_error *err)
{
    const e2e_way way = way_of(self, 0);
    e2e_engine engine = {.weights = NULL};
    ifn_backend *scalar = NULL;
    int64_t n_done;
    float *const logits = malloc((size_t)(n_new * self->n_vocab) * sizeof *logits);
    ifn_status status = logits ? ifn_backend_open("scalar", NULL, &scalar, err)
                               : ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for logits");
    if (status == IFN_OK)
        status = e2e_engine_open(&engine, self->model, scalar, &way, NULL, err);
    if (status == IFN_OK)
        status = e2e_engine_generate(&engine, self->ids, self->n_prompt, n_new, NULL,
                                     self->ids + self->n_prompt, logits, &n_done, err);
    e2e_engine_close(&engine);
    ifn_backend_close(scalar);
    free(logits);
    return status;
}

static ifn_status take_steps(e2e_truth *self, const e2e_prompt *prompt, ifn_error *err)
{
    self->n_steps = self->n;
    if (!prompt->cuts)
        return IFN_OK;
    self->cuts = *prompt->cuts;
    self->steps = malloc((size_t)self->n * sizeof *self->steps);
    if (!self->steps)
        return ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for %lld steps", (long long)self->n);
    self->n_steps = e2e_cuts_steps(&self->cuts, self->n, self->steps);
    return IFN_OK;
}

static ifn_status take_ids(e2e_truth *self, const e2e_prompt *prompt, ifn_error *err)
{
    snprintf(self->name, sizeof self->name, "%s", prompt->name);
    self->n_prompt = prompt->n;
    self->n = prompt->n + prompt->n_new;
    IFN_TRY(take_steps(self, prompt, err));
    self->ids = malloc((size_t)self->n * sizeof *self->ids + 1);
    self->logits = malloc((size_t)(self->n_steps * self->n_vocab) * sizeof *self->logits + 1);
    self->sigma = calloc((size_t)self->n_steps + 1, sizeof *self->sigma);
    if (!self->ids || !self->logits || !self->sigma)
        return ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for %lld steps", (long long)self->n);
    memcpy(self->ids, prompt->ids, (size_t)prompt->n * sizeof *self->ids);
    if (prompt->follow)
        memcpy(self->ids + prompt->n, prompt->follow, (size_t)prompt->n_new * sizeof *self->ids);
    return prompt->follow || prompt->n_new == 0 ? IFN_OK
                                                : continue_prompt(self, prompt->n_new, err);
}

static ifn_status compute(e2e_truth *self, ifn_error *err)
{
    conform_truth_mode mode = self->mode;
    mode.steps = self->steps;
    mode.n_steps = self->steps ? self->n_steps : 0;
    e2e_codes_open(&self->codes, self->model, &self->mode, self->n);
    self->codes.with_f32_cache = self->steps != NULL;
    const conform_truth_sink sink = e2e_codes_sink(&self->codes);
    IFN_TRY(conform_forward_f64(self->model, self->ids, self->n, &mode, &sink, NULL, self->logits,
                                err));
    if (self->codes.failed)
        return ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for its codes");
    self->is_narrow = self->codes.n > 0;
    return IFN_OK;
}

/* With declared arithmetic the limit of rows follows from how far the variants move them (numerics 11.7). */
static void note_moved(e2e_truth *self, double moved)
{
    const double steps = 1 + FAR * moved;
    if (self->declared && !(steps <= self->most_steps))
        self->most_steps = steps;
}

static ifn_status run_variant(void *cookie, ifn_backend *variant, float *logits, ifn_error *err)
{
    e2e_truth *const self = cookie;
    const e2e_way way = way_of(self, self->is_narrow);
    const e2e_chunks whole = {NULL, 0};
    e2e_engine engine;
    ifn_status status = e2e_engine_open(&engine, self->model, variant, &way, &self->codes, err);
    if (status == IFN_OK)
        status = self->steps ? e2e_engine_pick(&engine, self->ids, self->n, self->steps,
                                               self->n_steps, logits, err)
                             : e2e_engine_run(&engine, self->ids, self->n, &whole, logits, err);
    note_moved(self, engine.forced.moved);
    e2e_engine_close(&engine);
    return status;
}

/* Returns the largest |a - b|; NaN if there is one. */
static double largest(const double *a, const double *b, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n && !isnan(most); i++) {
        const double d = fabs(a[i] - b[i]);
        most = d <= most ? most : d;
    }
    return most;
}

static void raise_free(e2e_truth *self, double error)
{
    if (!(error <= self->sigma_q) && !isnan(self->sigma_q))
        self->sigma_q = error;
}

/* Runs one variant of the declared arithmetic without forced codes and raises sigma_q to its error. */
static ifn_status run_free(e2e_truth *self, int index, float *logits, double *wide, ifn_error *err)
{
    const e2e_way way = way_of(self, 0);
    const e2e_chunks whole = {NULL, 0};
    const int64_t n = self->n * self->n_vocab;
    e2e_engine engine = {.weights = NULL};
    ifn_backend *variant;
    IFN_TRY(conform_variant_open(index, self->declared, NULL, &variant, err));
    ifn_status status = e2e_engine_open(&engine, self->model, variant, &way, NULL, err);
    if (status == IFN_OK)
        status = e2e_engine_run(&engine, self->ids, self->n, &whole, logits, err);
    e2e_engine_close(&engine);
    ifn_backend_close(variant);
    for (int64_t i = 0; status == IFN_OK && i < n; i++)
        wide[i] = (double)logits[i];
    if (status == IFN_OK)
        raise_free(self, largest(wide, self->logits, n));
    return status;
}

/* Calibrates sigma_q for declared arithmetic, which moves the inputs of quantizers by more than jolts do and so flips
 * more codes. */
static ifn_status calibrate_declared(e2e_truth *self, ifn_error *err)
{
    const size_t n = (size_t)(self->n * self->n_vocab);
    float *const logits = malloc(n * sizeof *logits);
    double *const wide = malloc(n * sizeof *wide);
    ifn_status status =
        logits && wide ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for logits");
    for (int i = 0; status == IFN_OK && i < E2E_JOLTED_RUNS; i++)
        status = run_free(self, i, logits, wide, err);
    free(logits);
    free(wide);
    return status;
}

static ifn_status calibrate_free(e2e_truth *self, ifn_error *err)
{
    const int64_t n = self->n * self->n_vocab;
    double *const jolted = malloc((size_t)n * sizeof *jolted);
    ifn_status status = jolted ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory");
    for (uint64_t i = 0; status == IFN_OK && i < E2E_JOLTED_RUNS; i++) {
        conform_truth_mode mode = self->mode;
        mode.jolt = JOLT;
        mode.seed = i + 1;
        status =
            conform_forward_f64(self->model, self->ids, self->n, &mode, NULL, NULL, jolted, err);
        raise_free(self, status == IFN_OK ? largest(jolted, self->logits, n) : 0);
    }
    free(jolted);
    return status == IFN_OK && self->declared ? calibrate_declared(self, err) : status;
}

/* Calibrates sigma. On a tiny model, whose rows have two blocks, fewer variants differ than 11.2 asks for, as a sum
 * of two terms has one order: then has_floor stays false, which is no error. */
static ifn_status calibrate(e2e_truth *self, ifn_error *err)
{
    int n_distinct;
    IFN_TRY(conform_noise_floor_of(run_variant, self, self->declared, self->n_steps, self->n_vocab,
                                   self->logits, CONFORM_NOISE_RUNS, NULL, self->sigma,
                                   self->variants, &n_distinct, err));
    self->has_floor = n_distinct >= CONFORM_NOISE_RUNS;
    return IFN_OK;
}

ifn_status e2e_truth_open(e2e_truth *self, const ifn_model *model, const conform_truth_mode *mode,
                          const conform_arithmetics *declared, const e2e_prompt *prompt,
                          bool with_free, ifn_error *err)
{
    *self = (e2e_truth){.model = model, .mode = *mode, .most_steps = 1 + MOVED};
    if (declared && !conform_arithmetics_are_plain(declared))
        self->declared = declared;
    self->n_vocab = ifn_model_hparams(model)->n_vocab;
    if (prompt->n < 1 || prompt->n_new < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "prompt '%s': %lld ids, expected 1 or more",
                        prompt->name, (long long)prompt->n);
    IFN_TRY(take_ids(self, prompt, err));
    IFN_TRY(compute(self, err));
    IFN_TRY(calibrate(self, err));
    self->has_free = with_free && self->is_narrow && !self->steps;
    return self->has_free ? calibrate_free(self, err) : IFN_OK;
}

void e2e_truth_close(e2e_truth *self)
{
    e2e_codes_close(&self->codes);
    free(self->steps);
    free(self->ids);
    free(self->logits);
    free(self->sigma);
    *self = (e2e_truth){.model = NULL};
}
