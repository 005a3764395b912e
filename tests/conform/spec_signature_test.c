/* The arguments in spec/ops agree with the signatures of signature.h. */
#include <inferno/signature_values.h>

#include <string.h>

#include "case_call.h"
#include "expression.h"
#include "golden.h"
#include "module.h"
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

/* The names "w_i" and "out_stride_i" stand for arrays. */
static const ifn_op_arg *argument_of(const spec_op *spec, const spec_arg *arg)
{
    char name[SPEC_NAME_BYTES];
    const size_t n = strlen(arg->name);
    memcpy(name, arg->name, n + 1);
    if (n > 2 && strcmp(name + n - 2, "_i") == 0)
        name[n - 2] = '\0';
    return ifn_op_arg_find(spec->op, name);
}

static void every_argument_of_a_spec_is_one_of_the_signature(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        for (int i = 0; i < specs[op]->n_args; i++) {
            const ifn_op_arg *const a = argument_of(specs[op], &specs[op]->args[i]);
            assert_that(a, "%s has no argument %s", ifn_op_name((ifn_op)op),
                        specs[op]->args[i].name);
            assert_that(specs[op]->args[i].n_shape == 0 || ifn_arg_is_tensor(a) ||
                            a->kind == IFN_ARG_WEIGHT,
                        "%s: %s has a shape", ifn_op_name((ifn_op)op), a->name);
        }
    }
}

/* A scalar argument that a spec does not name is a dim of its cases, or follows from the dims. */
static void every_tensor_of_a_signature_is_in_the_spec(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_op_signature s = ifn_op_signature_of((ifn_op)op);
        for (size_t i = 0; i < s.n; i++) {
            int n = 0;
            for (int k = 0; k < specs[op]->n_args; k++)
                n += argument_of(specs[op], &specs[op]->args[k]) == &s.args[i];
            assert_that(n == 1 ||
                            !(ifn_arg_is_tensor(&s.args[i]) || s.args[i].kind == IFN_ARG_WEIGHT),
                        "%s: the spec has %d args %s", ifn_op_name((ifn_op)op), n, s.args[i].name);
        }
    }
}

static void both_permit_the_same_overlaps(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        for (int i = 0; i < specs[op]->n_args; i++) {
            const spec_arg *const arg = &specs[op]->args[i];
            const ifn_op_arg *const a = argument_of(specs[op], arg);
            int n = 0;
            for (int k = 0; k < IFN_ARG_MAX_EQUAL; k++)
                n += a->may_equal[k] != 0;
            assert_that(n == arg->n_aliases, "%s: %s may be %d others", ifn_op_name((ifn_op)op),
                        a->name, n);
            for (int k = 0; k < n; k++)
                assert_string_equal(ifn_op_arg_name_at((ifn_op)op, a->may_equal[k]),
                                    arg->may_alias[k]);
        }
    }
}

/* Binds the legal call of a spec to memory that no op reads. */
static void bind_legal(const spec_op *spec, conform_case *c, conform_call *call)
{
    static char nowhere[1 << 20];
    conform_layout l = {0};
    void *data[CONFORM_MAX_TENSORS];
    *c = conform_refuse_case(spec, 1);
    assert_int_equal(conform_case_layout(c, &l), IFN_OK);
    for (int i = 0; i < l.n; i++)
        data[i] = nowhere;
    conform_case_bind(c, &l, data, call);
}

static void assert_shape(const spec_op *spec, const spec_arg *arg, const conform_case *c,
                         const ifn_call *args)
{
    const ifn_op_arg *const a = argument_of(spec, arg);
    int n = 0;
    for (int i = 0; i < a->n_dims; i++) {
        const conform_scope scope = {.spec = spec, .c = c};
        int64_t said = -1;
        if (!ifn_dim_is_there(&a->dims[i], args))
            continue;
        assert_that(n < arg->n_shape && conform_whole(&scope, arg->extent[n], &said) &&
                        said == ifn_dim_length(&a->dims[i], args, 0),
                    "%s: dimension %d of %s is not what the spec says", ifn_op_name(spec->op), n,
                    a->name);
        n++;
    }
    assert_that(n == arg->n_shape, "%s: %s has %d dimensions, in the spec %d",
                ifn_op_name(spec->op), a->name, n, arg->n_shape);
}

static void shapes_of_a_legal_call_are_those_of_the_spec(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_case c;
        conform_call call = {0};
        bind_legal(specs[op], &c, &call);
        for (int i = 0; i < specs[op]->n_args; i++)
            if (specs[op]->args[i].n_shape > 0 &&
                ifn_arg_is_tensor(argument_of(specs[op], &specs[op]->args[i])))
                assert_shape(specs[op], &specs[op]->args[i], &c, &call.args.call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_argument_of_a_spec_is_one_of_the_signature),
        RUN(every_tensor_of_a_signature_is_in_the_spec),
        RUN(both_permit_the_same_overlaps),
        RUN(shapes_of_a_legal_call_are_those_of_the_spec),
    };
    return cmocka_run_group_tests(tests, read_specs, free_specs);
}
