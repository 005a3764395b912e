#include "verdict.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name;
    int relation;
    const char *run, *text, *alone;
} checks[] = {
#define X(NAME, word, relation, attempt, run, text, alone) {word, relation, run, text, alone},
    CONFORM_CHECKS(X)
#undef X
};

const char *conform_fault_name(conform_fault fault)
{
    return (size_t)fault < FAULT_COUNT ? checks[fault].name : "?";
}

const char *conform_fault_text(conform_fault fault)
{
    return (size_t)fault < FAULT_COUNT ? checks[fault].text : "";
}

const char *conform_fault_alone(conform_fault fault)
{
    return (size_t)fault < FAULT_COUNT ? checks[fault].alone : NULL;
}

const char *conform_fault_run(conform_fault fault)
{
    return (size_t)fault < FAULT_COUNT ? checks[fault].run : NULL;
}

int conform_fault_invariance(conform_fault fault)
{
    return (size_t)fault < FAULT_COUNT ? checks[fault].relation : -1;
}

int conform_fault_is_death(conform_fault fault)
{
    return fault == FAULT_CRASH || fault == FAULT_HANG || fault == FAULT_MEMORY;
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
