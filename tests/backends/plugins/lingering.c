/* A plugin with a thread that close() does not end, like those of OpenMP. */
#include <inferno/backend.h>

#include <pthread.h>
#include <time.h>

static void *linger(void *cookie)
{
    const struct timespec tick = {.tv_nsec = 1000000};
    for (;;)
        nanosleep(&tick, NULL);
    return cookie;
}

static ifn_status open_with_thread(void **state, const ifn_backend_env *env, ifn_error *err)
{
    pthread_t thread;
    (void)env;
    (void)err;
    *state = NULL;
    if (pthread_create(&thread, NULL, linger, NULL) != 0)
        return IFN_ERR_NOMEM;
    pthread_detach(thread);
    return IFN_OK;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table;
    (void)env;
}

IFN_BACKEND_ENTRY(.name = "lingering", .summary = "its thread stays", .fill = fill,
                  .open = open_with_thread)
