/* The command as a whole, on plugins with one fault each (plugins/faulty.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/ops.h>

#include "command.h"
#include "json.h"
#include "paths.h"
#include "patience.h"
#include "test.h"

static const char *faulty(const char *what)
{
    static char turns[4][256];
    static int turn;
    char *out = turns[turn++ % 4];
    snprintf(out, sizeof turns[0], FAULTY_PLUGIN "=%s", what);
    return out;
}

static void expect_said(char *out, const char *text)
{
    assert_that(strstr(out, text), "'%s' is missing in\n%s", text, out);
}

/* A planted fault is found, shrunk and written to a file. A second run from that file fails in the same way on the
 * plugin and passes on scalar. */
TEST(what_was_found_fails_again_from_its_file)
{
    char shrunk[256], *out;
    snprintf(shrunk, sizeof shrunk, "%s", temp_path("shrunk.yaml"));
    assert_int_equal(COMMAND(&out, "--backend", faulty("tail"), "--op", "matmul", "--cases", "100",
                             "--seed", "3", "--shrunk", shrunk),
                     1);
    expect_said(out, "matmul/F32/m=1,n=9,p=1/T0/");
    free(out);
    char *text = read_file(shrunk, NULL);
    expect_said(text, "  - case: matmul/F32/m=1,n=9,p=1/GO/written/raw/0/1.1/at=0,cut=0x0\n");
    expect_said(text, "    a: [[0, 0, 0, 0, 0, 0, 0, 0, 1]]\n");
    expect_said(text, "    out: [[1]]\n");
    free(text);
    assert_int_equal(COMMAND(&out, "--backend", faulty("tail"), "--backend", "scalar", "--spec",
                             shrunk, "--tap"),
                     1);
    expect_said(out, "=tail matmul: 1 cases, 0 refused, 1 failed\n");
    expect_said(out, "\n# value: matmul/F32/m=1,n=9,p=1/GO/");
    expect_said(out, "ok 2 - scalar matmul: 1 cases, 0 refused, 0 failed\n");
    free(out);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--spec", shrunk, "--quiet"), 0);
    temp_clean();
}

/* Splits a shell command line into words and removes quotes. Returns the number of words. */
static int split(char *line, const char *words[], int most)
{
    int n = 0;
    for (char *from = line; *from;) {
        char *to = from;
        assert_true(n < most);
        words[n++] = from;
        for (int is_quoted = 0; *from && (is_quoted || *from != ' '); from++)
            if (*from == '\'')
                is_quoted = !is_quoted;
            else
                *to++ = *from;
        from += *from == ' ';
        *to = '\0';
    }
    words[n] = NULL;
    return n;
}

/* Runs the command that the report ends a failure with, and expects it to fail by the same fault. */
static void expect_repeated(const char *report, const char *fault)
{
    enum { MOST_WORDS = 20 };
    const char *words[MOST_WORDS + 1], *const at = strstr(report, "  again:    inferno conform ");
    char line[2000], *out;
    assert_that(at, "no command in\n%s", report);
    const char *const command = at + strlen("  again:    inferno conform ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(command, "\n"), command);
    const int n = split(line, words, MOST_WORDS);
    assert_true(n >= 4);
    assert_that(command_run(&out, words) == 1, "%.*s passes", (int)strcspn(command, "\n"), command);
    expect_said(out, fault);
    free(out);
}

/* The path of the plugin needs quotes; the cases are by values, and the base is the one that was given. */
TEST(the_line_that_a_failure_ends_with_repeats_it)
{
    char odd[400], *out;
    snprintf(odd, sizeof odd, "%s=tail", temp_path("a plugin.so"));
    char path[400];
    snprintf(path, sizeof path, "%s", temp_path("a plugin.so"));
    assert_int_equal(symlink(FAULTY_PLUGIN, path), 0);
    assert_int_equal(COMMAND(&out, "--backend", odd, "--op", "matmul", "--cases", "100", "--seed",
                             "3", "--patience", "20"),
                     1);
    expect_said(out, " --values 'a: [[0, 0, 0, 0, 0, 0, 0, 0, 1]], ");
    expect_said(out, " --patience 20");
    expect_repeated(out, "value\n");
    free(out);
    temp_clean();
}

/* The fault shows in one call in 997: the command repeats the case until it fails. */
TEST(a_failure_now_and_then_is_repeated_until_it_shows)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend", faulty("rare"), "--case",
                             "matmul/F32/m=2,n=9,p=3/T2/normal/raw/0/1", "--repeat", "400"),
                     1);
    expect_said(out, "nondeterministic: failed ");
    expect_said(out, " of 400 tries");
    expect_said(out, " --repeat until --in-process\n");
    expect_repeated(out, "nondeterministic: failed 1 of ");
    free(out);
}

/* The run stops at its first failure, which a cheap case finds, and does not shrink it. */
TEST(fail_fast_stops_at_the_first_step_that_fails)
{
    char path[256], *out;
    const char *end;
    snprintf(path, sizeof path, "%s", temp_path("fast.json"));
    assert_int_equal(COMMAND(&out, "--backend", faulty("tail"), "--op", "matmul", "--op", "silu",
                             "--cases", "2000", "--fail-fast", "--json", path),
                     1);
    free(out);
    char *text = read_file(path, NULL);
    json *report = json_parse(text, &end);
    const json *cells = json_get(report, "cells"), *cell = &cells->items[0];
    assert_int_equal(cells->n, 1);
    assert_string_equal(json_get(cell, "op")->string, "matmul");
    assert_true(json_int(json_get(cell, "cases")) < 1000);
    assert_true(json_int(json_get(cell, "failed")) > 0);
    assert_string_equal(json_get(&json_get(report, "failures")->items[0], "smallest")->string, "");
    json_free(report);
    free(text);
    assert_int_equal(COMMAND(&out, "--backend", faulty("honest"), "--op", "matmul", "--cases",
                             "600", "--tap", "--fail-fast"),
                     0);
    expect_said(out, "=honest matmul: 7");
    expect_said(out, " cases, 0 refused, 0 failed");
    free(out);
    temp_clean();
}

/* Sanitizers end a process with a status at its exit, and the runner must not lose that. */
TEST(a_process_that_ends_badly_is_a_problem)
{
    char patience[16], too_long[96];
    snprintf(patience, sizeof patience, "%.0f", patience_times(1));
    snprintf(too_long, sizeof too_long, "its process did not end within %s s of being told to",
             patience);
    const struct {
        const char *option, *why;
    } rows[] = {{"leaving", "its process ended with status 9, expected 0"},
                {"dying", "its process ended by SIGSEGV, expected status 0"},
                {"undoing", "its process ended by SIGSEGV, expected status 0"},
                {"staying", too_long}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        char *out;
        assert_int_equal(COMMAND(&out, "--backend", faulty(rows[i].option), "--op", "add",
                                 "--cases", "60", "--patience", patience),
                         1);
        expect_said(out, rows[i].why);
        free(out);
    }
}

/* No case shows the race. ThreadSanitizer notices it, where the build has it, and the status of the process tells. */
TEST(a_race_is_noticed_where_somebody_watches)
{
#ifdef __SANITIZE_THREAD__
    const int want = 1;
#else
    const int want = 0;
#endif
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend", faulty("racing"), "--op", "matmul", "--cases", "60"), want);
    if (want)
        expect_said(out, "its process ended with status 66");
    free(out);
}

TEST(refusals_are_counted_and_must_be_declared)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend", faulty("frank"), "--op", "linear", "--cases", "60"),
                     0);
    expect_said(out, "(0 not declared): F16 ");
    free(out);
    assert_int_equal(COMMAND(&out, "--backend", faulty("shy"), "--op", "linear", "--cases", "60"),
                     1);
    expect_said(out, "cases of linear of F16, and its manifest does not say so\n");
    expect_said(out, " 0 failed, ");
    free(out);
}

TEST(a_backend_that_refuses_everything_fails)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend", faulty("lazy"), "--op", "matmul", "--dtype", "F32"),
                     1);
    expect_said(out, "=lazy: every case of matmul was refused\n");
    expect_said(out, "=lazy: not one case was executed\n");
    free(out);
}

TEST(results_cut_off_instead_of_rounded_are_biased)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend", faulty("cut"), "--op", "matmul", "--cases", "2000", "--tap"), 1);
    expect_said(out, "=cut matmul: ");
    expect_said(out, " 0 failed\n");
    expect_said(out, "=cut: matmul of F32 errs to or from zero: by -");
    free(out);
    (void)COMMAND(&out, "--backend", faulty("honest"), "--op", "matmul", "--cases", "600", "--tap");
    assert_null(strstr(out, "errs"));
    free(out);
}

/* Works out ranks by the definitions of spec/README.md once more, from the JSON alone. */
static int is_of(const json *cell, const char *backend)
{
    return strcmp(json_get(cell, "backend")->string, backend) == 0;
}

/* Returns the rank of a backend in a smoke run: Bronze if nothing failed. */
static const char *level_from(const json *report, const char *backend)
{
    const json *cells = json_get(report, "cells");
    int64_t ops = 0, wrong = 0;
    for (size_t i = 0; i < cells->n; i++) {
        const json *c = &cells->items[i];
        if (!is_of(c, backend))
            continue;
        ops += json_int(json_get(c, "computed")) > 0;
        wrong += json_int(json_get(c, "failed")) + json_int(json_get(c, "undeclared"));
        wrong += json_int(json_get(c, "blunt")) > 0 && json_int(json_get(c, "sharp")) == 0;
    }
    return ops < IFN_OP_COUNT || wrong ? "no level" : "Bronze";
}

TEST(levels_follow_from_the_report_alone)
{
    char path[256], *out;
    const char *nothing = faulty("nothing"), *tail = faulty("tail"), *end;
    snprintf(path, sizeof path, "%s", temp_path("a.json"));
    assert_int_equal(COMMAND(&out, "--backend", nothing, "--backend", tail, "--json", path), 1);
    expect_said(out, "=nothing: Bronze, all of it inherited from scalar; Silver: needs");
    expect_said(out, "=tail: no level, 1 ops of its own, the others inherited from scalar; Bronze");
    free(out);
    char *text = read_file(path, NULL);
    json *report = json_parse(text, &end);
    const json *backends = json_get(report, "backends");
    assert_int_equal(backends->n, 2);
    for (size_t i = 0; i < backends->n; i++) {
        const char *label = json_get(&backends->items[i], "label")->string;
        const char *said = json_get(&backends->items[i], "level")->string;
        assert_that(strcmp(level_from(report, label), said) == 0, "%s says %s, its counts %s",
                    label, said, level_from(report, label));
    }
    json_free(report);
    free(text);
    assert_int_equal(COMMAND(&out, "level", path), 1);
    expect_said(out, "=nothing: Bronze, all of it inherited from scalar");
    free(out);
    temp_clean();
}
