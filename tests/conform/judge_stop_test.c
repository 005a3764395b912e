#include "judge_stop.h"

#include <stdatomic.h>

#include "test.h"

static atomic_int n_calls;
static volatile int shared;

static void write_it(void *cookie)
{
    shared = *(const int *)cookie;
    atomic_fetch_add(&n_calls, 1);
}

TEST(the_other_is_called_once)
{
    int value = 7;
    atomic_store(&n_calls, 0);
    assert_true(judge_stop_open(write_it, &value));
    judge_stop_close();
    assert_int_equal(atomic_load(&n_calls), 1);
}

/* A loop of thousands of instructions, stopped in its first thousand. */
TEST(a_thread_is_stopped_in_its_midst)
{
    int value = 7, seen = 0;
    atomic_store(&n_calls, 0);
    shared = 0;
    assert_true(judge_stop_open(write_it, &value));
    judge_stop_after(500);
    for (int i = 0; i < 20000; i++)
        seen += shared == 7;
    judge_stop_close();
    assert_int_equal(atomic_load(&n_calls), 1);
#if defined(__x86_64__)
    assert_true(seen > 0 && seen < 20000);
#endif
}
