/*
 * Makes a call of a backend whose tensors are on the host. For a device, the ranges that the call may touch are copied
 * to its memory, and those that it has written are copied back, so that all other code finds tensors on the host.
 */
#include <string.h>

#include <inferno/signature_values.h>

#include "abi.h"
#include "float_control.h"
#include "gen.h"
#include "host_lists.h"
#include "judge_device.h"

/* --- what a call may touch --- */

/* The bytes of a tensor that a relation has made, whose size only the call's arguments tell. */
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

/* The tensor of the case that contains `p`, as parts are called with the whole tensor's memory; -1: none. A tensor
 * without elements may begin where another one does. */
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

static bool is_of_device(const ifn_op_arg *a)
{
    return ifn_arg_is_tensor(a) && !a->is_host;
}

/* True for outputs. Partials between the phases of attention are an output of the first and an input of the second. */
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
        for (int k = 0; is_of_device(&s.args[i]) && k < host_lists_count(op, &s.args[i], args); k++)
            add(r, op, &s, i, args, k);
    if (args->scratch)
        (void)device_image_add(&r->judge->image, "scratch", args->scratch, args->scratch_bytes,
                               true);
}

/* --- there --- */

/* copy_in and copy_out on a lane do not wait for other lanes, but are in order with the calls of theirs. In half of the
 * cases the judge does not wait for other lanes either, so that a device whose copies are out of order is noticed. */
static bool is_hasty(const judge_run *r)
{
    return conform_hash(r->slot->c.seed, "haste", 0) % 2 == 1;
}

/* Now and then copies in so many steps that as many commands are queued as in a pass of a model. */
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
        for (int k = 0;
             is_of_device(&s.args[i]) && k < host_lists_count(op, &s.args[i], &args->call); k++)
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

/* Waits for all lanes. A hasty case waits only for the lanes of the calls, without the one that copies out. */
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

/* Copies out. A copy_out may return the error of a deferred call before it, which is returned only once; it has then
 * copied nothing. *waited gets that error, and the status of a second copy_out is returned. */
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

/* How a call relates to a pass (begin .. end) of the device: inside a pass that ends before results are copied out;
 * inside one that ends after that, as a reader in the middle of a pass has it; before a pass; or without one. */
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

/* Copies out after the pass has ended, or before. Returns the status of the call if it failed after it had returned. */
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

/* Overwrites the inputs of a deferred call that may not have run yet, which is legal: copies and calls of a lane are in
 * order. */
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

/* Makes the call through the register guard, in another rounding mode if r->turns_floats. */
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

/* What follows a call that has returned: passes, inputs that are overwritten, copies of the results. */
static ifn_status leave_call(judge_run *r, conform_run run, int32_t lane, pass_turn turn)
{
    if (turn == PASS_FOLLOWS && begin_pass(r, lane) != IFN_OK)
        return IFN_OK;
    IFN_TRY(reuse_inputs(r, lane, turn));
    return leave_pass(r, run, lane, turn);
}

/* True if the call may fail after it has returned. Only then is another lane waited for, as that may put in order what
 * a faulty device has out of order. */
static bool may_fail_late(const judge_run *r, conform_run run)
{
    return ifn_backend_defers(r->judge->image.device) &&
           (run == RUN_STATUS || r->slot->c.tier == TIER_REFUSE);
}

/* Waits for a lane that has no calls. A status that another wait has been told may come once more; after that it is no
 * status of this lane. */
static ifn_status wait_beside(const judge_run *r, int32_t lane)
{
    return ifn_backend_synchronize(r->judge->image.device, (lane + 1) % CONFORM_LANES);
}

static void expect_none_beside(judge_run *r, conform_run run, int32_t lane)
{
    const ifn_status status = wait_beside(r, lane);
    if (status != IFN_OK)
        conform_verdict_fail(
            r->verdict, CHECK_STATUS,
            "%s: synchronize of a lane without calls returned %s, which is of lane %d",
            conform_run_name(run), ifn_status_name(status), lane);
}

/* Makes the call on a device, and begins or ends the pass around it. */
static ifn_status call_device(judge_run *r, ifn_backend *backend, ifn_op op, const ifn_call *args,
                              conform_run run, pass_turn turn, uint32_t *changed)
{
    ifn_args there;
    host_lists lists;
    const size_t bytes = args->bytes < sizeof there ? args->bytes : sizeof there;
    memset(&there, 0, sizeof there);
    memcpy(&there, args, bytes);
    judge_device_show(r, op, &there);
    host_lists_show(r, op, &there, &lists);
    const bool looks_beside = may_fail_late(r, run);
    if (looks_beside)
        (void)wait_beside(r, args->lane);
    const ifn_status status = call_guarded(r, backend, op, &there.call, changed);
    judge_end_twin(r->judge->process);
    if (looks_beside)
        expect_none_beside(r, run, args->lane);
    memcpy(&there, args, bytes); /* a device that reads them later finds host addresses */
    host_lists_spoil(&lists);
    const ifn_status waited = leave_call(r, run, args->lane, turn);
    host_lists_mend(&lists);
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
