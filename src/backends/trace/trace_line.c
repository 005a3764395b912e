/* Writes a call as a line of text. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <inferno/trace.h>

#include "op_operands.h"
#include "op_split.h"

/* A line of text that is truncated to its room. */
typedef struct line {
    char *out;
    size_t bytes, used;
} line;

static void put(line *self, const char *format, ...) IFN_PRINTF(2, 3);

static void put(line *self, const char *format, ...)
{
    va_list args;
    const size_t left = self->bytes - self->used;
    if (left <= 1)
        return;
    va_start(args, format);
    const int length = vsnprintf(self->out + self->used, left, format, args);
    va_end(args);
    if (length > 0)
        self->used += (size_t)length < left ? (size_t)length : left - 1;
}

static void put_capitals(line *self, const char *name)
{
    for (; *name; name++)
        put(self, "%c", *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
}

/* "w[0]=[3072,1024]:Q8_0" */
static void put_operand(line *self, const ifn_operand *o)
{
    put(self, "%s=[", o->name);
    for (int i = 0; i < o->n_dims; i++)
        put(self, "%s%" PRId64, i ? "," : "", o->shape[i]);
    put(self, "]");
    if (o->dtype != IFN_DTYPE_F32 && o->dtype != IFN_DTYPE_COUNT)
        put(self, ":%s", ifn_dtype_name(o->dtype));
}

static void put_parts(line *self, const ifn_trace_call *call, const char *separator)
{
    static const char *const names[] = {"part", "part2"};
    for (int axis = 0; axis < 2; axis++) {
        const ifn_range part = ifn_op_get_part(call->op, call->args, axis);
        if (part.end == 0)
            continue;
        put(self, "%s%s=[%" PRId64 ",%" PRId64 ")", separator, names[axis], part.begin, part.end);
        separator = ", ";
    }
}

/* Writes the operands that the op reads, or those that it writes if it reads none. */
static void put_arguments(line *self, const ifn_trace_call *call)
{
    ifn_operands operands;
    const char *separator = "";
    ifn_op_operands(call->op, call->args, &operands);
    const int reads = operands.n > 0 && operands.items[0].role == IFN_OPERAND_READ;
    for (size_t i = 0; i < operands.n; i++) {
        const ifn_operand *const o = &operands.items[i];
        if (reads && o->role != IFN_OPERAND_READ)
            continue;
        put(self, "%s", separator);
        put_operand(self, o);
        separator = ", ";
    }
    put_parts(self, call, separator);
}

/* Writes the call's place in the forward pass, if it is stated. */
static void put_place(line *self, const ifn_trace_call *call)
{
    char place[40];
    if (!call->args || call->args->point == IFN_POINT_NONE)
        return;
    ifn_call_place(call->args, place, sizeof place);
    put(self, " %s", place);
}

static void put_time(line *self, uint64_t ns)
{
    const double us = (double)ns / 1e3;
    if (us < 999.95) /* prints as 999.9 at most */
        put(self, "%.1fus", us);
    else
        put(self, "%.3fms", us / 1e3);
}

size_t ifn_trace_line(const ifn_trace_call *call, char *out, size_t bytes)
{
    line self = {out, bytes, 0};
    if (bytes > 0)
        out[0] = '\0';
    for (int32_t i = 0; i < call->depth; i++)
        put(&self, "-> ");
    put(&self, "[");
    put_capitals(&self, call->inner->desc->name);
    put(&self, "] [%s] (", call->name);
    if (call->args && call->status == IFN_OK) /* else the arguments may be invalid */
        put_arguments(&self, call);
    put(&self, ") ");
    put_time(&self, call->end_ns - call->start_ns);
    put_place(&self, call);
    if (call->staged_bytes > 0)
        put(&self, " staged %.1fKB", (double)call->staged_bytes / 1e3);
    if (call->status != IFN_OK)
        put(&self, " %s", ifn_status_name(call->status));
    return self.used;
}
