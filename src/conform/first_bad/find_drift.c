/*
 * No op breaks its contract, so a point of the graph that is far from truth shows that ops are combined wrongly. "Far"
 * means beyond the errors of correct backends with the declared arithmetic at the same point in the same mode. If the
 * mode narrows values, a code may flip in any run, so only gross errors count.
 */
#include "find_drift.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "declared.h"
#include "forward_f64.h"
#include "tap.h"
#include "variants.h"

#define FAR    8.0        /* times the noise */
#define FLOOR  0x1p-22    /* least bound, relative to the row's largest value, as runs are few */
#define NARROW 0x1p-4     /* the same if codes may flip */
enum { HONEST_RUNS = 3 }; /* runs of correct variants, besides scalar */

/* One point of the graph at all positions. */
typedef struct drift_point {
    char name[24];
    int64_t layer, cols;
    double *truth; /* [n, cols], owned */
    double noise;
    bool is_far; /* if so, the worst element: */
    int64_t position, col;
    double got, want, bound;
    tap_call call; /* the call that made it; its pointers are no longer valid, except `weight` */
    const ifn_tensor *weight;
} drift_point;

typedef struct drift {
    const ifn_model *model;
    const first_bad_mode *mode;
    int64_t n;
    bool is_narrow, is_calibrating, failed;
    drift_point *points; /* owned */
    int n_points, room;
} drift;

/* --- the truth --- */

static drift_point *add_point(drift *self)
{
    if (self->n_points == self->room) {
        const int room = self->room ? 2 * self->room : 64;
        drift_point *const more = realloc(self->points, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        self->points = more;
        self->room = room;
    }
    return &self->points[self->n_points++];
}

static void hear_truth(void *cookie, int64_t layer, const char *name, const double *data,
                       int64_t rows, int64_t cols)
{
    drift *const self = cookie;
    drift_point *const p = self->failed ? NULL : add_point(self);
    if (!p) {
        self->failed = 1;
        return;
    }
    *p = (drift_point){.layer = layer, .cols = cols};
    snprintf(p->name, sizeof p->name, "%s", name);
    p->truth = malloc((size_t)(rows * cols) * sizeof *data);
    if (p->truth)
        memcpy(p->truth, data, (size_t)(rows * cols) * sizeof *data);
    self->failed |= !p->truth;
}

static ifn_status compute_truth(drift *self, const ifn_token *ids, ifn_error *err)
{
    const ifn_activations activations =
        self->mode->graph == IFN_GRAPH_PRIMITIVE ? IFN_ACTIVATIONS_F32 : self->mode->activations;
    const conform_truth_mode mode = {.activations = activations,
                                     .cache = ifn_kv_dtype(self->mode->kv)};
    const conform_truth_sink sink = {hear_truth, self};
    const size_t n_logits = (size_t)(self->n * ifn_model_hparams(self->model)->n_vocab);
    double *const logits = malloc(n_logits * sizeof *logits);
    self->is_narrow = mode.cache != IFN_DTYPE_F32 || activations == IFN_ACTIVATIONS_Q8 ||
                      (activations == IFN_ACTIVATIONS_AUTO && ifn_model_is_quantized(self->model));
    const ifn_status status =
        logits ? conform_forward_f64(self->model, ids, self->n, &mode, &sink, NULL, logits, err)
               : IFN_ERR_NOMEM;
    free(logits);
    if (status == IFN_ERR_NOMEM || self->failed)
        return ifn_fail(err, IFN_ERR_NOMEM, "first bad op: out of memory for the truth");
    return status;
}

/* --- a run against it --- */

static drift_point *find_point(const drift *self, const tap_output *o)
{
    for (int i = 0; i < self->n_points; i++)
        if (self->points[i].layer == o->layer && strcmp(self->points[i].name, o->point) == 0)
            return &self->points[i];
    return NULL;
}

static double value_of(const tap_call *call, const tap_output *o, int64_t row, int64_t col)
{
    const unsigned char *const data = o->data;
    if (o->stride) {
        const int64_t block = ifn_dtype_block_elements(o->dtype);
        const size_t bytes = ifn_dtype_row_bytes(o->dtype, block);
        return conform_value_at(o->dtype, data + (size_t)(row * o->stride) * bytes, col);
    }
    const ifn_args *const a = (const ifn_args *)(const void *)call->args;
    const int64_t dim = a->kv_store.head_dim, head = col / dim;
    const int64_t at = head * a->kv_store.max_pos + a->kv_store.first_pos + row;
    return conform_value_at(o->dtype, data + (size_t)at * ifn_dtype_row_bytes(o->dtype, dim),
                            col % dim);
}

static double largest_of(const double *x, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Returns true if an element is out of bounds and farther from truth than the worst one so far. Comparisons accept by
 * "<=", so that a NaN is far. When calibrating, raises the noise instead. */
static bool is_farther(const drift *self, drift_point *p, int64_t position, int64_t col, double got,
                       double scale)
{
    const double want = p->truth[position * p->cols + col], off = fabs(got - want);
    if (self->is_calibrating) {
        p->noise = off <= p->noise ? p->noise : off;
        return false;
    }
    const double bound = fmax(FAR * p->noise, (self->is_narrow ? NARROW : FLOOR) * scale);
    if (off <= bound || (p->is_far && !(off > fabs(p->got - p->want))))
        return false;
    p->is_far = 1;
    p->position = position;
    p->col = col;
    p->got = got;
    p->want = want;
    p->bound = bound;
    return true;
}

static ifn_status compare(void *cookie, const tap_call *call, ifn_status status)
{
    const drift *const self = cookie;
    for (int i = 0; i < call->n_outputs; i++) {
        const tap_output *const o = &call->outputs[i];
        drift_point *const p = find_point(self, o);
        if (!p || p->cols != o->cols)
            continue;
        for (int64_t row = 0; row < call->n_pos && call->first_pos + row < self->n; row++) {
            const int64_t position = call->first_pos + row;
            const double scale = largest_of(p->truth + position * p->cols, p->cols);
            for (int64_t col = 0; col < p->cols; col++) {
                if (!is_farther(self, p, position, col, value_of(call, o, row, col), scale))
                    continue;
                p->call = *call;
                p->weight = o->weight;
            }
        }
    }
    return status;
}

static ifn_status run_tapped(drift *self, ifn_backend *backend, const ifn_token *ids,
                             ifn_error *err)
{
    ifn_backend *tap;
    const tap_hooks hooks = {.cookie = self, .after = compare, .writes_nothing = true};
    IFN_TRY(conform_tap_open(backend, self->model, &hooks, &tap, err));
    const ifn_status status =
        conform_run_mode(self->model, tap, self->mode, ids, self->n, NULL, NULL, err);
    ifn_backend_close(tap);
    return status;
}

/* Runs a correct backend, and closes it. */
static ifn_status run_honest(drift *self, ifn_backend *backend, const ifn_token *ids,
                             ifn_error *err)
{
    const ifn_status status = run_tapped(self, backend, ids, err);
    ifn_backend_close(backend);
    return status;
}

/* Measures the noise of scalar and of variants in the arithmetic that the backend declares. */
static ifn_status calibrate(drift *self, ifn_backend *tested, const ifn_token *ids, ifn_error *err)
{
    conform_arithmetics declared;
    ifn_backend *honest;
    conform_declared_arithmetics(tested, &declared);
    IFN_TRY(ifn_backend_open("scalar", NULL, &honest, err));
    IFN_TRY(run_honest(self, honest, ids, err));
    for (int i = 0; i < HONEST_RUNS; i++) {
        IFN_TRY(conform_variant_open(i, &declared, NULL, &honest, err));
        IFN_TRY(run_honest(self, honest, ids, err));
    }
    return IFN_OK;
}

static ifn_status search(drift *self, ifn_backend *backend, const ifn_token *ids, ifn_error *err)
{
    IFN_TRY(compute_truth(self, ids, err));
    self->is_calibrating = 1;
    IFN_TRY(calibrate(self, backend, ids, err));
    self->is_calibrating = 0;
    return run_tapped(self, backend, ids, err);
}

static void put_first_bad(const drift *self, first_bad_finding *out)
{
    for (int i = 0; i < self->n_points; i++) {
        const drift_point *const p = &self->points[i];
        if (!p->is_far)
            continue;
        out->kind = FIRST_BAD_GRAPH;
        out->layer = p->layer;
        snprintf(out->point, sizeof out->point, "%s", p->name);
        out->position = out->row = p->position;
        out->col = p->col;
        out->got = p->got;
        out->want = p->want;
        out->bound = p->bound;
        out->op = p->call.op;
        out->call = p->call.number;
        out->pass = p->call.pass;
        out->first_pos = p->call.first_pos;
        out->n_pos = p->call.n_pos;
        snprintf(out->weight, sizeof out->weight, "%s", p->weight ? p->weight->name : "");
        out->ratio = fabs(p->got - p->want) / p->bound;
        return;
    }
}

ifn_status conform_find_drift(const ifn_model *model, ifn_backend *backend,
                              const first_bad_mode *mode, const ifn_token *ids, int64_t n,
                              first_bad_finding *out, ifn_error *err)
{
    drift self = {.model = model, .mode = mode, .n = n};
    const ifn_status status = search(&self, backend, ids, err);
    if (status == IFN_OK)
        put_first_bad(&self, out);
    for (int i = 0; i < self.n_points; i++)
        free(self.points[i].truth);
    free(self.points);
    return status;
}
