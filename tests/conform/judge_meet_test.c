#include "judge_meet.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <inferno/clock.h>

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

/* Returns how many of n turns of a loop see what the other call has written. */
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

/* --- a machine where a timer takes long to set --- */

enum { SLOW_NS = 200000 };

static bool is_slow;
static int n_settings;

int __real_timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *);
int __wrap_timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *);

static void spend(uint64_t ns)
{
    const uint64_t begin = ifn_clock_ns();
    while (ifn_clock_ns() - begin < ns)
        ;
}

/* A slow machine: a timer that is set to less than SLOW_NS has expired before this returns. */
int __wrap_timer_settime(timer_t timer, int flags, const struct itimerspec *new_value,
                         struct itimerspec *old_value)
{
    const int status = __real_timer_settime(timer, flags, new_value, old_value);
    n_settings++;
    spend(is_slow ? SLOW_NS : 0);
    return status;
}

static ifn_status take_a_moment(ifn_backend *self, const ifn_call *args)
{
    (void)self;
    (void)args;
    spend(2000);
    return IFN_OK;
}

TEST(a_short_call_is_stopped_where_a_timer_takes_long_to_set)
{
    ifn_args args = {0};
    int value = 7;
    open_meeting(write_it, &value);
    is_slow = true;
    n_settings = 0;
    const judge_stop_at at = {.ns = 1000};
    assert_int_equal(judge_meet_call(NULL, take_a_moment, &args, &at, true), IFN_OK);
    is_slow = false;
    assert_int_equal(judge_meet_wait(), 1);
    judge_meet_close();
    /* The timer is set to 10 us, then twice that and so on, up to more than SLOW_NS; as often again if it fires
     * between two calls. */
    assert_in_range(n_settings, 2, 20);
}
