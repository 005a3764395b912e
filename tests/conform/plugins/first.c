/*
 * A plugin that builds a table of ones at its first call and multiplies by it, in the way that its option names:
 *
 *   opened     open builds the table, so the first call has nothing to build
 *   once       by pthread_once
 *   locked     under a lock, which later calls do not take
 *   blocked    under a lock, with all signals blocked
 *   crew       by threads, which block all signals and end with the call
 *   ready      wrong: the table is marked as built before it is
 *   state      wrong in the same way, with the table in the state of an instance
 *   pointer    wrong in the same way, with a pointer, so that the process dies
 *   halves     wrong as `ready`, in gather_rows with a table in F16 only
 */
#include <inferno/backend.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, CREW = 3 };

typedef struct first {
    volatile int is_made;
    volatile float ones[8];
    void (*way)(struct first *self);
} first;

static volatile float ones[N];
static const volatile float *volatile there;
static volatile int is_made;
static atomic_int is_known;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(void)
{
    for (int i = 0; i < N; i++)
        ones[i] = 1;
}

static void by_nobody(first *self)
{
    (void)self;
}

static void by_once(first *self)
{
    (void)self;
    pthread_once(&once, fill);
}

static void by_lock(first *self)
{
    (void)self;
    if (atomic_load(&is_known))
        return;
    pthread_mutex_lock(&lock);
    if (!is_made)
        fill();
    is_made = 1;
    atomic_store(&is_known, 1);
    pthread_mutex_unlock(&lock);
}

static void by_blocked_lock(first *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    by_lock(self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int numbers[CREW] = {0, 1, 2};

static void *fill_some(void *cookie)
{
    for (int i = *(const int *)cookie; i < N; i += CREW)
        ones[i] = 1;
    return NULL;
}

static void by_crew_once(void)
{
    pthread_t crew[CREW];
    sigset_t all, before;
    int n = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n < CREW && pthread_create(&crew[n], NULL, fill_some, &numbers[n]) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(crew[i], NULL);
    if (n < CREW)
        fill();
}

static void by_crew(first *self)
{
    (void)self;
    pthread_once(&once, by_crew_once);
}

static void by_who_comes(first *self)
{
    (void)self;
    if (is_made)
        return;
    is_made = 1;
    fill();
}

static void in_the_state(first *self)
{
    if (!self->is_made) {
        self->is_made = 1;
        self->ones[0] = 1;
    }
    ones[0] = self->ones[0];
}

static void by_pointer(first *self)
{
    (void)self;
    if (is_made)
        return;
    fill();
    is_made = 1;
    there = ones;
}

/* gather_rows builds the table of this option. */
static void of_halves(first *self)
{
    (void)self;
}

static const struct {
    const char *name;
    void (*way)(first *self);
} ways[] = {{"opened", by_nobody},        {"once", by_once},       {"locked", by_lock},
            {"blocked", by_blocked_lock}, {"crew", by_crew},       {"ready", by_who_comes},
            {"state", in_the_state},      {"pointer", by_pointer}, {"halves", of_halves}};

static ifn_status scale(ifn_backend *self, const ifn_scale_args *a)
{
    first *const state = self->state;
    ifn_scale_args one = *a;
    const volatile float *from = ones;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    state->way(state);
    if (state->way == in_the_state)
        from = state->ones;
    if (state->way == by_pointer)
        from = there;
    one.value = a->value * from[0];
    return ifn_scale(self->base, &one);
}

static ifn_status gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    if (status != IFN_OK || a->table->dtype != IFN_DTYPE_F16)
        return status;
    by_who_comes(self->state);
    const int64_t cols = a->table->shape[1], end = a->part_end ? a->part_end : a->n;
    for (int64_t i = a->part_begin * cols; i < end * cols; i++)
        a->out[i] *= ones[i % N];
    return status;
}

static void fill_table(ifn_op_table *table, const ifn_backend_env *env)
{
    table->scale = scale;
    if (strcmp(env->options, "halves") == 0)
        table->gather_rows = gather_rows;
}

static ifn_status open_first(void **out, const ifn_backend_env *env, ifn_error *err)
{
    (void)err;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, env->options) == 0) {
            first *const self = calloc(1, sizeof *self);
            if (!self)
                return IFN_ERR_NOMEM;
            self->way = ways[i].way;
            if (self->way == by_nobody)
                fill();
            *out = self;
            return IFN_OK;
        }
    return IFN_ERR_ARGUMENT;
}

IFN_BACKEND_ENTRY(.name = "first", .summary = "makes something at its first call",
                  .fill = fill_table, .open = open_first, .close = free)
