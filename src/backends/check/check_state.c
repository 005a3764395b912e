#include "check_state.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/clock.h>

#include "alloc_priv.h"
#include "check_scan.h"
#include "op_check_unseen.h"
#include "op_split.h"

ifn_status ifn_check_state_open(int32_t n_lanes, int stops, const ifn_allocator *alloc,
                                check_state **out, ifn_error *err)
{
    check_state *const self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    check_lane *const lanes = ifn_alloc_zeroed(alloc, (size_t)n_lanes, sizeof *lanes);
    *out = NULL;
    if (!self || !lanes) {
        ifn_free_array(alloc, lanes, (size_t)n_lanes, sizeof *lanes);
        ifn_free_array(alloc, self, 1, sizeof *self);
        return ifn_fail(err, IFN_ERR_NOMEM, "check: out of memory for %d lanes", (int)n_lanes);
    }
    *self = (check_state){.alloc = alloc, .n_lanes = n_lanes, .stops = stops, .lanes = lanes};
    *out = self;
    return IFN_OK;
}

void ifn_check_state_close(check_state *self)
{
    if (!self)
        return;
    ifn_free_array(self->alloc, self->lanes, (size_t)self->n_lanes, sizeof *self->lanes);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

/* A lane that the chain was not opened for has no record: the call is refused without a message. */
ifn_status ifn_check_state_before(check_state *self, ifn_backend *device, ifn_op op,
                                  const ifn_call *args)
{
    if (args->lane < 0 || args->lane >= self->n_lanes)
        return IFN_ERR_ARGUMENT;
    check_lane *const lane = &self->lanes[args->lane];
    lane->n_calls++;
    const ifn_status status =
        device ? ifn_op_check_unseen(op, args, &lane->why) : ifn_op_check(op, args, &lane->why);
    lane->has_why = status != IFN_OK;
    return status;
}

/* The first written operand with a number that is not finite, or NULL. */
static const ifn_operand *scan_results(const ifn_operands *operands, const check_source *source,
                                       check_place *place)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_WRITTEN &&
            ifn_check_scan(&operands->items[i], source, place))
            return &operands->items[i];
    return NULL;
}

/* 1 if an input can still be scanned: the call has not overwritten it. */
static bool is_left(const ifn_operands *operands, const ifn_operand *input)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_WRITTEN &&
            operands->items[i].data == input->data)
            return 0;
    return ifn_check_can_scan(input);
}

/* Writes "x is inf at row 0, element 3 already", or that all inputs are finite; nothing if it cannot know. */
static void describe_inputs(const ifn_operands *operands, const check_source *source, char *out,
                            size_t bytes)
{
    int all_seen = 1;
    out[0] = '\0';
    for (size_t i = 0; i < operands->n; i++) {
        const ifn_operand *const o = &operands->items[i];
        check_place place;
        if (o->role != IFN_OPERAND_READ || o->dtype == IFN_DTYPE_COUNT)
            continue;
        if (!is_left(operands, o)) {
            all_seen = 0;
        } else if (ifn_check_scan(o, source, &place)) {
            snprintf(out, bytes,
                     "; %s%s%.40s is %s at row %" PRId64 ", element %" PRId64 " already", o->name,
                     o->tensor ? " " : "", o->tensor ? o->tensor->name : "",
                     place.is_nan ? "nan" : "inf", place.row, place.element);
            return;
        }
    }
    if (all_seen)
        snprintf(out, bytes, "; what it read is finite");
}

static void describe_part(ifn_op op, const ifn_call *args, char *out, size_t bytes)
{
    const ifn_range part = ifn_op_get_part(op, args, 0);
    out[0] = '\0';
    if (part.end > 0)
        snprintf(out, bytes, " of part [%" PRId64 ",%" PRId64 ")", part.begin, part.end);
}

static void remember_weight(check_lane *lane, const ifn_operands *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].tensor)
            snprintf(lane->weight, sizeof lane->weight, "%s", operands->items[i].tensor->name);
}

static ifn_status describe(const check_lane *lane, const char *inner, ifn_op op,
                           const check_source *source, const ifn_operands *operands,
                           const ifn_operand *result, check_place place, ifn_error *out)
{
    const ifn_call *const args = source->args;
    char inputs[120], part[48], place_of_call[40];
    describe_inputs(operands, source, inputs, sizeof inputs);
    describe_part(op, args, part, sizeof part);
    ifn_call_place(args, place_of_call, sizeof place_of_call);
    return ifn_fail(out, IFN_ERR_NUMERIC,
                    "%s%s%s on %s: %s is %s at row %" PRId64 ", element %" PRId64
                    "%s%s; call %" PRIu64 "%s%s",
                    ifn_op_name(op), place_of_call[0] ? " at " : "", place_of_call, inner,
                    result->name, place.is_nan ? "nan" : "inf", place.row, place.element, part,
                    inputs, lane->n_calls, lane->weight[0] ? ", last weight " : "", lane->weight);
}

ifn_status ifn_check_state_after(check_state *self, const char *inner, ifn_backend *device,
                                 ifn_op op, const ifn_call *args)
{
    const check_source source = {device, args};
    check_lane *const lane = &self->lanes[args->lane];
    ifn_operands operands;
    check_place place;
    if (lane->has_finding && !self->stops)
        return IFN_OK;
    ifn_op_operands(op, args, &operands);
    remember_weight(lane, &operands);
    const ifn_operand *const result = scan_results(&operands, &source, &place);
    if (!result)
        return IFN_OK;
    const ifn_status status =
        describe(lane, inner, op, &source, &operands, result, place, &lane->why);
    if (!lane->has_finding) {
        lane->has_finding = 1;
        lane->finding = lane->why;
        lane->finding_ns = ifn_clock_ns();
    }
    lane->has_why = self->stops;
    return self->stops ? status : IFN_OK;
}

int ifn_check_state_explain(check_state *self, ifn_error *err)
{
    bool is_known = 0;
    for (int32_t i = self->n_lanes; i-- > 0;) {
        if (!self->lanes[i].has_why)
            continue;
        *err = self->lanes[i].why;
        self->lanes[i].has_why = 0;
        is_known = 1;
    }
    return is_known;
}

int ifn_check_state_finding(const check_state *self, ifn_error *out, uint64_t *when_ns)
{
    const check_lane *first = NULL;
    for (int32_t i = 0; i < self->n_lanes; i++)
        if (self->lanes[i].has_finding && (!first || self->lanes[i].finding_ns < first->finding_ns))
            first = &self->lanes[i];
    if (!first)
        return 0;
    *out = first->finding;
    *when_ns = first->finding_ns;
    return 1;
}
