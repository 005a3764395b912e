/*
 * Rows written as Q8_32F must equal, bit for bit, quantize_rows of the f32 rows that the same provider writes (numerics
 * 6, class I).
 */
#include <stdbool.h>

#include "judge_device.h"
#include "long_case.h"

/* Changes the call to write f32 rows to `room`; returns the arguments that quantize them. */
static ifn_quantize_rows_args ask_for_f32(judge_run *r, float *room, void *out)
{
    ifn_rms_norm_args *norm = &r->call.args.rms_norm;
    ifn_swiglu_args *glu = &r->call.args.swiglu;
    const bool is_norm = r->slot->c.op == IFN_OP_RMS_NORM;
    if (is_norm)
        norm->out = room, norm->out_dtype = IFN_DTYPE_F32;
    else
        glu->out = room, glu->out_dtype = IFN_DTYPE_F32;
    ifn_quantize_rows_args q =
        IFN_ARGS(quantize_rows, .out = out, .x = room, .rows = is_norm ? norm->rows : glu->rows,
                 .cols = is_norm ? norm->dim : glu->dim, .out_dtype = IFN_DTYPE_Q8_32F);
    const uint32_t bytes = q.call.bytes;
    q.call = r->call.args.call;
    q.call.bytes = bytes;
    return q;
}

static ifn_status quantize_f32(judge_run *r)
{
    judge_start(r);
    const int at = conform_tensor_index(&r->slot->layout, "out");
    const conform_tensor *t = &r->slot->layout.t[at];
    float *room = conform_pool_take(&r->judge->pool, (size_t)(t->rows * t->cols), sizeof *room);
    const ifn_quantize_rows_args q = ask_for_f32(r, room, r->data[at]);
    const ifn_status status = judge_call(r, r->judge->backend, RUN_FORM);
    return status == IFN_OK ? judge_enter_other(r, IFN_OP_QUANTIZE_ROWS, &q.call, RUN_FORM)
                            : status;
}

void judge_form(judge_run *r)
{
    const conform_case *c = &r->slot->c;
    const int writes_rows = c->op == IFN_OP_RMS_NORM || c->op == IFN_OP_SWIGLU;
    if (!conform_has_relations(c) || !writes_rows || c->out_dtype != IFN_DTYPE_Q8_32F)
        return;
    const ifn_status status = quantize_f32(r);
    if (status == IFN_ERR_UNSUPPORTED)
        return; /* counted where f32 results, or quantize_rows, are judged */
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_FORM, "%s: returned %s", conform_run_name(RUN_FORM),
                             ifn_status_name(status));
    else
        judge_owe(r, RUN_FORM, (judge_pair){c->op, quantize_f32});
}
