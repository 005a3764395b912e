/* The specs refuse what the "Errors" line of each op's header names, argument by argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "paths.h"
#include "spec.h"
#include "test.h"

static spec_op *specs[IFN_OP_COUNT];

static int read_specs(void **state)
{
    (void)state;
    ifn_error err = {.text = ""};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    return 0;
}

static int free_specs(void **state)
{
    (void)state;
    spec_free_all(specs);
    return 0;
}

/* Returns the "Errors" paragraph in the comment of the op's header, which the caller frees; NULL if there is none. */
static char *errors_of(ifn_op op)
{
    char path[96];
    snprintf(path, sizeof path, "include/inferno/ops/%s.h", ifn_op_name(op));
    char *const header = read_file(source_path(path), NULL);
    assert_that(header, "%s is not there", path);
    const char *const from = strstr(header, "\n * Errors  ");
    const char *const spec = from ? strstr(from, "\n * Spec") : NULL;
    const char *const close = from ? strstr(from, "\n */") : NULL;
    const char *const stop = spec && spec < close ? spec : close;
    char *const errors = stop ? strndup(from, (size_t)(stop - from)) : NULL;
    free(header);
    return errors;
}

/* Returns 1 for what "Conventions" in ops.h refuses for every op: negative extents, null pointers, parts and
 * overlaps. The last three are no plain numbers. */
static int is_common(const ifn_op_arg *a, const spec_values *v)
{
    return v->kind == SPEC_NULL || ifn_arg_is_tensor(a) ||
           (a->kind == IFN_ARG_EXTENT && v->n == 1 && v->values[0] < 0);
}

/* Returns 1 if the "Errors" line names the argument and its value; else prints what is missing. */
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
    return cmocka_run_group_tests(tests, read_specs, free_specs);
}
