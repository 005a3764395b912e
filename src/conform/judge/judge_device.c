/*
 * A call of a backend that the host has the tensors of. A device has memory of its own: what the
 * call may touch is copied there, and what it has written back, so that for all that looks at
 * tensors they are where they always are.
 */
#include <string.h>

#include <inferno/signature_values.h>

#include "abi.h"
#include "float_control.h"
#include "gen.h"
#include "judge_device.h"

/* --- what a call may touch --- */

/* Of tensors that a relation has made, the call alone says how large they are. */
static size_t bytes_of(const ifn_op_signature *s, size_t at, const ifn_call *args, int i)
{
    const ifn_op_arg *const a = &s->args[at];
    int64_t rows = 1;
    if (a->n_dims == 0)
        return 0;
    for (int d = 0; d + 1 < a->n_dims; d++)
        if (ifn_dim_is_there(&a->dims[d], args))
            rows *= ifn_dim_length(&a->dims[d], args, i);
    const ifn_op_dim *const last = &a->dims[a->n_dims - 1];
    const int64_t cols = ifn_dim_is_there(last, args) ? ifn_dim_length(last, args, i) : 1;
    if (rows < 1 || cols < 1)
        return 0;
    const size_t row = ifn_arg_row_bytes(a, args, cols);
    size_t stride = row;
    if (at + 1 < s->n && s->args[at + 1].kind == IFN_ARG_STRIDE)
        stride = ifn_int64_at(args, s->args[at + 1].offset + (size_t)i * sizeof(int64_t)) *
                 ifn_arg_row_bytes(a, args, a->element == IFN_ELEMENT_Q8_32F ? 32 : 1);
    return (size_t)(rows - 1) * stride + row;
}

/* The tensor of the case that `p` lies in, as a part is called of the whole; -1: in none. One without
 * elements may stand where another begins. */
static int tensor_at(const judge_run *r, const void *p)
{
    const uintptr_t at = (uintptr_t)p;
    int empty = -1;
    for (int i = 0; i < r->slot->layout.n; i++) {
        const uintptr_t begin = (uintptr_t)r->data[i];
        if (!r->data[i] || at < begin)
            continue;
        if (at - begin < r->slot->layout.t[i].bytes)
            return i;
        if (at == begin)
            empty = i;
    }
    return empty;
}

static int count_of(ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const ifn_op_arg *const n = a->count > 1 ? ifn_op_arg_find(op, "n_w") : NULL;
    const int64_t n_w = n ? ifn_arg_integer(n, args) : a->count;
    return n_w < 0 ? 0 : n_w < a->count ? (int)n_w : a->count;
}

static bool is_of_device(const ifn_op_arg *a)
{
    return ifn_arg_is_tensor(a) && !a->is_host;
}

/* The second phase of attention reads what lies between them, as any other input. */
static bool is_written(ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const ifn_attention_args *const attention = (const ifn_attention_args *)args;
    if (a->kind == IFN_ARG_BETWEEN)
        return op != IFN_OP_ATTENTION || attention->phase != IFN_ATTENTION_MERGE;
    return ifn_arg_is_written(a);
}

static void add(judge_run *r, ifn_op op, const ifn_op_signature *s, size_t at, const ifn_call *args,
                int i)
{
    const ifn_op_arg *const a = &s->args[at];
    const void *const p = ifn_arg_pointer(a, args, i);
    const int tensor = tensor_at(r, p);
    const bool is_out = is_written(op, a, args);
    if (!p)
        return;
    const bool fits =
        tensor < 0
            ? device_image_add(&r->judge->image, a->name, p, bytes_of(s, at, args, i), is_out)
            : device_image_add(&r->judge->image, r->slot->layout.t[tensor].name, r->data[tensor],
                               r->slot->layout.t[tensor].bytes, is_out);
    if (!fits)
        conform_verdict_fail(r->verdict, CHECK_MEMORY,
                             "not executed: more than %d tensors in calls at once", DEVICE_RANGES);
}

void judge_device_begin(judge_run *r)
{
    if (r->judge->image.device)
        device_image_begin(&r->judge->image, r->overread);
}

void judge_device_add(judge_run *r, ifn_op op, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    if (!r->judge->image.device)
        return;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; is_of_device(&s.args[i]) && k < count_of(op, &s.args[i], args); k++)
            add(r, op, &s, i, args, k);
    if (args->scratch)
        (void)device_image_add(&r->judge->image, "scratch", args->scratch, args->scratch_bytes,
                               true);
}

/* --- there --- */

/* The doors of a lane wait for nobody but are in order with its calls. In half of the cases nobody
 * else waits either, so that a device whose doors are not in order is noticed. */
static bool is_hasty(const judge_run *r)
{
    return conform_hash(r->slot->c.seed, "haste", 0) % 2 == 1;
}

/* Now and then as many calls wait as a pass of a model has. */
static size_t copies_of(const judge_run *r)
{
    enum { TURN = 32 };
    static const size_t n[] = {80, 300, 1200};
    const uint64_t bits = conform_hash(r->slot->c.seed, "copies", 0);
    return bits % TURN ? 1 : n[bits / TURN % (sizeof n / sizeof *n)];
}

ifn_status judge_device_enter(judge_run *r, int32_t lane)
{
    if (!r->judge->image.device)
        return IFN_OK;
    r->judge->image.n_copies = copies_of(r);
    const ifn_status status =
        device_image_copy_in(&r->judge->image, is_hasty(r) ? lane : IFN_ALL_LANES);
    if (status == IFN_ERR_NOMEM)
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: the device has no %zu bytes",
                             r->judge->image.used);
    else if (r->judge->image.forgets)
        conform_verdict_fail(r->verdict, CHECK_INPUT,
                             "a buffer that was resized has lost what it held");
    else if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "copy_in of the tensors returned %s",
                             ifn_status_name(status));
    if (status == IFN_OK)
        judge_tell_device(r);
    return status;
}

static void point_there(const device_image *image, void *field)
{
    const void *p;
    memcpy(&p, field, sizeof p);
    void *const there = device_image_address(image, p);
    if (p && there)
        memcpy(field, &there, sizeof there);
}

void judge_device_show(const judge_run *r, ifn_op op, ifn_args *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const device_image *const image = &r->judge->image;
    if (!image->device)
        return;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; is_of_device(&s.args[i]) && k < count_of(op, &s.args[i], &args->call); k++)
            point_there(image, args->room + s.args[i].offset + (size_t)k * sizeof(void *));
    point_there(image, &args->call.scratch);
}

/* --- and back --- */

static void look_at(judge_run *r, int i, conform_run run)
{
    const device_image *const image = &r->judge->image;
    const device_range *const range = &image->ranges[i];
    int64_t offset = 0;
    const int n = device_image_slack_changed(image, i, &offset);
    if (n)
        judge_fail_slack(r, run, n, offset, range->bytes, range->name);
    if (range->is_written)
        memcpy(range->host, device_image_now(image, i), range->bytes);
    else if (!device_image_is_kept(image, i))
        conform_verdict_fail(r->verdict, CHECK_INPUT, "%s: input %s has changed",
                             conform_run_name(run), range->name);
}

/* Waits for the lanes of calls but for the one that is copied out on, which is none where there is
 * nothing to be copied. */
static ifn_status wait_for_others(const judge_run *r, judge_lanes lanes)
{
    ifn_status status = IFN_OK;
    if (!is_hasty(r) || r->judge->image.used == 0)
        return ifn_backend_synchronize(r->judge->image.device, IFN_ALL_LANES);
    for (int32_t i = lanes.begin; i < lanes.end; i++) {
        const ifn_status its =
            i == lanes.door ? IFN_OK : ifn_backend_synchronize(r->judge->image.device, i);
        status = status == IFN_OK ? its : status;
    }
    return status;
}

/* A copy_out that fails may fail for a call before it, which is told once, and has copied nothing:
 * *waited is how that call did, and what the second says is its own. */
static ifn_status copy_out(judge_run *r, judge_lanes lanes, ifn_status *waited)
{
    device_image *const image = &r->judge->image;
    *waited = wait_for_others(r, lanes);
    const ifn_status status = device_image_copy_out(image, lanes.door);
    if (status == IFN_OK || !is_hasty(r) || !ifn_backend_defers(image->device))
        return status;
    *waited = *waited == IFN_OK ? status : *waited;
    return device_image_copy_out(image, lanes.door);
}

ifn_status judge_device_leave(judge_run *r, conform_run run, judge_lanes lanes)
{
    device_image *const image = &r->judge->image;
    ifn_status waited;
    if (!image->device)
        return IFN_OK;
    const ifn_status status = copy_out(r, lanes, &waited);
    judge_tell_tensors(r);
    if (r->scratch.region)
        judge_tell_scratch(r);
    if (status != IFN_OK) {
        conform_verdict_fail(r->verdict, CHECK_STATUS, "copy_out of the tensors returned %s",
                             ifn_status_name(status));
        return waited;
    }
    for (int i = 0; i < image->n; i++)
        look_at(r, i, run);
    return waited;
}

/* How a call stands to a pass of the device: in one whose results are copied out after its end, in
 * one while it goes on, as who looks at a pass in its midst does, before one, or in none. */
typedef enum pass_turn { PASS_ENDS, PASS_GOES_ON, PASS_FOLLOWS, PASS_NONE, PASS_TURNS } pass_turn;

static pass_turn turn_of(const judge_run *r)
{
    return (pass_turn)(conform_hash(r->slot->c.seed, "pass", 0) % PASS_TURNS);
}

static ifn_status begin_pass(judge_run *r, int32_t lane)
{
    const ifn_status status = ifn_backend_begin(r->judge->image.device, lane);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "begin returned %s",
                             ifn_status_name(status));
    return status;
}

/* Copies out before the pass ends or after; returns how the call failed if it did so later. */
static ifn_status leave_pass(judge_run *r, conform_run run, int32_t lane, pass_turn turn)
{
    const judge_lanes lanes = {lane, lane + 1, lane};
    ifn_backend *const device = r->judge->image.device;
    const bool ends_first = turn == PASS_ENDS || turn == PASS_FOLLOWS;
    const ifn_status ended = ends_first ? ifn_backend_end(device, lane) : IFN_OK;
    const ifn_status waited = judge_device_leave(r, run, lanes);
    const ifn_status after = turn == PASS_GOES_ON ? ifn_backend_end(device, lane) : IFN_OK;
    return waited != IFN_OK ? waited : ended != IFN_OK ? ended : after;
}

/* After a call that has not run yet its inputs may be written to: the doors are in order. */
static ifn_status reuse_inputs(judge_run *r, int32_t lane, pass_turn turn)
{
    enum { TURN = 3 };
    device_image *const image = &r->judge->image;
    if (turn != PASS_NONE || !ifn_backend_defers(image->device) ||
        conform_hash(r->slot->c.seed, "reuse", 0) % TURN)
        return IFN_OK;
    const ifn_status status = device_image_reuse(image, lane);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "copy_in after the call returned %s",
                             ifn_status_name(status));
    return status;
}

/* Weights of a call: the tensors themselves, not their data, are arguments of it. */
typedef struct weights_shown {
    ifn_tensor w[IFN_LINEAR_MAX];
    int n;
} weights_shown;

/* Has the call show tensors that are its own... */
static void show_weights(ifn_op op, ifn_args *args, weights_shown *shown)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    shown->n = 0;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0;
             s.args[i].kind == IFN_ARG_WEIGHT && k < count_of(op, &s.args[i], &args->call); k++) {
            unsigned char *const field = args->room + s.args[i].offset + (size_t)k * sizeof(void *);
            const ifn_tensor *given, *own = &shown->w[shown->n];
            memcpy(&given, field, sizeof given);
            if (!given || shown->n == IFN_LINEAR_MAX)
                continue;
            shown->w[shown->n++] = *given;
            memcpy(field, &own, sizeof own);
        }
}

/* ... and that are nobody's when it has returned, as its other arguments. */
static void spoil_weights(weights_shown *shown)
{
    for (int i = 0; i < shown->n; i++)
        shown->w[i] = (ifn_tensor){.data = NULL};
}

/* Through the register guard. */
static ifn_status call_guarded(const judge_run *r, ifn_backend *backend, ifn_op op,
                               const ifn_call *args, uint32_t *changed)
{
    ifn_status status = IFN_OK;
    const uint64_t own = conform_float_control();
    if (r->turns_floats)
        conform_set_float_control(conform_float_control_other(own, r->slot->c.seed));
    *changed = conform_abi_call(conform_op_entry(op), backend, args, &status);
    if (r->turns_floats)
        conform_set_float_control(own);
    return status;
}

/* The call alone, between what may be around it. */
static ifn_status call_device(judge_run *r, ifn_backend *backend, ifn_op op, const ifn_call *args,
                              conform_run run, pass_turn turn, uint32_t *changed)
{
    ifn_args there;
    weights_shown weights;
    const size_t bytes = args->bytes < sizeof there ? args->bytes : sizeof there;
    memcpy(&there, args, bytes);
    judge_device_show(r, op, &there);
    show_weights(op, &there, &weights);
    const ifn_status status = call_guarded(r, backend, op, &there.call, changed);
    judge_end_twin(r->judge->process);
    memcpy(&there, args, bytes); /* who looks at them later finds addresses of the host */
    spoil_weights(&weights);
    if (turn == PASS_FOLLOWS && begin_pass(r, args->lane) != IFN_OK)
        return status;
    IFN_TRY(reuse_inputs(r, args->lane, turn));
    const ifn_status waited = leave_pass(r, run, args->lane, turn);
    return status == IFN_OK ? waited : status;
}

ifn_status judge_enter(judge_run *r, ifn_backend *backend, ifn_op op, const ifn_call *args,
                       conform_run run, uint32_t *changed)
{
    judge_tell_run(r, run);
    judge_tell_step(r);
    if (!r->judge->image.device)
        return call_guarded(r, backend, op, args, changed);
    *changed = 0;
    judge_device_begin(r);
    judge_device_add(r, op, args);
    const pass_turn turn = turn_of(r);
    IFN_TRY(judge_device_enter(r, args->lane));
    if (turn == PASS_ENDS || turn == PASS_GOES_ON)
        IFN_TRY(begin_pass(r, args->lane));
    return call_device(r, backend, op, args, run, turn, changed);
}

ifn_status judge_enter_other(judge_run *r, ifn_op op, const ifn_call *args, conform_run run)
{
    uint32_t changed;
    return judge_enter(r, r->judge->backend, op, args, run, &changed);
}
