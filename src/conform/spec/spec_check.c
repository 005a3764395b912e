/*
 * Checks that need the whole file: names must be defined, sizes must fit.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arg_fields.h"
#include "spec_read.h"

static ifn_status read_extents(spec_doc *doc, spec_op *spec, spec_arg *arg)
{
    char what[SPEC_NAME_BYTES + 16];
    const spec_place place = {arg->line, arg->column, what, true};
    snprintf(what, sizeof what, "shape of %s", arg->name);
    for (int i = 0; i < arg->n_shape; i++)
        IFN_TRY(spec_read_term(doc, spec, &place, arg->shape[i], &arg->extent[i]));
    return IFN_OK;
}

static ifn_status check_arg(spec_doc *doc, spec_op *spec, spec_arg *arg)
{
    IFN_TRY(read_extents(doc, spec, arg));
    for (int i = 0; i < arg->n_aliases; i++)
        if (!spec_find_arg(spec, arg->may_alias[i]) || strcmp(arg->may_alias[i], arg->name) == 0)
            return spec_doc_fail_at(doc, arg->line, arg->column,
                                    "%s may_alias '%s', expected another arg", arg->name,
                                    arg->may_alias[i]);
    return IFN_OK;
}

/* True for the name of an arg, and for such a name with "_after": "out", "out_after". */
static bool is_arg_or_after(const spec_op *spec, const char *name)
{
    char arg[SPEC_NAME_BYTES];
    const size_t n = strlen(name), suffix = strlen("_after");
    if (spec_find_arg(spec, name))
        return true;
    if (n <= suffix || strcmp(name + n - suffix, "_after") != 0)
        return false;
    memcpy(arg, name, n - suffix);
    arg[n - suffix] = '\0';
    return spec_find_arg(spec, arg) != NULL;
}

static ifn_status bad_value(spec_doc *doc, const spec_values *v, const char *expected)
{
    return spec_doc_fail_at(doc, v->line, v->column, "%s: expected %s", v->name, expected);
}

static ifn_status check_golden_value(spec_doc *doc, const spec_op *spec, const spec_values *v)
{
    ifn_dtype ignored;
    if (strcmp(v->name, "dtype") == 0 || strcmp(v->name, "out_dtype") == 0)
        return v->kind == SPEC_NAMED && ifn_dtype_from_name(v->text, &ignored)
                   ? IFN_OK
                   : bad_value(doc, v, "a dtype");
    if (spec_find_dim(spec, v->name))
        return v->kind == SPEC_NUMBERS && v->depth == 0 ? IFN_OK : bad_value(doc, v, "a number");
    if (!is_arg_or_after(spec, v->name))
        return bad_value(doc, v, "an arg, a dim, dtype or out_dtype");
    return v->kind == SPEC_NUMBERS || v->kind == SPEC_BYTES ? IFN_OK
                                                            : bad_value(doc, v, "numbers or bytes");
}

/* Checks the value of a weight's member: one number for "w_1.dtype" and "w_1.n_dims", two for "w_1.shape". */
static ifn_status check_weight_field(spec_doc *doc, const spec_op *spec, const spec_values *v)
{
    char arg[SPEC_NAME_BYTES] = "";
    const char *dot = strchr(v->name, '.');
    const int64_t n = strcmp(dot, ".shape") == 0 ? 2 : 1;
    memcpy(arg, v->name, (size_t)(dot - v->name));
    if (!spec_find_arg(spec, arg))
        return bad_value(doc, v, "an arg before the dot");
    return v->kind == SPEC_NUMBERS && v->n == n
               ? IFN_OK
               : bad_value(doc, v, n == 2 ? "[rows, cols]" : "a number");
}

static bool is_part(const spec_values *v)
{
    return strcmp(v->name, "part") == 0 || strcmp(v->name, "part2") == 0;
}

/* True if the value becomes an integer of the call: a number of that name if the call has one, else a dim. */
static bool is_integer(const spec_op *spec, const spec_values *v)
{
    return v->kind == SPEC_NUMBERS &&
           (is_part(v) || conform_is_weight_field(v->name) ||
            (conform_has_field(spec->op, v->name) ? conform_has_integer(spec->op, v->name)
                                                  : spec_find_dim(spec, v->name) != NULL));
}

static bool fits_an_integer(double x)
{
    return x == floor(x) && x >= -9223372036854775808.0 && x < 9223372036854775808.0;
}

static ifn_status check_refuse_value(spec_doc *doc, const spec_op *spec, const spec_values *v)
{
    for (int64_t i = 0; is_integer(spec, v) && i < v->n; i++)
        if (!fits_an_integer(v->values[i]))
            return bad_value(doc, v, "an integer of 64 bits");
    if (is_part(v))
        return v->kind == SPEC_NUMBERS && v->n == 2 ? IFN_OK : bad_value(doc, v, "[begin, end]");
    if (strcmp(v->name, "dtype") == 0 || strcmp(v->name, "out_dtype") == 0 ||
        spec_find_dim(spec, v->name))
        return check_golden_value(doc, spec, v);
    if (conform_is_weight_field(v->name))
        return check_weight_field(doc, spec, v);
    if (!spec_find_arg(spec, v->name))
        return bad_value(doc, v,
                         "an arg, a weight's .dtype, .n_dims or .shape, a dim, dtype, out_dtype, "
                         "part or part2");
    if (v->kind == SPEC_NAMED && !spec_find_arg(spec, v->text))
        return bad_value(doc, v, "numbers, null or another arg to lie over");
    return IFN_OK;
}

static bool has_family(const spec_op *spec, conform_family family)
{
    for (int i = 0; i < spec->n_regimes; i++)
        if (spec->regimes[i].family == family)
            return true;
    return false;
}

static ifn_status check_always(spec_doc *doc, const spec_op *spec, const spec_always *always)
{
    for (int i = 0; i < always->n_families; i++)
        if (!has_family(spec, always->families[i]))
            return spec_doc_fail_at(doc, 1, 1, "always '%s': family %s, expected one of regimes",
                                    always->name, conform_family_name(always->families[i]));
    return IFN_OK;
}

ifn_status spec_check(spec_doc *doc, spec_op *spec)
{
    for (int i = 0; i < spec->n_always; i++)
        IFN_TRY(check_always(doc, spec, &spec->always[i]));
    for (int i = 0; i < spec->n_args; i++)
        IFN_TRY(check_arg(doc, spec, &spec->args[i]));
    for (int i = 0; i < spec->n_golden; i++)
        for (int j = 0; j < spec->golden[i].n_values; j++)
            IFN_TRY(check_golden_value(doc, spec, &spec->golden[i].values[j]));
    for (int i = 0; i < spec->n_refuse; i++)
        for (int j = 0; j < spec->refuse[i].n_values; j++)
            IFN_TRY(check_refuse_value(doc, spec, &spec->refuse[i].values[j]));
    return spec_read_law_lines(doc, spec);
}
