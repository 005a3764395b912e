#include "judge_meet.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "judge_step.h"
#include "test.h"

static atomic_int n_calls;
static volatile int shared;

static ifn_status write_it(void *cookie)
{
    shared = *(const int *)cookie;
    atomic_fetch_add(&n_calls, 1);
    return IFN_OK;
}

static ifn_status fail_to(void *cookie)
{
    (void)cookie;
    return IFN_ERR_NOMEM;
}

static void open_meeting(judge_other_fn *other, int *cookie)
{
    const judge_meeting meeting = {.other = other, .cookie = cookie, .wait_us = 1000000};
    atomic_store(&n_calls, 0);
    shared = 0;
    assert_true(judge_meet_open(&meeting));
}

/* How many of n turns of a loop see what the other has written. */
static int seen_of(int n, const judge_stop_at *at)
{
    int seen = 0;
    judge_meet_enter(at);
    for (int i = 0; i < n; i++)
        seen += shared == 7;
    judge_meet_leave();
    return seen;
}

TEST(who_is_not_stopped_meets_nobody)
{
    int value = 7;
    open_meeting(write_it, &value);
    assert_int_equal(judge_meet_wait(), 0);
    judge_meet_close();
    assert_int_equal(atomic_load(&n_calls), 0);
}

TEST(a_thread_is_stopped_after_so_many_instructions)
{
    enum { TURNS = 20000 };
    int value = 7;
    open_meeting(write_it, &value);
    const int seen = seen_of(TURNS, &(judge_stop_at){.n_steps = 500});
    assert_int_equal(judge_meet_wait(), 1);
    judge_meet_close();
    assert_int_equal(atomic_load(&n_calls), 1);
    assert_true(seen > 0 && (!judge_has_steps() || seen < TURNS));
}

TEST(a_thread_is_stopped_after_its_first_write_to_a_page)
{
    enum { BYTES = 1 << 16, HALF = BYTES / 2 };
    int value = 7, seen = 0;
    write_trap trap;
    unsigned char *const memory = aligned_alloc(BYTES, BYTES);
    volatile unsigned char *const block = memory;
    assert_non_null(memory);
    if (!write_trap_of(&trap, memory + HALF, HALF)) {
        free(memory);
        skip();
    }
    const judge_stop_at at = {.watched = &trap, .n_writes = 1, .n_steps = 1};
    open_meeting(write_it, &value);
    judge_meet_enter(&at);
    for (int i = 0; i < BYTES; i++) {
        block[i] = (unsigned char)i;
        seen += shared == 7;
    }
    judge_meet_leave();
    assert_int_equal(judge_meet_wait(), 1);
    judge_meet_close();
    assert_true(seen == HALF || seen == HALF - 1);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(block[i], (unsigned char)i);
    free(memory);
}

TEST(what_the_other_returns_is_known)
{
    open_meeting(fail_to, NULL);
    (void)seen_of(1000, &(judge_stop_at){.n_steps = 10});
    assert_int_equal(judge_meet_wait(), 1);
    assert_int_equal(judge_meet_status(), IFN_ERR_NOMEM);
    judge_meet_close();
}
