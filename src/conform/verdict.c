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

void conform_verdict_fail(conform_verdict *v, conform_fault fault, const char *format, ...)
{
    va_list list;
    if (v->outcome == OUTCOME_FAIL)
        return;
    v->outcome = OUTCOME_FAIL;
    v->fault = fault;
    va_start(list, format);
    vsnprintf(v->detail, sizeof v->detail, format, list);
    va_end(list);
}
