#include "jobs.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

enum { JOBS = 3, ROOM = 1 << 16 };

static conform_pool pool;
static conform_jobs jobs;
static atomic_int *seen;

static void open_jobs(void)
{
    conform_pool_init_shared(&pool, ROOM);
    conform_jobs_open(&jobs, &pool, JOBS);
    seen = conform_pool_take(&pool, JOBS, sizeof *seen);
}

/* What process 1 does; the others return IFN_OK. */
typedef enum deed { COUNT, FAIL, DIE, LEAVE, STAY } deed;

static ifn_status act(void *cookie, int index, ifn_error *err)
{
    atomic_fetch_add(&seen[index], 1);
    if (index != 1)
        return IFN_OK;
    switch (*(const deed *)cookie) {
    case FAIL:
        return ifn_fail(err, IFN_ERR_SHAPE, "found %d, expected none", index);
    case DIE:
        raise(SIGKILL);
        break;
    case LEAVE:
        _exit(3);
    case STAY:
        for (;;)
            pause();
    case COUNT:
        break;
    }
    return IFN_OK;
}

static ifn_status run(deed what, ifn_error *err)
{
    open_jobs();
    assert_ok(conform_jobs_start(&jobs, act, &what, err), *err);
    const ifn_status status = conform_jobs_wait(&jobs, err);
    conform_jobs_kill(&jobs);
    assert_false(conform_jobs_are_left(&jobs));
    return status;
}

TEST(each_does_its_work_once)
{
    ifn_error err = {0};
    assert_ok(run(COUNT, &err), err);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(atomic_load(&seen[i]), 1);
    conform_pool_fini(&pool);
}

TEST(an_error_reaches_the_parent)
{
    ifn_error err = {0};
    assert_int_equal(run(FAIL, &err), IFN_ERR_SHAPE);
    assert_string_equal(err.text, "found 1, expected none");
    conform_pool_fini(&pool);
}

TEST(so_does_a_death)
{
    ifn_error err = {0};
    assert_int_equal(run(DIE, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "by signal 9"));
    conform_pool_fini(&pool);
    assert_int_equal(run(LEAVE, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "with status 3"));
    conform_pool_fini(&pool);
}

TEST(one_that_stays_can_be_ended)
{
    ifn_error err = {0};
    deed what = STAY;
    open_jobs();
    assert_ok(conform_jobs_start(&jobs, act, &what, &err), err);
    while (!atomic_load(&seen[1]))
        conform_jobs_nap();
    assert_ok(conform_jobs_look(&jobs, &err), err);
    assert_true(conform_jobs_are_left(&jobs));
    conform_jobs_kill(&jobs);
    assert_false(conform_jobs_are_left(&jobs));
    conform_pool_fini(&pool);
}

TEST(there_are_as_many_as_processors_unless_told)
{
    assert_int_equal(conform_jobs_number(5), 5);
    assert_int_equal(conform_jobs_number(1000), CONFORM_MAX_JOBS);
    assert_in_range(conform_jobs_number(0), 1, CONFORM_MAX_JOBS);
}
