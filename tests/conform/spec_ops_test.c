/* The specs of ops repeat some facts of the op list and of the modules: both must be equal. */
#include <string.h>

#include "all_specs.h"
#include "case_call.h"
#include "module.h"
#include "test.h"

static void the_split_is_that_of_the_op_list(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int axis = 0; axis < 2; axis++)
            assert_that(specs[op]->split[axis] == ifn_op_cut((ifn_op)op, axis),
                        "%s: split %d differs from the op list", ifn_op_name((ifn_op)op), axis);
}

static void the_dims_are_those_of_the_module(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_module *m = conform_module_of((ifn_op)op);
        int n = 0;
        while (n < CONFORM_MAX_DIMS && m->dim_names[n])
            n++;
        assert_that(specs[op]->n_dims == n, "%s: %d dims, the module has %d",
                    ifn_op_name((ifn_op)op), specs[op]->n_dims, n);
        for (int i = 0; i < n; i++)
            assert_string_equal(specs[op]->dims[i].name, m->dim_names[i]);
    }
}

/* Returns 1 if the spec permits an overlap such as "out=x" by may_alias of out. */
static int permits_one(const spec_op *spec, const char *overlap, size_t length)
{
    for (int i = 0; i < spec->n_args; i++) {
        const spec_arg *arg = &spec->args[i];
        const size_t n = strlen(arg->name);
        if (strncmp(overlap, arg->name, n) != 0 || overlap[n] != '=')
            continue;
        for (int j = 0; j < arg->n_aliases; j++)
            if (strlen(arg->may_alias[j]) == length - n - 1 &&
                strncmp(arg->may_alias[j], overlap + n + 1, length - n - 1) == 0)
                return 1;
    }
    return 0;
}

/* Returns 1 if the spec permits all overlaps of a list such as "out=x,sum=add". */
static int permits(const spec_op *spec, const char *overlap)
{
    for (size_t n; *overlap; overlap += n + (overlap[n] == ',')) {
        n = strcspn(overlap, ",");
        if (!permits_one(spec, overlap, n))
            return 0;
    }
    return 1;
}

static void the_permitted_overlaps_are_those_of_the_module(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_module *m = conform_module_of((ifn_op)op);
        int n_spec = 0, n_module = 0, n_both = 0;
        for (int i = 0; i < specs[op]->n_args; i++)
            n_spec += specs[op]->args[i].n_aliases;
        for (; n_module < CONFORM_MAX_ALIASES && m->aliases[n_module]; n_module++)
            assert_that(permits(specs[op], m->aliases[n_module]), "%s: %s is not in the spec",
                        ifn_op_name((ifn_op)op), m->aliases[n_module]);
        for (int i = 0; i < n_module; i++)
            n_both += strchr(m->aliases[i], ',') != NULL;
        n_module -= n_both;
        assert_that(n_spec == n_module, "%s: %d overlaps, the module has %d",
                    ifn_op_name((ifn_op)op), n_spec, n_module);
    }
}

static void every_tensor_of_a_call_is_an_arg(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_case c = {.op = (ifn_op)op,
                          .dtype = specs[op]->legal_dtype,
                          .out_dtype = specs[op]->legal_out_dtype};
        conform_layout l = {0};
        memcpy(c.dim, specs[op]->legal, sizeof c.dim);
        assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
        for (int i = 0; i < l.n; i++)
            assert_that(spec_find_arg(specs[op], l.t[i].name), "%s: %s is no arg of the spec",
                        ifn_op_name((ifn_op)op), l.t[i].name);
    }
}

/* A new op needs a law, too, or a reason why it has none. */
static void every_op_has_a_law_or_says_why_it_has_none(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        assert_that((specs[op]->n_law > 0) != (specs[op]->no_law && *specs[op]->no_law),
                    "%s: expected a law, or no_law with a reason", ifn_op_name((ifn_op)op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_split_is_that_of_the_op_list),
        RUN(the_dims_are_those_of_the_module),
        RUN(the_permitted_overlaps_are_those_of_the_module),
        RUN(every_tensor_of_a_call_is_an_arg),
        RUN(every_op_has_a_law_or_says_why_it_has_none),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
