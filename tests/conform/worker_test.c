#include "worker.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "patience.h"
#include "test.h"

typedef struct talk {
    conform_pool shared;
    conform_batch *batch;
    conform_channel *channel;
    int words[2];
    pid_t pid;
} talk;

static void start(talk *t, const conform_tested *tested)
{
    conform_pool_init_shared(&t->shared, sizeof *t->batch + sizeof *t->channel + 65536);
    t->batch = conform_pool_take(&t->shared, 1, sizeof *t->batch);
    t->channel = conform_pool_take(&t->shared, 1, sizeof *t->channel);
    assert_true(conform_words_pipe(t->words));
    assert_true(conform_line_open(&t->channel->line));
    t->pid = fork();
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        conform_words_catch(t->words[1]);
        _exit(conform_worker_main(tested, 2, &t->batch, t->channel, NULL, t->words[0]));
    }
    close(t->words[1]);
}

static int hear(talk *t)
{
    return conform_line_hear(&t->channel->line, patience_times(10));
}

static void post(talk *t, int first)
{
    conform_line_command(&t->channel->line, (conform_command){.batch = 0, .first = first});
}

static int stop(talk *t)
{
    int status;
    conform_line_command(&t->channel->line, (conform_command){.batch = -1});
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    close(t->words[0]);
    conform_line_close(&t->channel->line);
    conform_pool_fini(&t->shared);
    return status;
}

static void add_case(talk *t, const conform_case *c)
{
    ifn_error err = {0};
    assert_ok(conform_slot_build(&t->batch->slots[t->batch->n++], &t->shared, c, NULL, NULL, &err),
              err);
}

TEST(a_worker_judges_the_slots_it_is_given_and_leaves_when_it_is_told_to)
{
    talk t;
    const conform_case c = bench_case(2, 3, 4);
    start(&t, &tested_zeros);
    assert_int_equal(hear(&t), WORKER_READY);
    assert_string_equal(t.channel->expression, "zeros");
    add_case(&t, &c);
    add_case(&t, &c);
    post(&t, 1);
    assert_int_equal(hear(&t), WORKER_DONE);
    assert_int_equal(t.batch->verdicts[2][0].outcome, OUTCOME_NOT_RUN); /* it lies before `first` */
    assert_int_equal(t.batch->verdicts[2][1].check, CHECK_VALUE);
    assert_int_equal(t.channel->site.slot, -1);
    const int status = stop(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(a_dying_worker_says_where_it_was)
{
    talk t;
    const conform_case c = bench_case(3, 3, 4);
    start(&t, &tested_crashes);
    assert_int_equal(hear(&t), WORKER_READY);
    add_case(&t, &c);
    int status;
    post(&t, 0);
    assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(t.channel->site.slot, 0);
    assert_int_equal(t.channel->site.run, RUN_VALUE);
    assert_true(t.channel->site.signal != 0);
    conform_pool_fini(&t.shared);
}

static ifn_status cannot_open(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    *out = NULL;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': unknown", self->label);
}

TEST(a_worker_without_a_backend_says_why)
{
    talk t;
    const conform_tested none = {"nothing", cannot_open, NULL};
    start(&t, &none);
    assert_int_equal(hear(&t), WORKER_NO_BACKEND);
    assert_string_equal(t.channel->error.text, "backend 'nothing': unknown");
    stop(&t);
}
