#include "operands.h"

/* The operators of C with their precedence, the weakest first. */
static const struct {
    const char *sign;
    int strength;
} strengths[] = {{",", 1},  {"=", 2},   {"+=", 2}, {"-=", 2},  {"*=", 2},  {"/=", 2},  {"%=", 2},
                 {"&=", 2}, {"|=", 2},  {"^=", 2}, {"<<=", 2}, {">>=", 2}, {"?", 3},   {":", 3},
                 {"||", 4}, {"&&", 5},  {"|", 6},  {"^", 7},   {"&", 8},   {"==", 9},  {"!=", 9},
                 {"<", 10}, {"<=", 10}, {">", 10}, {">=", 10}, {"<<", 11}, {">>", 11}, {"+", 12},
                 {"-", 12}, {"*", 13},  {"/", 13}, {"%", 13}};

enum { N_STRENGTHS = sizeof strengths / sizeof *strengths, CHOICE = 3, NO_OPERATOR = 100 };

static int strength_of(const token_list *t, size_t i)
{
    for (int k = 0; k < N_STRENGTHS; k++)
        if (token_is(t, i, strengths[k].sign) &&
            (strengths[k].strength <= 3 || token_is_binary(t, i)))
            return strengths[k].strength;
    return NO_OPERATOR;
}

static int is_open(const token_list *t, size_t i)
{
    return token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{");
}

static int is_close(const token_list *t, size_t i)
{
    return token_is(t, i, ")") || token_is(t, i, "]") || token_is(t, i, "}");
}

static int ends_expression(const token_list *t, size_t i)
{
    return token_is(t, i, ";") || token_is(t, i, "return") || is_open(t, i) ||
           token_is(t, i, "case");
}

operand operand_left(const token_list *t, size_t i)
{
    const int strength = strength_of(t, i);
    size_t first = i;
    while (first > 0) {
        const size_t k = first - 1;
        if (is_close(t, k) && !token_is(t, k, "}") && t->t[k].match < k)
            first = t->t[k].match;
        else if (is_close(t, k) || ends_expression(t, k) || strength_of(t, k) < strength ||
                 (strength == CHOICE && strength_of(t, k) == CHOICE)) /* a ? b : c ? d : e */
            break;
        else
            first = k;
    }
    return (operand){first, i - 1};
}

operand operand_right(const token_list *t, size_t i)
{
    const int strength = strength_of(t, i);
    size_t k = i + 1;
    while (k < t->n && !is_close(t, k) && !token_is(t, k, ";") && strength_of(t, k) > strength)
        k = is_open(t, k) && t->t[k].match > k ? t->t[k].match + 1 : k + 1;
    return (operand){i + 1, k - 1};
}

int operand_ends_at(const token_list *t, size_t i)
{
    return t->t[i].kind != TOKEN_SIGN || token_is(t, i, ")") || token_is(t, i, "]");
}

size_t operand_comma(const token_list *t, size_t i)
{
    const size_t end = t->t[i].match;
    for (size_t k = i + 1; k < end; k++) {
        if (token_is(t, k, ","))
            return k;
        if (is_open(t, k) && t->t[k].match > k)
            k = t->t[k].match;
    }
    return 0;
}

int operand_is_head(const token_list *t, size_t i)
{
    return i > 0 &&
           (token_is(t, i - 1, "if") || token_is(t, i - 1, "for") || token_is(t, i - 1, "while"));
}

size_t operand_statement_end(const token_list *t, size_t i)
{
    for (size_t k = i; k < t->n; k++) {
        if (token_is(t, k, ";"))
            return k;
        if (is_close(t, k))
            return i;
        if (is_open(t, k) && t->t[k].match > k)
            k = t->t[k].match;
    }
    return i;
}
