#include "gguf_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { N = 20000, NAME_BYTES = 48 };

typedef struct table {
    char (*names)[NAME_BYTES];
    size_t n;
} table;

static size_t n_looks; /* how often a name was read */

static ifn_string name_of(const void *t, size_t i)
{
    n_looks++;
    const char *name = ((const table *)t)->names[i];
    return (ifn_string){name, strlen(name)};
}

/* Makes numbered names with long common beginnings, in an order that is good for no sort. */
static table make_table(size_t n, size_t n_different)
{
    table t = {calloc(n, NAME_BYTES), n};
    if (!t.names)
        abort();
    for (size_t i = 0; i < n; i++)
        snprintf(t.names[i], NAME_BYTES, "a.long.common.beginning.%zu",
                 (i * 7919 + 13) % n_different);
    return t;
}

TEST(names_come_out_sorted_and_are_all_found)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 100, N};
    for (size_t k = 0; k < N_OF(sizes); k++) {
        const size_t n = sizes[k];
        table t = make_table(n + 1, 104729);
        size_t *order = malloc((n + 1) * sizeof *order);
        ifn_gguf_sort_names(order, n, name_of, &t);
        for (size_t i = 1; i < n; i++)
            assert_true(strcmp(t.names[order[i - 1]], t.names[order[i]]) < 0);
        assert_int_equal(ifn_gguf_find_repeated(order, n, name_of, &t), n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(ifn_gguf_find_name(order, n, name_of, &t, t.names[i]), i);
        assert_int_equal(ifn_gguf_find_name(order, n, name_of, &t, "a.long"), n);
        assert_int_equal(ifn_gguf_find_name(order, n, name_of, &t, ""), n);
        assert_int_equal(ifn_gguf_find_name(order, n, name_of, &t, "z"), n);
        free(order);
        free(t.names);
    }
}

TEST(a_repeated_name_is_found_as_the_later_one)
{
    table t = make_table(1000, 104729);
    size_t order[1000];
    strcpy(t.names[777], t.names[123]);
    ifn_gguf_sort_names(order, t.n, name_of, &t);
    assert_int_equal(ifn_gguf_find_repeated(order, t.n, name_of, &t), 777);
    free(t.names);
}

TEST(the_work_stays_n_log_n_even_when_all_names_are_equal)
{
    static const size_t different[] = {1, 2, 104729};
    for (size_t k = 0; k < N_OF(different); k++) {
        table t = make_table(N, different[k]);
        size_t *order = malloc(N * sizeof *order);
        n_looks = 0;
        ifn_gguf_sort_names(order, N, name_of, &t);
        /* Two comparisons a level, two looks each, 15 levels, twice over. */
        assert_true(n_looks <= (size_t)N * 15 * 2 * 2 * 2);
        free(order);
        free(t.names);
    }
}

typedef struct bytes_table {
    ifn_string names[3];
} bytes_table;

static ifn_string bytes_of(const void *t, size_t i)
{
    return ((const bytes_table *)t)->names[i];
}

TEST(names_are_bytes_and_may_hold_nul_or_be_empty)
{
    const bytes_table t = {{{"a\0b", 3}, {NULL, 0}, {"a", 1}}};
    size_t order[3];
    ifn_gguf_sort_names(order, 3, bytes_of, &t);
    assert_int_equal(ifn_gguf_find_repeated(order, 3, bytes_of, &t), 3);
    assert_int_equal(ifn_gguf_find_name(order, 3, bytes_of, &t, "a"), 2);
    assert_int_equal(ifn_gguf_find_name(order, 3, bytes_of, &t, ""), 1);
}
