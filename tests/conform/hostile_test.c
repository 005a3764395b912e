/*
 * Plugins that compute correctly and misbehave otherwise (plugins/hostile_rows.h), and what conform says of each. None
 * may delay the run, spoil the files that it writes, or pass as honest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "command.h"
#include "paths.h"
#include "patience.h"
#include "plugins/hostile_rows.h"
#include "test.h"

static int run(const char *wish, char **out)
{
    char patience[16];
    snprintf(patience, sizeof patience, "%.0f", patience_times(1));
    const int status =
        COMMAND(out, "--backend", hostile_backend(HOSTILE_PLUGIN, wish), "--op",
                strncmp(wish, "prepare", 7) == 0 || strncmp(wish, "release", 7) == 0 ? "linear"
                                                                                     : "rms_norm",
                "--cases", "24", "--fail-fast", "--quiet", "--patience", patience);
    unsetenv("HOSTILE");
    return status;
}

/* Expects status and text of the run, and in time: after a few calls that do not return, the run waits for no more. */
static void expect(const hostile_row *r)
{
    const uint64_t start = ifn_clock_ns();
    char *out;
    const int status = run(r->wish, &out);
    const double seconds = (double)(ifn_clock_ns() - start) * 1e-9;
    assert_that(status == r->conform, "%s: status %d, expected %d\n%s", r->wish, status, r->conform,
                out);
    assert_that(!r->report || strstr(out, r->report), "%s: '%s' is missing in\n%s", r->wish,
                r->report, out);
    assert_that(!strchr(out, 033) && !strstr(out, "\nok 1"), "%s: it reached the report\n%s",
                r->wish, out);
    assert_that(seconds < patience_times(120), "%s: %.0f s", r->wish, seconds);
    printf("%-20s %d %4.1f s\n", r->wish, status, seconds);
    free(out);
}

/* Returns 1 if a sanitizer hides the misbehaviour: it has a heap of its own, and maps memory beside the program's. */
static int is_unseen(const hostile_row *r)
{
    return INSTRUMENTED && r->report &&
           (strstr(r->report, "allocated memory") || strstr(r->report, "mapped memory"));
}

static void expect_all(const hostile_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_unseen(&rows[i]))
            expect(&rows[i]);
}

TEST(every_end_is_charged_to_its_case)
{
    expect_all(hostile_ends, N_OF(hostile_ends));
}

TEST(descriptors_lead_nowhere)
{
    expect_all(hostile_descriptors, N_OF(hostile_descriptors));
}

TEST(a_process_stays_as_it_was)
{
    expect_all(hostile_manners, N_OF(hostile_manners));
}

TEST(what_is_allowed_is_no_fault)
{
    expect_all(hostile_honest, N_OF(hostile_honest));
}
