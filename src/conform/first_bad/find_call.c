/* The hooks: `before` checks the inputs of a call for changes, `after` judges its outputs. */
#include "find_call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "one_op.h"

/* --- what a finding says of a call --- */

static const tap_output *output_of(const tap_call *call, const call_finding *f)
{
    for (int i = 0; f && i < call->n_outputs; i++)
        if (call->outputs[i].data == f->view.t[f->tensor].data)
            return &call->outputs[i];
    return NULL;
}

static void put_shapes(const call_view *v, char *out, size_t bytes)
{
    size_t at = 0;
    *out = '\0';
    for (int i = 0; i < v->l.n; i++) {
        const conform_tensor *const t = &v->l.t[i];
        const bool is_f32 = t->element != ELEMENT_BLOCKS || t->dtype == IFN_DTYPE_F32;
        if (t->absent || v->t[i].is_value)
            continue;
        const int n = snprintf(out + at, bytes - at, "%s%s [%lld,%lld]%s%s", at ? ", " : "",
                               t->name, (long long)t->rows, (long long)t->cols, is_f32 ? "" : " ",
                               is_f32 ? "" : ifn_dtype_name(t->dtype));
        if (n < 0 || (size_t)n >= bytes - at)
            return;
        at += (size_t)n;
    }
}

static void describe_call(first_bad_finding *r, const tap_call *call, const tap_output *o)
{
    const ifn_tensor *const w = o && o->weight ? o->weight : call->weight;
    snprintf(r->point, sizeof r->point, "%s", o ? o->point : call->stage);
    snprintf(r->weight, sizeof r->weight, "%s", w ? w->name : "");
    r->layer = o ? o->layer : call->layer;
    r->op = call->op;
    r->call = call->number;
    r->pass = call->pass;
    r->first_pos = r->position = call->first_pos;
    r->n_pos = call->n_pos;
}

/* Returns the position of the sequence that an element belongs to: its row in a cache, else from its row or column, as
 * rows or columns are divided evenly among the positions. */
static int64_t position_of(const tap_call *call, const call_finding *f)
{
    const ifn_args *const a = (const ifn_args *)(const void *)call->args;
    const int64_t rows = conform_view_rows(&f->view, f->tensor);
    const int64_t cols = f->view.l.t[f->tensor].cols;
    if (call->op == IFN_OP_KV_STORE)
        return f->row % a->kv_store.max_pos;
    if (call->n_pos > 0 && rows >= call->n_pos && rows % call->n_pos == 0)
        return call->first_pos + f->row / (rows / call->n_pos);
    if (call->n_pos > 0 && rows == 1 && cols % call->n_pos == 0)
        return call->first_pos + f->col / (cols / call->n_pos);
    return call->first_pos;
}

static int64_t ulp_of(const call_finding *f)
{
    if (f->view.l.t[f->tensor].element != ELEMENT_F32 || !isfinite(f->worst.got) ||
        !isfinite(f->worst.want))
        return -1;
    return conform_ulp_distance((float)f->worst.got, (float)f->worst.want);
}

static void describe_element(first_bad_finding *r, const tap_call *call, const call_finding *f)
{
    r->position = position_of(call, f);
    snprintf(r->tensor, sizeof r->tensor, "%s", f->view.l.t[f->tensor].name);
    r->row = f->row;
    r->col = f->col;
    r->got = f->worst.got;
    r->want = f->worst.want;
    r->bound = f->worst.bound;
    r->ratio = f->worst.ratio;
    r->ulp = ulp_of(f);
    r->n_wrong = f->n_wrong;
    r->n_looked = f->n_looked;
    snprintf(r->pattern, sizeof r->pattern, "%s", f->pattern);
    r->scalar_is_fine = f->scalar_is_fine;
    r->scalar_ratio = f->scalar_ratio;
}

/* --- findings --- */

static void found(first_bad_search *self, first_bad_kind kind, const tap_call *call,
                  const tap_output *o, const call_view *v)
{
    self->is_found = 1;
    self->finding->kind = kind;
    describe_call(self->finding, call, o);
    if (v)
        put_shapes(v, self->finding->shapes, sizeof self->finding->shapes);
}

static ifn_status write_file(first_bad_search *self, const tap_call *call, const call_finding *f)
{
    first_bad_finding *const r = self->finding;
    char name[64];
    one_op file;
    if (!self->yaml)
        return IFN_OK;
    if (r->layer >= 0)
        snprintf(name, sizeof name, "%.24s of layer %lld, call %lld", r->point, (long long)r->layer,
                 (long long)r->call);
    else
        snprintf(name, sizeof name, "%.24s, call %lld", r->point, (long long)r->call);
    ifn_error why = {0};
    const ifn_status status = conform_one_op_write(&self->judge, f, call->args, &self->keep, name,
                                                   self->yaml, &file, &why);
    if (status != IFN_OK) { /* the finding is valid without the file */
        snprintf(r->no_yaml, sizeof r->no_yaml, "%.255s", why.text);
        return IFN_OK;
    }
    snprintf(r->yaml, sizeof r->yaml, "%s", self->yaml);
    snprintf(r->case_id, sizeof r->case_id, "%s", file.case_id);
    r->yaml_bytes = file.file_bytes;
    r->is_repeated = file.is_repeated;
    return IFN_OK;
}

typedef struct look {
    first_bad_search *search;
    const tap_call *call;
} look;

/* Finds an input that has changed since another call wrote it. */
static int look_at_input(void *cookie, const call_view *v, int t)
{
    const look *const l = cookie;
    const conform_tensor *const tensor = &v->l.t[t];
    const bool is_read = tensor->role == ROLE_IN || tensor->role == ROLE_INOUT;
    first_bad_finding *const r = l->search->finding;
    if (tensor->absent || !is_read || v->t[t].map)
        return 0;
    const memory_written *const w =
        conform_watch_changed(&l->search->watch, v->t[t].data, conform_view_span(v, t));
    if (!w)
        return 0;
    found(l->search, FIRST_BAD_STATE, l->call, NULL, v);
    snprintf(r->tensor, sizeof r->tensor, "%s", tensor->name);
    snprintf(r->pattern, sizeof r->pattern, "not what call %lld, %s, has written",
             (long long)w->call, ifn_op_name(w->op));
    return 1;
}

static void before(void *cookie, const tap_call *call)
{
    first_bad_search *const self = cookie;
    if (self->is_found || self->status != IFN_OK)
        return;
    (void)conform_call_visit(call->op, call->args, look_at_input, &(look){self, call});
    self->status = conform_call_keep(call->op, call->args, &self->keep);
    if (self->status != IFN_OK)
        (void)ifn_fail(self->err, self->status, "%s: out of memory for its inputs",
                       ifn_op_name(call->op));
}

static int watch_output(void *cookie, const call_view *v, int t)
{
    const look *const l = cookie;
    if (conform_is_output(&v->l.t[t]))
        conform_watch_written(&l->search->watch, v->t[t].data, conform_view_span(v, t), l->call->op,
                              l->call->number);
    return 0;
}

/* A legal call that fails is a finding; the file of cases holds its inputs and the outputs it should have had. */
static ifn_status judge_failure(first_bad_search *self, const tap_call *call, ifn_status status)
{
    call_finding f = {.unit = -1, .feature = -1};
    found(self, FIRST_BAD_OP, call, call->n_outputs ? &call->outputs[0] : NULL, NULL);
    self->finding->status = status;
    if (conform_call_view(call->op, call->args, 0, &f.view))
        return IFN_OK;
    put_shapes(&f.view, self->finding->shapes, sizeof self->finding->shapes);
    return write_file(self, call, &f);
}

static ifn_status judge(first_bad_search *self, const tap_call *call)
{
    first_bad_finding *const r = self->finding;
    call_finding f;
    const char *why;
    IFN_TRY(
        conform_call_judge(&self->judge, call->op, call->args, &self->keep, &f, &why, self->err));
    r->n_judged += f.n_judged;
    r->n_total += f.n_total;
    r->n_unjudged += why != NULL;
    r->largest_ratio = fmax(r->largest_ratio, f.largest_ratio);
    if (!f.is_bad)
        return IFN_OK;
    found(self, FIRST_BAD_OP, call, output_of(call, &f), &f.view);
    describe_element(r, call, &f);
    return write_file(self, call, &f);
}

static ifn_status after(void *cookie, const tap_call *call, ifn_status status)
{
    first_bad_search *const self = cookie;
    self->finding->n_calls++;
    if (!self->is_found && self->status == IFN_OK)
        self->status = status == IFN_OK ? judge(self, call) : judge_failure(self, call, status);
    (void)conform_call_visit(call->op, call->args, watch_output, &(look){self, call});
    conform_call_keep_close(&self->keep);
    return self->is_found || self->status != IFN_OK ? IFN_ERR_NUMERIC : status;
}

tap_hooks conform_search_hooks(first_bad_search *self)
{
    return (tap_hooks){.cookie = self, .before = before, .after = after};
}
