/*
 * Composition laws:
 *
 *   line        name = sum                    | each = name < sum
 *   sum         product (("+" | "-") product)*
 *   product     factor (("*" | "/") factor)*
 *   factor      number | "inf" | name | op "(" sum ("," sum)* ")" | "(" sum ")" | "-" factor
 *
 * A name is an arg, a dim, a line above or the variable of an `each` above; an op is one of the
 * op list. Arithmetic is for scalars and extents.
 */
#include <string.h>

#include "spec_read.h"

typedef struct parser {
    spec_doc *doc;
    const spec_op *spec;
    int index;     /* of the line */
    const char *p; /* what comes next */
    int depth;
} parser;

enum { MAX_DEPTH = 32 };

static ifn_status fail_law(parser *s, const char *expected)
{
    return spec_doc_fail_at(s->doc, s->spec->law_line[s->index], 1, "law: '%.30s', expected %s",
                            s->p, expected);
}

static void skip_spaces(parser *s)
{
    while (*s->p == ' ')
        s->p++;
}

static int takes(parser *s, char c)
{
    skip_spaces(s);
    if (*s->p != c)
        return 0;
    s->p++;
    return 1;
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The bytes of the name that comes next; 0: none does. */
static size_t name_length(const parser *s)
{
    size_t n = 0;
    if (!is_letter(*s->p))
        return 0;
    while (is_letter(s->p[n]) || is_digit(s->p[n]))
        n++;
    return n;
}

/* What a line defines: the name in front of " = ", or the variable of `each`. */
static int defines(const char *line, const char *name)
{
    const size_t n = strlen(name), prefix = strlen("each = ");
    if (strncmp(line, "each = ", prefix) == 0)
        line += prefix;
    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

static int is_known(const parser *s, const char *name)
{
    if (spec_find_arg(s->spec, name) || spec_find_dim(s->spec, name))
        return 1;
    for (int i = 0; i < s->index; i++)
        if (defines(s->spec->law[i], name))
            return 1;
    return 0;
}

static ifn_status read_sum(parser *s);

static ifn_status read_call(parser *s, const char *name, const char *at)
{
    ifn_op op;
    if (!ifn_op_from_name(name, &op)) {
        s->p = at;
        return fail_law(s, "the name of an op");
    }
    do
        IFN_TRY(read_sum(s));
    while (takes(s, ','));
    return takes(s, ')') ? IFN_OK : fail_law(s, "')' or ','");
}

static ifn_status read_name(parser *s)
{
    char name[SPEC_NAME_BYTES];
    const char *at = s->p;
    const size_t n = name_length(s);
    if (n >= sizeof name)
        return fail_law(s, "a shorter name");
    memcpy(name, s->p, n);
    name[n] = '\0';
    s->p += n;
    if (takes(s, '('))
        return read_call(s, name, at);
    if (is_known(s, name) || strcmp(name, "inf") == 0)
        return IFN_OK;
    s->p = at;
    return fail_law(s, "an arg, a dim or a name defined above");
}

static ifn_status read_number(parser *s)
{
    while (is_digit(*s->p) || *s->p == '.')
        s->p++;
    return IFN_OK;
}

static ifn_status read_factor(parser *s)
{
    while (takes(s, '-'))
        ;
    if (takes(s, '(')) {
        IFN_TRY(read_sum(s));
        return takes(s, ')') ? IFN_OK : fail_law(s, "')'");
    }
    if (is_digit(*s->p))
        return read_number(s);
    return name_length(s) ? read_name(s) : fail_law(s, "a number, a name or '('");
}

static ifn_status read_sum(parser *s)
{
    if (++s->depth > MAX_DEPTH)
        return fail_law(s, "less nesting");
    do
        IFN_TRY(read_factor(s));
    while (takes(s, '+') || takes(s, '-') || takes(s, '*') || takes(s, '/'));
    s->depth--;
    return IFN_OK;
}

ifn_status spec_check_law(spec_doc *doc, const spec_op *spec, int line_index)
{
    parser s = {.doc = doc, .spec = spec, .index = line_index, .p = spec->law[line_index]};
    const size_t n = name_length(&s);
    const int repeats = n == strlen("each") && strncmp(s.p, "each", n) == 0;
    if (n == 0)
        return fail_law(&s, "a name");
    s.p += n + strlen(" = ");
    if (repeats) {
        s.p += name_length(&s);
        if (!takes(&s, '<'))
            return fail_law(&s, "'name < count'");
    }
    IFN_TRY(read_sum(&s));
    skip_spaces(&s);
    return *s.p ? fail_law(&s, "an operator or the end") : IFN_OK;
}
