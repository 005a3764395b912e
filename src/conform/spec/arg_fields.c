#include "arg_fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <inferno/signature_values.h>

/* The index in an array argument that the suffix of a name gives: 2 for "_2"; -1: none. */
static int entry_of(const ifn_op_arg *a, const char *suffix)
{
    if (a->count < 2)
        return *suffix ? -1 : 0;
    const bool is_one = suffix[0] == '_' && suffix[1] >= '0' && suffix[1] < '0' + a->count;
    return is_one && !suffix[2] ? suffix[1] - '0' : -1;
}

/* Finds the number or stride of that name; *entry receives the index in an array argument. */
static const ifn_op_arg *find_field(ifn_op op, const char *name, int *entry)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++) {
        const ifn_op_arg *const a = &s.args[i];
        const size_t n = strlen(a->name);
        if ((ifn_arg_is_number(a) || a->kind == IFN_ARG_STRIDE) && strncmp(a->name, name, n) == 0 &&
            (*entry = entry_of(a, name + n)) >= 0)
            return a;
    }
    return NULL;
}

int conform_has_field(ifn_op op, const char *name)
{
    int ignored;
    return find_field(op, name, &ignored) != NULL;
}

int conform_has_integer(ifn_op op, const char *name)
{
    int ignored;
    const ifn_op_arg *const a = find_field(op, name, &ignored);
    return a != NULL && a->kind != IFN_ARG_REAL;
}

static void set_entry(ifn_args *args, const ifn_op_arg *a, int entry, int64_t value)
{
    if (entry > 0)
        memcpy(args->room + a->offset + (size_t)entry * sizeof value, &value, sizeof value);
    else
        ifn_arg_set_integer(a, &args->call, value);
}

int conform_set_field(ifn_op op, ifn_args *args, const char *name, double value)
{
    int entry = 0;
    const ifn_op_arg *const a = find_field(op, name, &entry);
    const float f32 = (float)value;
    if (a && a->kind == IFN_ARG_REAL)
        memcpy(args->room + a->offset, &f32, sizeof f32);
    else if (a)
        set_entry(args, a, entry, (int64_t)value);
    return a != NULL;
}

int conform_is_weight_field(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && (strcmp(dot, ".dtype") == 0 || strcmp(dot, ".n_dims") == 0 ||
                   strcmp(dot, ".shape") == 0);
}

static ifn_tensor *find_weight(ifn_tensor weights[IFN_LINEAR_MAX], const char *name, size_t n)
{
    for (int i = 0; i < IFN_LINEAR_MAX; i++) {
        const char *const own = weights[i].name;
        if (own && strlen(own) == n && memcmp(own, name, n) == 0)
            return &weights[i];
    }
    return NULL;
}

int conform_set_weight_field(ifn_tensor weights[IFN_LINEAR_MAX], const char *name,
                             const double *values, int64_t n)
{
    const char *dot = strchr(name, '.');
    ifn_tensor *w =
        conform_is_weight_field(name) ? find_weight(weights, name, (size_t)(dot - name)) : NULL;
    if (!w || n != (strcmp(dot, ".shape") == 0 ? 2 : 1))
        return 0;
    if (n == 2)
        w->shape[0] = (int64_t)values[0], w->shape[1] = (int64_t)values[1];
    else if (strcmp(dot, ".dtype") == 0)
        w->dtype = (ifn_dtype)(int)values[0];
    else
        w->n_dims = (int32_t)values[0];
    return 1;
}
