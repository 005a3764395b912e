#include "worker.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "test.h"

typedef struct talk {
    int command[2], done[2];
    conform_pool shared;
    conform_batch *batch;
    conform_channel *channel;
    pid_t pid;
} talk;

static void start(talk *t, const conform_subject *subject)
{
    conform_pool_init_shared(&t->shared, sizeof *t->batch + sizeof *t->channel + 65536);
    t->batch = conform_pool_take(&t->shared, 1, sizeof *t->batch);
    t->channel = conform_pool_take(&t->shared, 1, sizeof *t->channel);
    assert_int_equal(pipe(t->command), 0);
    assert_int_equal(pipe(t->done), 0);
    t->pid = fork();
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        close(t->command[1]);
        close(t->done[0]);
        _exit(conform_worker_main(subject, 2, &t->batch, t->channel, t->command[0], t->done[1]));
    }
    close(t->command[0]);
    close(t->done[1]);
}

static char hear(talk *t)
{
    char byte = 0;
    return read(t->done[0], &byte, 1) == 1 ? byte : 0;
}

static int stop(talk *t)
{
    int status;
    close(t->command[1]);
    close(t->done[0]);
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    conform_pool_fini(&t->shared);
    return status;
}

static void add_case(talk *t, const conform_case *c)
{
    ifn_error err = {0};
    assert_ok(conform_slot_build(&t->batch->slots[t->batch->n++], &t->shared, c, NULL, NULL, &err),
              err);
}

static void a_worker_judges_the_slots_it_is_given_and_leaves_when_nobody_speaks(void **state)
{
    (void)state;
    talk t;
    const conform_case c = bench_case(2, 3, 4);
    const conform_command command = {.batch = 0, .first = 1};
    start(&t, &subject_zeros);
    assert_int_equal(hear(&t), WORKER_READY);
    assert_string_equal(t.channel->expression, "zeros");
    add_case(&t, &c);
    add_case(&t, &c);
    assert_int_equal(write(t.command[1], &command, sizeof command), sizeof command);
    assert_int_equal(hear(&t), WORKER_DONE);
    assert_int_equal(t.batch->verdicts[2][0].outcome, OUTCOME_NOT_RUN); /* before `first` */
    assert_int_equal(t.batch->verdicts[2][1].fault, FAULT_VALUE);
    assert_int_equal(t.channel->site.slot, -1);
    const int status = stop(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void a_dying_worker_says_where_it_was(void **state)
{
    (void)state;
    talk t;
    const conform_case c = bench_case(3, 3, 4);
    const conform_command command = {0};
    start(&t, &subject_crashes);
    assert_int_equal(hear(&t), WORKER_READY);
    add_case(&t, &c);
    assert_int_equal(write(t.command[1], &command, sizeof command), sizeof command);
    assert_int_equal(hear(&t), 0);
    assert_int_equal(t.channel->site.slot, 0);
    assert_int_equal(t.channel->site.run, RUN_END);
    assert_true(t.channel->site.signal != 0);
    assert_true(WIFSIGNALED(stop(&t)));
}

static ifn_status cannot_open(const conform_subject *self, ifn_backend **out, ifn_error *err)
{
    *out = NULL;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': unknown", self->label);
}

static void a_worker_without_a_backend_says_why(void **state)
{
    (void)state;
    talk t;
    const conform_subject none = {"nothing", cannot_open, NULL};
    start(&t, &none);
    assert_int_equal(hear(&t), WORKER_NO_BACKEND);
    assert_string_equal(t.channel->error.text, "backend 'nothing': unknown");
    stop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_worker_judges_the_slots_it_is_given_and_leaves_when_nobody_speaks),
        RUN(a_dying_worker_says_where_it_was),
        RUN(a_worker_without_a_backend_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
