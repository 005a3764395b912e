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

const char *conform_check_name(conform_check check)
{
    return (size_t)check < CHECK_COUNT ? checks[check].name : "?";
}

const char *conform_check_text(conform_check check)
{
    return (size_t)check < CHECK_COUNT ? checks[check].text : "";
}

const char *conform_check_alone(conform_check check)
{
    return (size_t)check < CHECK_COUNT ? checks[check].alone : NULL;
}

const char *conform_check_run(conform_check check)
{
    return (size_t)check < CHECK_COUNT ? checks[check].run : NULL;
}

int conform_check_relation(conform_check check)
{
    return (size_t)check < CHECK_COUNT ? checks[check].relation : -1;
}

int conform_check_is_death(conform_check check)
{
    return check == CHECK_CRASH || check == CHECK_HANG || check == CHECK_MEMORY;
}

void conform_verdict_fail(conform_verdict *v, conform_check check, const char *format, ...)
{
    va_list list;
    if (v->outcome == OUTCOME_FAIL || v->muted >> check & 1)
        return;
    v->outcome = OUTCOME_FAIL;
    v->check = check;
    va_start(list, format);
    vsnprintf(v->detail, sizeof v->detail, format, list);
    va_end(list);
}
