#include "one_op.h"
#include "case_call.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "case_id.h"
#include "declared.h"
#include "flushed.h"
#include "judge.h"
#include "judge_run.h"
#include "output_file.h"
#include "spec.h"
#include "written_case.h"

enum { INPUT_BYTES_MAX = 1 << 20 }; /* two digits per byte: a file of two megabytes */

typedef struct writer {
    const call_judge *judge;
    const call_finding *finding;
    const ifn_call *args;
    const call_keep *keep;
    const char *name;
    conform_pool pool;
    conform_slot *slot; /* the current part; the pool's */
    spec_entry *entry;  /* its values; owned */
} writer;

/* A part of the call: some units and features; if units are heads, perhaps of one position only. */
typedef struct part {
    bool is_one_position;
    call_choice units, features;
} part;

/* --- parts, the smallest first --- */

static call_choice around(int64_t entry, int64_t n, int64_t width)
{
    const int64_t first = entry / width * width;
    return (call_choice){NULL, first, n - first < width ? n - first : width};
}

enum { PARTS_MAX = 8 };

static int list_parts(const call_finding *f, part *out)
{
    const call_view *const v = &f->view;
    const call_choice all_units = {NULL, 0, v->n_units}, all = {NULL, 0, v->n_features};
    const call_choice unit = f->unit < 0 ? all_units : (call_choice){NULL, f->unit, 1};
    int n = 0;
    if (f->feature >= 0) {
        out[n++] = (part){0, unit, {NULL, f->feature, 1}};
        out[n++] = (part){0, unit, around(f->feature, v->n_features, 16)};
        out[n++] = (part){0, unit, around(f->feature, v->n_features, 256)};
    }
    if (v->c.op == IFN_OP_ATTENTION || v->c.op == IFN_OP_KV_STORE) {
        out[n++] = (part){1, unit, all};
        out[n++] = (part){1, all_units, all};
    }
    out[n++] = (part){0, unit, all};
    out[n++] = (part){0, all_units, all};
    return n;
}

/* Returns the row of the call that the wrong element belongs to, for ops whose tensor rows are positions and heads. */
static int64_t row_of_call(const writer *w)
{
    const ifn_args *const a = (const ifn_args *)(const void *)w->args;
    const call_finding *const f = w->finding;
    if (f->view.c.op == IFN_OP_ATTENTION)
        return f->row / a->attention.n_heads;
    return f->view.c.op == IFN_OP_KV_STORE ? f->row % a->kv_store.max_pos - a->kv_store.first_pos
                                           : 0;
}

/* Returns false for a wrong cache row that the call does not store: it belongs to no row of the call. */
static bool has_position(const writer *w)
{
    const ifn_args *const a = (const ifn_args *)(const void *)w->args;
    const int64_t row = row_of_call(w);
    return w->finding->view.c.op != IFN_OP_KV_STORE || (row >= 0 && row < a->kv_store.rows);
}

/* --- a part as a case with values --- */

static size_t input_bytes(const conform_layout *l)
{
    size_t bytes = 0;
    for (int i = 0; i < l->n; i++)
        if (!l->t[i].absent && l->t[i].role != ROLE_OUT)
            bytes += l->t[i].bytes;
    return bytes;
}

static int fits(const call_view *v, const part *p)
{
    conform_case c = v->c;
    conform_layout l = {0};
    conform_view_resize(v, p->units.n, p->features.n, &c);
    return conform_case_layout(&c, &l) == IFN_OK && input_bytes(&l) <= INPUT_BYTES_MAX;
}

/* Builds the case as the runner will read it: as the golden entry of a spec without other entries. Returns 0 if the
 * part has no case or is too large. */
static int build(writer *w, const part *p)
{
    call_view v = w->finding->view;
    call_slice s;
    ifn_error err;
    if (p->is_one_position && has_position(w) &&
        conform_call_view_row(v.c.op, w->args, v.weight, row_of_call(w), &v))
        return 0;
    conform_pool_reset(&w->pool);
    if (!fits(&v, p))
        return 0;
    conform_call_gather(&v, w->keep, &p->units, &p->features, &w->pool, &s);
    conform_written_free(w->entry);
    w->entry = conform_written_of(&s.slot, w->name, SPEC_MAX_BYTES);
    if (!w->entry)
        return 0;
    spec_op *const spec = conform_pool_take(&w->pool, 1, sizeof *spec);
    spec->op = v.c.op;
    spec->n_golden = 1;
    spec->golden[0] = *w->entry;
    w->slot = conform_pool_take(&w->pool, 1, sizeof *w->slot);
    s.slot.c.seed = 1;
    return conform_slot_build(w->slot, &w->pool, &s.slot.c, spec, NULL, &err) == IFN_OK;
}

/* --- alone --- */

/* Compares outputs with the truth in the arithmetic that the backend declares. */
static bool is_right(judge_run *r, ifn_backend *backend)
{
    const conform_slot *const s = r->slot;
    const conform_declared d = conform_declared_of(backend, &s->c);
    conform_truth truth[CONFORM_MAX_TENSORS];
    conform_truth_under(s, &d, &r->judge->pool, truth);
    for (int i = 0; i < s->layout.n; i++) {
        conform_result res;
        if (!r->data[i] || (!truth[i].want && !truth[i].raw))
            continue;
        conform_compare(&s->layout.t[i], r->data[i], &truth[i], &res, NULL);
        if (res.n_wrong)
            return false;
    }
    return true;
}

/* Runs the case in plain memory, without guard pages, so that an access outside a tensor does not end the process. */
static int runs_right(const conform_slot *slot, ifn_backend *backend)
{
    if (ifn_backend_is_device(backend)) /* cannot use plain memory: not tried */
        return 1;
    conform_judge judge;
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_judge_open(&judge, backend, NULL);
    judge_run r = {
        .judge = &judge, .slot = slot, .module = conform_module_of(slot->c.op), .verdict = &v};
    for (int i = 0; i < slot->layout.n; i++) {
        if (slot->layout.t[i].absent)
            continue;
        r.data[i] = conform_pool_take(&judge.pool, slot->layout.t[i].bytes, 1);
        memcpy(r.data[i], slot->before[i], slot->layout.t[i].bytes);
    }
    judge_bind(&r);
    judge_prepare(&r);
    judge_bind(&r); /* now with the handles of packed weights */
    const bool is_done = judge_call(&r, backend, RUN_PLACE) == IFN_OK && is_right(&r, backend);
    judge_release(&r);
    conform_judge_close(&judge);
    return is_done && v.outcome == OUTCOME_PASS;
}

/* --- the file --- */

static void put(const void *what, FILE *out)
{
    const writer *const w = what;
    fputs("# The first bad op of a model's run, to be repeated by\n"
          "#   inferno conform --backend EXPR --case THIS\n"
          "# Inputs are those of the run, cut to what shows the failure; long ones are bytes.\n"
          "inferno: cases/1\ncases:\n",
          out);
    conform_written_put(w->slot, w->name, out);
}

static ifn_status write_slot(const writer *w, const char *path, one_op *out, ifn_error *err)
{
    struct stat st;
    IFN_TRY(conform_write_document(path, put, w, err));
    conform_case_id(&w->slot->c, out->case_id);
    out->file_bytes = stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
    return IFN_OK;
}

static ifn_status write_smallest(writer *w, const char *path, one_op *out, ifn_error *err)
{
    part parts[PARTS_MAX];
    const int n = list_parts(w->finding, parts);
    int largest = -1;
    for (int i = 0; i < n; i++) {
        if (!build(w, &parts[i]))
            continue;
        largest = i;
        if (runs_right(w->slot, w->judge->backend) || !runs_right(w->slot, w->judge->scalar))
            continue;
        out->is_repeated = true;
        return write_slot(w, path, out, err);
    }
    if (largest < 0 || !build(w, &parts[largest]))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: the call is too large for a file",
                        ifn_op_name(w->finding->view.c.op));
    return write_slot(w, path, out, err);
}

ifn_status conform_one_op_write(const call_judge *judge, const call_finding *finding,
                                const ifn_call *args, const call_keep *keep, const char *name,
                                const char *path, one_op *out, ifn_error *err)
{
    writer w = {.judge = judge, .finding = finding, .args = args, .keep = keep, .name = name};
    *out = (one_op){.is_repeated = false};
    conform_pool_init(&w.pool);
    const ifn_status status = write_smallest(&w, path, out, err);
    conform_written_free(w.entry);
    conform_pool_fini(&w.pool);
    return status;
}
