/* Runs inspect on every malformed file of the external data: one line, the right exit status, never a signal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "program.h"
#include "test.h"

enum { MAX_FIELDS = 8 };

/* One line of an index, with fields separated by tabs. */
typedef struct row {
    char *fields[MAX_FIELDS];
    int n;
} row;

static row split(char *line)
{
    row r = {0};
    for (char *at = line; at && r.n < MAX_FIELDS; r.n++) {
        r.fields[r.n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return r;
}

/* Calls `visit` for each line after the heading; returns the number of lines. */
static int for_each(const char *index, void (*visit)(const row *r))
{
    char *data = read_file(external_path(index), NULL);
    assert_non_null(data);
    int n = 0;
    char *next = strchr(data, '\n');
    while (next && *++next) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next = '\0';
        const row r = split(line);
        visit(&r);
        n++;
    }
    free(data);
    return n;
}

/* Expects this exit status; -1 allows 0 and 1. */
static void assert_ends(const program *p, const char *file, int status)
{
    assert_that(status < 0 ? p->status == 0 || p->status == 1 : p->status == status,
                "%s: exit status %d, expected %d: %s", file, p->status, status, p->err);
    const char *line_end = strchr(p->err, '\n');
    if (p->status == 1)
        assert_that(strncmp(p->err, "inferno: ", 9) == 0 && line_end && line_end[1] == '\0',
                    "%s: expected one line: %s", file, p->err);
    else
        assert_that(p->err_bytes == 0, "%s: on standard error: %s", file, p->err);
}

static int status_of(const char *verdict)
{
    return strcmp(verdict, "accept") == 0 ? 0 : strcmp(verdict, "reject") == 0 ? 1 : -1;
}

/* The fields are: file, bytes, sha256, verdict on the container, reason. */
static void inspect_file(const row *r)
{
    char path[512];
    if (strncmp(r->fields[0], "handmade/", 9) == 0)
        return;
    snprintf(path, sizeof path, "malformed/%s", r->fields[0]);
    program p = program_run("inferno", "inspect", external_path(path));
    assert_ends(&p, r->fields[0], status_of(r->fields[3]));
    program_free(&p);
}

/* The fields are: file, bytes, sha256, expected, level, reference, what. */
static void inspect_handmade(const row *r)
{
    char path[512];
    const int rejected_here = strcmp(r->fields[4], "container") == 0;
    const int either = strcmp(r->fields[3], "either") == 0;
    snprintf(path, sizeof path, "malformed/handmade/%s", r->fields[0]);
    program p = program_run("inferno", "inspect", external_path(path));
    assert_ends(&p, r->fields[0], either ? -1 : rejected_here);
    program_free(&p);
}

static void generate_handmade(const row *r)
{
    char path[512];
    snprintf(path, sizeof path, "malformed/handmade/%s", r->fields[0]);
    program p = program_run("inferno", "generate", external_path(path), "--ids", "1", "-n", "1");
    assert_ends(&p, r->fields[0], status_of(r->fields[3]));
    program_free(&p);
}

static void inspect_judges_every_file_as_its_index_does(void **state)
{
    (void)state;
    assert_true(for_each("malformed/index.tsv", inspect_file) > 200);
    assert_true(for_each("malformed/handmade/index.tsv", inspect_handmade) > 60);
}

static void generate_runs_or_refuses_every_handmade_file(void **state)
{
    (void)state;
    assert_true(for_each("malformed/handmade/index.tsv", generate_handmade) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(inspect_judges_every_file_as_its_index_does),
        RUN(generate_runs_or_refuses_every_handmade_file),
    };
    if (!external_path(""))
        return TEST_NOT_RUN;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
