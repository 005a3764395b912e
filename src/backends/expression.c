/* Splits backend expressions into stages. */
#include "expression.h"

#include <string.h>

#define BLANKS " \t"

/* The word without blanks around it; a terminator is written in place. */
static char *trim(char *word)
{
    word += strspn(word, BLANKS);
    size_t n = strlen(word);
    while (n > 0 && strchr(BLANKS, word[n - 1]))
        n--;
    word[n] = '\0';
    return word;
}

/* Ends one stage at `end`; its options, if any, begin after the first '='. */
static void split_stage(char *begin, ifn_expression *out)
{
    char *const equals = strchr(begin, '=');
    if (equals)
        *equals = '\0';
    out->stages[out->n].name = trim(begin);
    out->stages[out->n].options = equals ? trim(equals + 1) : "";
    out->n++;
}

static ifn_status check_stage(const char *whole, const char *begin, size_t n, ifn_error *err)
{
    begin += strspn(begin, BLANKS);
    if (n == IFN_EXPRESSION_MAX)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': more than %d in one stack", whole,
                        IFN_EXPRESSION_MAX);
    if (*begin == '\0')
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': a name is missing after ':'", whole);
    if (*begin == ':' || *begin == '=')
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': a name is missing before '%c'", whole,
                        *begin);
    return IFN_OK;
}

/* Checks before the text is split, so that messages show the expression as it was written. */
static ifn_status check(const char *text, ifn_error *err)
{
    const char *begin = text;
    for (size_t n = 0; begin; n++) {
        IFN_TRY(check_stage(text, begin, n, err));
        begin = strchr(begin, ':');
        if (begin)
            begin++;
    }
    return IFN_OK;
}

ifn_status ifn_expression_split(char *text, ifn_expression *out, ifn_error *err)
{
    *out = (ifn_expression){0};
    IFN_TRY(check(text, err));
    while (text) {
        char *const colon = strchr(text, ':');
        if (colon)
            *colon = '\0';
        split_stage(text, out);
        text = colon ? colon + 1 : NULL;
    }
    return IFN_OK;
}
