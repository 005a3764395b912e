/* What the specs refuse is what the "Errors" lines of ops.h say, argument by argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "paths.h"
#include "spec.h"
#include "test.h"

static spec_op *specs[IFN_OP_COUNT];
static char *header;

static int read_both(void **state)
{
    (void)state;
    ifn_error err = {.text = ""};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    header = read_file(source_path("include/inferno/ops.h"), NULL);
    return header ? 0 : -1;
}

static int free_both(void **state)
{
    (void)state;
    spec_free_all(specs);
    free(header);
    return 0;
}

/* The "Errors" paragraph of the comment before the argument struct. The caller frees. */
static char *errors_of(ifn_op op)
{
    char end[64];
    snprintf(end, sizeof end, "typedef struct ifn_%s_args", ifn_op_name(op));
    const char *const after = strstr(header, end);
    const char *from = NULL;
    for (const char *at = header; (at = strstr(at, "\n * Errors  ")) && at < after; at++)
        from = at;
    /* The struct of this op is the first one after its comment. */
    const char *const next = from ? strstr(from, "typedef struct") : NULL;
    const char *stop = next == after && from ? strstr(from + 1, "\n * Spec") : NULL;
    const char *const close = next == after && from ? strstr(from, "\n */") : NULL;
    if (!close)
        return NULL;
    stop = stop && stop < close ? stop : close;
    return strndup(from, (size_t)(stop - from));
}

/* What "Conventions" of ops.h refuses for every op: negative extents, and null pointers, parts and
 * overlaps, which are no plain numbers. */
static int is_common(const ifn_op_arg *a, const spec_values *v)
{
    return v->kind == SPEC_NULL || ifn_arg_is_tensor(a) ||
           (a->kind == IFN_ARG_EXTENT && v->n == 1 && v->values[0] < 0);
}

/* 1 if the line says it; else tells. */
static int is_named(ifn_op op, const spec_entry *entry, const spec_values *v)
{
    const ifn_op_arg *const a = ifn_op_arg_find(op, v->name);
    if (!a || is_common(a, v))
        return 1;
    char *const errors = errors_of(op);
    const int is_nan = v->n == 1 && v->values[0] != v->values[0];
    const int is_there =
        errors && strstr(errors, a->name) && (!is_nan || strstr(errors, "NaN") != NULL);
    if (!is_there)
        print_error("%s: '%s' is refused: %s%s is not in:%s\n", ifn_op_name(op), entry->name,
                    a->name, is_nan ? " NaN" : "", errors ? errors : " (no Errors line)");
    free(errors);
    return is_there;
}

static void what_a_spec_refuses_the_header_says(void **state)
{
    (void)state;
    int n_missing = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int i = 0; i < specs[op]->n_refuse; i++)
            for (int k = 0; k < specs[op]->refuse[i].n_values; k++)
                n_missing +=
                    !is_named((ifn_op)op, &specs[op]->refuse[i], &specs[op]->refuse[i].values[k]);
    assert_int_equal(n_missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(what_a_spec_refuses_the_header_says)};
    return cmocka_run_group_tests(tests, read_both, free_both);
}
