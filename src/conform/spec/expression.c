#include "expression.h"

#include <math.h>

#include <inferno/signature_values.h>

static double scalar(const conform_scope *s, const char *name)
{
    const ifn_op_arg *const a = ifn_op_arg_find(s->spec->op, name);
    if (!a || !s->args)
        return (double)NAN;
    return a->kind == IFN_ARG_REAL ? (double)ifn_float_at(s->args, a->offset)
                                   : (double)ifn_arg_integer(a, s->args);
}

double conform_number(const conform_scope *s, int term)
{
    const spec_term *const t = &s->spec->terms[term];
    const int second = t->first ? s->spec->terms[t->first].next : 0;
    switch (t->kind) {
    case TERM_NUMBER:
        return t->number;
    case TERM_DIM:
        return (double)s->c->dim[t->index];
    case TERM_ARG:
        return scalar(s, s->spec->args[t->index].name);
    case TERM_DTYPE:
        return s->c->dtype;
    case TERM_OUT_DTYPE:
        return s->c->out_dtype;
    case TERM_LINE:
        return s->counts ? (double)s->counts[t->index] : (double)NAN;
    case TERM_NEGATE:
        return -conform_number(s, t->first);
    case TERM_ADD:
        return conform_number(s, t->first) + conform_number(s, second);
    case TERM_SUBTRACT:
        return conform_number(s, t->first) - conform_number(s, second);
    case TERM_MULTIPLY:
        return conform_number(s, t->first) * conform_number(s, second);
    case TERM_DIVIDE:
        return conform_number(s, t->first) / conform_number(s, second);
    default: /* a tensor: the reader refuses it in place of a number */
        return (double)NAN;
    }
}

bool conform_whole(const conform_scope *s, int term, int64_t *out)
{
    const double x = floor(conform_number(s, term));
    *out = fabs(x) <= 0x1p53 ? (int64_t)x : 0;
    return fabs(x) <= 0x1p53;
}

int conform_shape_of(const spec_op *spec, const conform_case *c, const spec_arg *arg, int64_t n,
                     int64_t shape[SPEC_MAX_SHAPE])
{
    const conform_scope scope = {.spec = spec, .c = c};
    double elements = 1;
    for (int i = 0; i < arg->n_shape; i++) {
        if (!conform_whole(&scope, arg->extent[i], &shape[i]))
            return 0;
        elements *= (double)shape[i];
    }
    return elements == (double)n ? arg->n_shape : 0;
}
