#include "worker_line.h"

#include <sys/wait.h>
#include <unistd.h>

#include "case_pool.h"
#include "patience.h"
#include "test.h"

static conform_line *open_line(conform_pool *pool)
{
    conform_pool_init_shared(pool, sizeof(conform_line) + 65536);
    conform_line *const line = conform_pool_take(pool, 1, sizeof *line);
    assert_true(conform_line_open(line));
    return line;
}

/* Answers twice what it is told until it is told to leave. */
static void echo(conform_line *line, pid_t parent)
{
    conform_command what;
    while ((what = conform_line_listen(line, parent)).batch >= 0)
        conform_line_say(line, 2 * what.first);
    _exit(7);
}

TEST(each_side_hears_the_other)
{
    conform_pool pool;
    conform_line *const line = open_line(&pool);
    const pid_t parent = getpid(), pid = fork();
    int status;
    if (pid == 0)
        echo(line, parent);
    assert_int_equal(conform_line_hear(line, 0.01), WORKER_SILENT);
    for (int i = 1; i < 4; i++) {
        conform_line_command(line, (conform_command){.batch = 0, .first = i});
        assert_int_equal(conform_line_hear(line, patience_times(10)), 2 * i);
    }
    conform_line_command(line, (conform_command){.batch = -1});
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 7);
    conform_line_close(line);
    conform_pool_fini(&pool);
}

TEST(a_worker_without_a_parent_leaves)
{
    conform_pool pool;
    conform_line *const line = open_line(&pool);
    assert_int_equal(conform_line_listen(line, -1).batch, -1);
    conform_line_close(line);
    conform_pool_fini(&pool);
}
