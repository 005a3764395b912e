/* If no more threads can be created, parallel goes on with those that it has, and says so. */
#include <errno.h>
#include <pthread.h>

#include <inferno/parallel.h>

#include "test.h"

/* Linked with --wrap, so that the creation of threads can be made to fail. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument);
static int n_threads_to_be_had = -1; /* -1: any number */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument)
{
    if (n_threads_to_be_had == 0)
        return EAGAIN;
    n_threads_to_be_had -= n_threads_to_be_had > 0;
    return __real_pthread_create(thread, attr, start, argument);
}

static ifn_backend *open_where(int n_there, const char *expression)
{
    ifn_backend *chain;
    ifn_error err = {0};
    n_threads_to_be_had = n_there;
    const ifn_status status = ifn_backend_open(expression, NULL, &chain, &err);
    n_threads_to_be_had = -1;
    assert_ok(status, err);
    return chain;
}

TEST(it_tells_how_many_it_has_and_wanted)
{
    static const struct {
        const char *expression;
        int n_there, n, wanted;
    } rows[] = {{"parallel=4:scalar", -1, 4, 4},
                {"parallel=4:scalar", 3, 4, 4},
                {"parallel=4:scalar", 1, 2, 4},
                {"trace:parallel=4:scalar", 0, 1, 4},
                {"check:trace:parallel=1:scalar", 0, 1, 1},
                {"trace:scalar", -1, 0, 0}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        int32_t wanted = -1;
        ifn_backend *const chain = open_where(rows[i].n_there, rows[i].expression);
        assert_int_equal(ifn_parallel_threads(chain, &wanted), rows[i].n);
        assert_int_equal(wanted, rows[i].wanted);
        ifn_backend_close(chain);
    }
}

TEST(calls_are_cut_for_those_there_are)
{
    enum { N = 100003 };
    static float x[N], out[N];
    const ifn_limits limits = {.limits_bytes = sizeof limits, .rows = 1, .max_pos = 1, .k = N};
    for (int32_t i = 0; i < N; i++)
        x[i] = (float)i;
    for (int n_there = 0; n_there < 4; n_there++) {
        static _Alignas(64) unsigned char scratch[1 << 16];
        ifn_backend *const chain = open_where(n_there, "parallel=8+small:scalar");
        const size_t bytes = ifn_backend_scratch_bytes(chain, &limits);
        assert_in_range(bytes, 0, sizeof scratch);
        const ifn_add_args a = {
            .call = {.bytes = sizeof a, .n_lanes = 1, .scratch = scratch, .scratch_bytes = bytes},
            .out = out,
            .x = x,
            .y = x,
            .n = N};
        assert_int_equal(ifn_add(chain, &a), IFN_OK);
        for (int32_t i = 0; i < N; i++)
            assert_true(out[i] == 2 * x[i]);
        ifn_backend_close(chain);
    }
}
