/*
 * Expressions of a spec: sizes of tensors, and laws.
 *
 *   sum         product (("+" | "-") product)*
 *   product     factor (("*" | "/") factor)*
 *   factor      number | "inf" | "-" factor | "(" sum ")" | name | name part | call
 *   part        "[" sum ("," sum)* (":" sum)? "]"
 *   call        op "(" sum ("," sum)* ")"
 *
 * A name is a dim; in a law also an arg, dtype, out_dtype, or a name that an earlier line defines. Arithmetic
 * takes numbers, parts are of tensors.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spec_call.h"
#include "spec_read.h"

typedef struct parser {
    spec_doc *doc;
    spec_op *spec;
    const spec_place *place;
    const char *p; /* the next character */
    int depth;
} parser;

enum { MAX_DEPTH = 32 };

static ifn_status fail(parser *s, const char *at, const char *expected)
{
    return spec_doc_fail_at(s->doc, s->place->line, s->place->column, "%s: '%.30s', expected %s",
                            s->place->what, at, expected);
}

static bool takes(parser *s, char c)
{
    s->p += strspn(s->p, " ");
    if (*s->p != c)
        return false;
    s->p++;
    return true;
}

static ifn_status expect(parser *s, char c, const char *expected)
{
    return takes(s, c) ? IFN_OK : fail(s, s->p, expected);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of the name at p; 0: there is none. */
static size_t name_length(const char *p)
{
    return is_digit(*p)
               ? 0
               : strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static ifn_status add(parser *s, spec_term term, int *out)
{
    spec_op *const spec = s->spec;
    if (spec->n_terms + 1 >= SPEC_MAX_TERMS)
        return fail(s, s->p, "fewer expressions");
    *out = ++spec->n_terms;
    spec->terms[*out] = term;
    return IFN_OK;
}

bool spec_term_is_tensor(const spec_op *spec, int term)
{
    const spec_term *const t = &spec->terms[term];
    switch (t->kind) {
    case TERM_ARG:
        return !spec->args[t->index].is_scalar;
    case TERM_LINE:
        return !spec->law[t->index].repeats && spec_term_is_tensor(spec, spec->law[t->index].value);
    default:
        return t->kind == TERM_CALL || t->kind == TERM_PART;
    }
}

static ifn_status expect_kind(parser *s, const char *at, int term, bool is_tensor)
{
    if (spec_term_is_tensor(s->spec, term) == is_tensor)
        return IFN_OK;
    return fail(s, at, is_tensor ? "a tensor" : "a number");
}

static ifn_status read_sum(parser *s, int *out);

/* Appends an operand to `owner`, after `*last`; *last 0: it is the first one. */
static void append(parser *s, int owner, int *last, int operand)
{
    *(*last ? &s->spec->terms[*last].next : &s->spec->terms[owner].first) = operand;
    *last = operand;
}

static ifn_status read_number(parser *s, bool is_tensor, int *out)
{
    s->p += strspn(s->p, " ");
    const char *const at = s->p;
    IFN_TRY(read_sum(s, out));
    return expect_kind(s, at, *out, is_tensor);
}

static ifn_status read_operands(parser *s, int owner, const spec_call *call, const char *expected)
{
    const int n = call->n_tensors + call->n_numbers;
    for (int i = 0, last = 0; i < n; i++) {
        int operand;
        if (i > 0)
            IFN_TRY(expect(s, ',', expected));
        IFN_TRY(read_number(s, i < call->n_tensors, &operand));
        append(s, owner, &last, operand);
    }
    return expect(s, ')', expected);
}

static ifn_status read_call(parser *s, const char *name, const char *at, int *out)
{
    ifn_op op;
    spec_call call;
    char form[128];
    if (!ifn_op_from_name(name, &op) || !spec_call_of(op, &call))
        return fail(s, at, "an op of tensors and numbers with one result");
    spec_call_text(op, &call, form, sizeof form);
    IFN_TRY(add(s, (spec_term){.kind = TERM_CALL, .index = (int)op}, out));
    return read_operands(s, *out, &call, form);
}

/* Reads the part of a tensor: "[h, 0:n]". */
static ifn_status read_part(parser *s, const char *at, int *out)
{
    const int tensor = *out;
    int last = 0, index = 0, range = 0, end = 0;
    IFN_TRY(expect_kind(s, at, tensor, true));
    IFN_TRY(add(s, (spec_term){.kind = TERM_PART}, out));
    append(s, *out, &last, tensor);
    do {
        IFN_TRY(read_number(s, false, &index));
        if (takes(s, ':')) {
            IFN_TRY(add(s, (spec_term){.kind = TERM_RANGE, .first = index}, &range));
            append(s, *out, &last, range);
            IFN_TRY(read_number(s, false, &end));
            s->spec->terms[index].next = end;
            break;
        }
        append(s, *out, &last, index);
    } while (takes(s, ','));
    return expect(s, ']', "']' or ','");
}

/* Finds a name in a law. Lines come before args, because a line may define an arg. */
static bool find_in_law(const spec_op *spec, const char *name, spec_term *out)
{
    const spec_arg *const arg = spec_find_arg(spec, name);
    for (int i = spec->n_law; i-- > 0;)
        if (strcmp(spec->law[i].name, name) == 0) {
            *out = (spec_term){.kind = TERM_LINE, .index = i};
            return true;
        }
    if (arg && strcmp(arg->name, name) == 0)
        *out = (spec_term){.kind = TERM_ARG, .index = (int)(arg - spec->args)};
    else if (strcmp(name, "dtype") == 0)
        *out = (spec_term){.kind = TERM_DTYPE};
    else if (strcmp(name, "out_dtype") == 0)
        *out = (spec_term){.kind = TERM_OUT_DTYPE};
    else if (strcmp(name, "inf") == 0)
        *out = (spec_term){.kind = TERM_NUMBER, .number = (double)INFINITY};
    else
        return false;
    return true;
}

static bool find(const parser *s, const char *name, spec_term *out)
{
    if (!s->place->is_size && find_in_law(s->spec, name, out))
        return true;
    const spec_dim *const dim = spec_find_dim(s->spec, name);
    if (dim)
        *out = (spec_term){.kind = TERM_DIM, .index = (int)(dim - s->spec->dims)};
    return dim != NULL;
}

static ifn_status read_name(parser *s, int *out)
{
    char name[SPEC_NAME_BYTES] = "";
    const char *const at = s->p;
    const size_t n = name_length(at);
    const bool is_size = s->place->is_size;
    spec_term term;
    if (n >= sizeof name)
        return fail(s, at, "a shorter name");
    memcpy(name, at, n);
    s->p += n;
    if (!is_size && takes(s, '('))
        return read_call(s, name, at, out);
    if (!find(s, name, &term))
        return fail(s, at, is_size ? "a dim" : "an arg, a dim or a name defined above");
    IFN_TRY(add(s, term, out));
    return !is_size && takes(s, '[') ? read_part(s, at, out) : IFN_OK;
}

static ifn_status read_factor(parser *s, int *out)
{
    int operand;
    s->p += strspn(s->p, " ");
    if (takes(s, '-')) {
        if (++s->depth > MAX_DEPTH)
            return fail(s, s->p, "less nesting");
        const char *const at = s->p;
        IFN_TRY(read_factor(s, &operand));
        s->depth--;
        IFN_TRY(expect_kind(s, at, operand, false));
        return add(s, (spec_term){.kind = TERM_NEGATE, .first = operand}, out);
    }
    if (takes(s, '(')) {
        IFN_TRY(read_sum(s, out));
        return expect(s, ')', "')'");
    }
    if (!is_digit(*s->p))
        return name_length(s->p) ? read_name(s, out) : fail(s, s->p, "a number, a name or '('");
    char *end;
    const double number = strtod(s->p, &end);
    s->p = end;
    return add(s, (spec_term){.kind = TERM_NUMBER, .number = number}, out);
}

/* Makes a binary term: its first operand is *out, its second is read next. */
static ifn_status read_second(parser *s, spec_term_kind kind,
                              ifn_status (*read)(parser *s, int *out), const char *at, int *out)
{
    int second;
    IFN_TRY(expect_kind(s, at, *out, false));
    const char *const after = s->p;
    IFN_TRY(read(s, &second));
    IFN_TRY(expect_kind(s, after, second, false));
    s->spec->terms[*out].next = second;
    return add(s, (spec_term){.kind = kind, .first = *out}, out);
}

static ifn_status read_product(parser *s, int *out)
{
    const char *const at = s->p;
    IFN_TRY(read_factor(s, out));
    for (;;) {
        if (takes(s, '*'))
            IFN_TRY(read_second(s, TERM_MULTIPLY, read_factor, at, out));
        else if (takes(s, '/'))
            IFN_TRY(read_second(s, TERM_DIVIDE, read_factor, at, out));
        else
            return IFN_OK;
    }
}

static ifn_status read_sum(parser *s, int *out)
{
    const char *const at = s->p;
    if (++s->depth > MAX_DEPTH)
        return fail(s, s->p, "less nesting");
    IFN_TRY(read_product(s, out));
    for (;;) {
        if (takes(s, '+'))
            IFN_TRY(read_second(s, TERM_ADD, read_product, at, out));
        else if (takes(s, '-'))
            IFN_TRY(read_second(s, TERM_SUBTRACT, read_product, at, out));
        else
            break;
    }
    s->depth--;
    return IFN_OK;
}

ifn_status spec_read_term(spec_doc *doc, spec_op *spec, const spec_place *place, const char *text,
                          int *out)
{
    parser s = {.doc = doc, .spec = spec, .place = place, .p = text};
    IFN_TRY(read_sum(&s, out));
    s.p += strspn(s.p, " ");
    return *s.p ? fail(&s, s.p, "an operator or the end") : IFN_OK;
}
