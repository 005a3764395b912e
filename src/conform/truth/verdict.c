#include "verdict.h"

#include <stdarg.h>
#include <stdio.h>

const char *conform_fault_name(conform_fault fault)
{
    static const char *const names[] = {
#define X(NAME, text) text,
        CONFORM_FAULTS(X)
#undef X
    };
    return (size_t)fault < FAULT_COUNT ? names[fault] : "?";
}

int conform_fault_is_death(conform_fault fault)
{
    return fault == FAULT_CRASH || fault == FAULT_HANG || fault == FAULT_MEMORY;
}

int conform_fault_invariance(conform_fault fault)
{
    static const conform_fault breaks[][2] = {
        {FAULT_REPEAT, FAULT_FRESH},
        {FAULT_PARTS, FAULT_THREADS},
        {FAULT_BATCH},
        {FAULT_CHUNKS},
        {FAULT_PLACE},
        {FAULT_VIEW},
        {FAULT_ALIAS},
        {FAULT_ORDER},
        {FAULT_PERMUTED},
        {FAULT_TRUNCATED},
    };
    for (int i = 0; fault != FAULT_NONE && i < CONFORM_INVARIANCES; i++)
        if (breaks[i][0] == fault || breaks[i][1] == fault)
            return i;
    return -1;
}

void conform_verdict_fail(conform_verdict *v, conform_fault fault, const char *format, ...)
{
    va_list list;
    if (v->outcome == OUTCOME_FAIL || v->muted >> fault & 1)
        return;
    v->outcome = OUTCOME_FAIL;
    v->fault = fault;
    va_start(list, format);
    vsnprintf(v->detail, sizeof v->detail, format, list);
    va_end(list);
}
