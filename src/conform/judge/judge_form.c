/*
 * Rows written as Q8_32F are, bit for bit, quantize_rows of what the same backend gives in f32
 * (numerics 6, class I).
 */
#include "judge_device.h"
#include "long_case.h"

/* Makes the call one for f32 rows in `room`; returns how the rows are quantized then. */
static ifn_quantize_rows_args ask_for_f32(judge_run *r, float *room, void *out)
{
    ifn_rms_norm_args *norm = &r->call.args.rms_norm;
    ifn_swiglu_args *glu = &r->call.args.swiglu;
    const int is_norm = r->slot->c.op == IFN_OP_RMS_NORM;
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

void judge_form(judge_run *r)
{
    const conform_slot *s = r->slot;
    ifn_backend *backend = r->judge->backend;
    const int writes_rows = s->c.op == IFN_OP_RMS_NORM || s->c.op == IFN_OP_SWIGLU;
    if (!conform_has_relations(&s->c) || !writes_rows || s->c.out_dtype != IFN_DTYPE_Q8_32F)
        return;
    judge_start(r);
    const int at = conform_tensor_index(&s->layout, "out");
    const conform_tensor *t = &s->layout.t[at];
    float *room = conform_pool_take(&r->judge->pool, (size_t)(t->rows * t->cols), sizeof *room);
    const ifn_quantize_rows_args q = ask_for_f32(r, room, r->data[at]);
    ifn_status status = judge_call(r, backend, RUN_FORM);
    if (status == IFN_OK)
        status = judge_enter_other(r, IFN_OP_QUANTIZE_ROWS, &q.call, RUN_FORM);
    if (status == IFN_ERR_UNSUPPORTED)
        return; /* counted where f32 results, or quantize_rows, are judged */
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, FAULT_FORM, "%s: returned %s", conform_run_name(RUN_FORM),
                             ifn_status_name(status));
    else
        judge_same(r, RUN_FORM);
}
