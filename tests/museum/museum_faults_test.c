/* Checks the list of faults: its length, no duplicates, a file and a source for each. */
#include "museum_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <inferno/backend.h>

#include "detectors.h"
#include "paths.h"
#include "test.h"
#include "tree.h"

static const struct {
    const char *name, *op, *killer, *text, *source;
} faults[] = {
#define X(name, op, killer, text, source) {#name, #op, killer, text, source},
    MUSEUM_FAULTS(X)
#undef X
};

TEST(there_are_at_least_two_hundred_and_no_two_alike)
{
    assert_true(N_OF(faults) >= 200);
    for (size_t i = 0; i < N_OF(faults); i++)
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(faults[i].name, faults[j].name);
            assert_string_not_equal(faults[i].text, faults[j].text);
        }
}

static int detector_named(const char *name)
{
    for (int f = 0; f < DETECTOR_COUNT; f++)
        if (strcmp(conform_detector_name(f), name) == 0)
            return f;
    return -1;
}

TEST(each_expects_a_judgement_that_there_is)
{
    for (size_t i = 0; i < N_OF(faults); i++) {
        const int detector = detector_named(faults[i].killer);
        assert_that(*faults[i].killer && detector >= 0 && !conform_detector_is_crash(detector),
                    "%s: '%s' is no detector that judges", faults[i].name, faults[i].killer);
    }
}

/* A source is "project#number", "own", or a paper with its doi. */
TEST(each_says_what_it_follows)
{
    for (size_t i = 0; i < N_OF(faults); i++) {
        const char *source = faults[i].source, *number = strchr(source, '#');
        assert_that(strcmp(source, "own") == 0 || strstr(source, "doi:") ||
                        (number && number[1 + strspn(number + 1, "0123456789")] == '\0'),
                    "%s: found '%s'", faults[i].name, source);
        assert_true(strlen(faults[i].text) > 20);
    }
}

/* The order of sources: by project, ignoring case, then by number. */
static int compare_sources(const char *a, const char *b)
{
    const size_t na = strcspn(a, "#"), nb = strcspn(b, "#");
    const int order = strncasecmp(a, b, na > nb ? na : nb);
    if (na != nb || order)
        return order;
    const long x = atol(a + na + 1), y = atol(b + nb + 1);
    return x < y ? -1 : x > y;
}

TEST(the_wing_follows_issues_of_its_year_by_project_and_number)
{
    static const char *const sources[] = {
#define X(name, op, killer, text, source) source,
        MUSEUM_2026(X)
#undef X
    };
    assert_true(N_OF(sources) >= 60);
    for (size_t i = 0; i < N_OF(sources); i++) {
        assert_that(strchr(sources[i], '#') != NULL, "found '%s'", sources[i]);
        assert_that(i == 0 || compare_sources(sources[i - 1], sources[i]) <= 0,
                    "'%s' stands before '%s'", sources[i - 1], sources[i]);
    }
}

TEST(each_has_its_file_and_each_file_its_fault)
{
    char path[512];
    for (size_t i = 0; i < N_OF(faults); i++) {
        snprintf(path, sizeof path, "tests/museum/faults/%s.c", faults[i].name);
        assert_that(access(source_path(path), R_OK) == 0, "%s: missing", path);
    }
    tree files = tree_read(source_path("tests/museum/faults"));
    assert_int_equal(files.n, N_OF(faults));
    tree_free(&files);
}

TEST(every_op_has_a_fault)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        int n = 0;
        for (size_t i = 0; i < N_OF(faults); i++)
            n += strcmp(faults[i].op, ifn_op_name((ifn_op)op)) == 0;
        assert_that(n > 0, "%s: no fault", ifn_op_name((ifn_op)op));
    }
}

TEST(without_a_known_option_the_names_are_told)
{
    ifn_backend *backend = NULL;
    ifn_error err = {0};
    assert_int_not_equal(ifn_backend_open(MUSEUM, NULL, &backend, &err), IFN_OK);
    assert_non_null(strstr(err.text, faults[0].name));
    assert_int_not_equal(ifn_backend_open(MUSEUM "=nobody", NULL, &backend, &err), IFN_OK);
    assert_non_null(strstr(err.text, "'nobody'"));
}

TEST(a_fault_wrongs_one_op_and_leaves_the_others_to_the_base)
{
    for (size_t i = 0; i < N_OF(faults); i++) {
        char expression[1024];
        ifn_backend *backend;
        ifn_error err = {0};
        snprintf(expression, sizeof expression, "%s=%s:scalar", MUSEUM, faults[i].name);
        assert_ok(ifn_backend_open(expression, NULL, &backend, &err), err);
        for (int op = 0; op < IFN_OP_COUNT; op++)
            assert_int_equal(ifn_backend_implements(backend, (ifn_op)op),
                             strcmp(ifn_op_name((ifn_op)op), faults[i].op) == 0);
        ifn_backend_close(backend);
    }
}
