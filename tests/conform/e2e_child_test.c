/* Work in a child process, and what its end is reported as. */
#include "e2e_child.h"

#include <signal.h>
#include <unistd.h>

#include "test.h"

typedef enum how { FINE, KILLED, EXITED, EXITED_WELL, HUNG } how;

static int n_here; /* how many works ran in this process */

static void work(void *cookie)
{
    const how its = *(const how *)cookie;
    n_here++;
    if (its == KILLED)
        raise(SIGKILL);
    if (its == EXITED)
        _exit(7);
    if (its == EXITED_WELL)
        _exit(0);
    while (its == HUNG)
        pause();
}

static void expect(how its, const char *text)
{
    char got[E2E_ENDING_BYTES];
    const e2e_ending end = e2e_child_run(false, its == HUNG ? 1 : 60, work, &its);
    assert_int_equal(e2e_ending_is_fine(&end), its == FINE);
    if (its != FINE)
        assert_string_equal(e2e_ending_text(&end, got), text);
    assert_int_equal(n_here, 0);
}

TEST(how_a_process_ends_is_said)
{
    expect(FINE, "");
    expect(KILLED, "killed by signal 9");
    expect(EXITED, "the process ended with status 7");
    expect(EXITED_WELL, "the process ended with status 0");
    expect(HUNG, "not done after 1 s");
}

TEST(in_process_nothing_is_forked)
{
    how its = FINE;
    const e2e_ending end = e2e_child_run(true, 60, work, &its);
    assert_true(e2e_ending_is_fine(&end));
    assert_int_equal(n_here, 1);
    n_here = 0;
}
