#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define DIM "n: {edge: [0, 1, 5], random: [1, 64]}"

TEST(a_dimension_has_edges_and_a_range)
{
    spec_op *spec = assert_read(
        DIM, "n: {edge: [0, 1, 5], random: [2, 64], model: [576, 1536], multiple: 32, meaning: k}");
    const spec_dim *n = &spec->dims[0];
    assert_string_equal(n->name, "n");
    assert_int_equal(n->n_edges, 3);
    assert_int_equal(n->edges[2], 5);
    assert_int_equal(n->random_low, 2);
    assert_int_equal(n->random_high, 64);
    assert_int_equal(n->model_n, 2);
    assert_int_equal(n->model[1], 1536);
    assert_int_equal(n->multiple, 32);
    spec_op_free(spec);
}

TEST(a_dimension_without_a_range_stays_between_its_edges)
{
    spec_op *spec = assert_read(DIM, "n: {edge: [1, -2, 5, 0]}");
    assert_int_equal(spec->dims[0].random_low, -2);
    assert_int_equal(spec->dims[0].random_high, 5);
    spec_op_free(spec);
}

TEST(a_dimension_ends_at_its_limit_or_at_the_largest_size_named)
{
    static const struct {
        const char *dim;
        int64_t limit;
    } examples[] = {
        {"n: {edge: [1], random: [1, 64], limit: 8192}", 8192},
        {"n: {edge: [1, 100], random: [1, 64]}", 100},
        {"n: {edge: [1], random: [1, 64], model: [576]}", 576},
        {"n: {edge: [0, 1]}", 1},
    };
    for (size_t i = 0; i < N_OF(examples); i++) {
        spec_op *spec = assert_read(DIM, examples[i].dim);
        assert_int_equal(spec->dims[0].limit, examples[i].limit);
        spec_op_free(spec);
    }
}

TEST(a_dimension_is_complete_and_in_order)
{
    assert_refused(DIM, "n: {random: [1, 64]}", "14:6: no key 'edge', expected one");
    assert_refused(DIM, "n: {edge: []}", "14:6: no edge, expected one or more");
    assert_refused(DIM, "n: {edge: [1], random: [1]}",
                   "14:26: 1 numbers, expected the smallest and the largest");
    assert_refused(DIM, "n: {edge: [1], random: [2, 1]}",
                   "14:26: 2 numbers, expected the smallest and the largest");
    assert_refused(DIM, "n: {edge: [1], random: [1, 2, 3]}",
                   "14:33: entry 3 of a list, expected at most 2");
    assert_refused(DIM, "n: {edge: [1], multiple: 0}",
                   "14:28: a multiple of 0, expected 1 or more");
    assert_refused(DIM, "n: {edge: [1.5]}", "14:14: '1.5', expected an integer");
    assert_refused(DIM, "n: {edge: [1], step: 2}",
                   "14:18: unknown key 'step', expected random, limit, model, multiple, meaning");
    assert_refused(DIM, "n: {edge: [1], limit: 0}", "14:25: a limit of 0, expected 1 or more");
    assert_refused(DIM, "n: {edge: [1, 9], limit: 8}", "14:6: a limit of 8, expected at least 9");
    assert_refused(DIM, "n: {edge: [1], model: [1, 2, 3, 4, 5, 6, 7, 8, 9]}",
                   "14:50: entry 9 of a list, expected at most 8");
}

TEST(there_are_not_more_dimensions_than_a_case_has)
{
    char many[1000] = DIM "\n";
    for (int i = 0; i < 8; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "  d%d: {edge: [1]}\n", i);
    assert_refused(DIM, many, "22:3: too many dims, expected at most 8");
}
