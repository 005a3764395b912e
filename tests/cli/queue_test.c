/* Requests between connections and the engine: bounds, order, and clients that go away. */
#include "queue.h"

#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

enum { MOST = 3 };

/* A job whose client is the other end of a pair of sockets. */
typedef struct client {
    job job;
    int ends[2];
} client;

static void connect_client(client *c)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, c->ends), 0);
    job_init(&c->job, c->ends[0]);
}

static void leave(client *c)
{
    close(c->ends[1]);
    c->ends[1] = -1;
}

static void free_client(client *c)
{
    close(c->ends[0]);
    if (c->ends[1] >= 0)
        close(c->ends[1]);
    job_free(&c->job);
}

TEST(jobs_come_out_as_they_went_in_and_no_more_than_fit)
{
    queue q;
    client c[MOST + 1];
    queue_init(&q, MOST);
    for (int i = 0; i <= MOST; i++)
        connect_client(&c[i]);
    for (int i = 0; i < MOST; i++)
        assert_true(queue_push(&q, &c[i].job));
    assert_false(queue_push(&q, &c[MOST].job));
    assert_int_equal(queue_length(&q), MOST);
    assert_ptr_equal(queue_pop(&q, true), &c[0].job);
    assert_true(queue_push(&q, &c[MOST].job));
    for (int i = 1; i <= MOST; i++)
        assert_ptr_equal(queue_pop(&q, true), &c[i].job);
    for (int i = 0; i <= MOST; i++)
        free_client(&c[i]);
    queue_free(&q);
}

TEST(who_is_busy_does_not_wait_for_a_job)
{
    queue q;
    client c;
    queue_init(&q, MOST);
    connect_client(&c);
    assert_null(queue_pop(&q, false));
    assert_true(queue_push(&q, &c.job));
    assert_ptr_equal(queue_pop(&q, false), &c.job);
    assert_null(queue_pop(&q, false));
    free_client(&c);
    queue_free(&q);
}

TEST(who_has_gone_takes_no_place)
{
    queue q;
    client c[MOST + 1];
    queue_init(&q, MOST);
    for (int i = 0; i <= MOST; i++)
        connect_client(&c[i]);
    for (int i = 0; i < MOST; i++)
        assert_true(queue_push(&q, &c[i].job));
    leave(&c[1]);
    assert_true(queue_push(&q, &c[MOST].job));
    assert_int_equal(job_wait_end(&c[1].job), JOB_REFUSED);
    assert_ptr_equal(queue_pop(&q, true), &c[0].job);
    assert_ptr_equal(queue_pop(&q, true), &c[2].job);
    assert_ptr_equal(queue_pop(&q, true), &c[MOST].job);
    for (int i = 0; i <= MOST; i++)
        free_client(&c[i]);
    queue_free(&q);
}

TEST(a_job_is_removed_once_from_the_end_too)
{
    queue q;
    client c[2];
    queue_init(&q, MOST);
    for (int i = 0; i < 2; i++)
        connect_client(&c[i]);
    assert_true(queue_push(&q, &c[0].job));
    assert_true(queue_push(&q, &c[1].job));
    assert_true(queue_remove(&q, &c[1].job));
    assert_false(queue_remove(&q, &c[1].job));
    assert_true(queue_push(&q, &c[1].job));
    assert_ptr_equal(queue_pop(&q, true), &c[0].job);
    assert_ptr_equal(queue_pop(&q, true), &c[1].job);
    assert_null(queue_pop(&q, true)); /* the first push of a removed job woke it */
    for (int i = 0; i < 2; i++)
        free_client(&c[i]);
    queue_free(&q);
}

TEST(a_closed_queue_refuses_those_who_wait_and_those_who_come)
{
    queue q;
    client c[2];
    refusal why;
    queue_init(&q, MOST);
    for (int i = 0; i < 2; i++)
        connect_client(&c[i]);
    assert_true(queue_push(&q, &c[0].job));
    assert_false(refuse(&why, REFUSE_BUSY, NULL, "it stops"));
    queue_close(&q, &why);
    assert_int_equal(job_wait_end(&c[0].job), JOB_REFUSED);
    assert_int_equal(c[0].job.why.status, REFUSE_BUSY);
    assert_string_equal(c[0].job.why.text, "it stops");
    assert_false(queue_push(&q, &c[1].job));
    for (int i = 0; i < 2; i++)
        free_client(&c[i]);
    queue_free(&q);
}

TEST(text_is_taken_piece_by_piece_until_the_end)
{
    client c;
    text taken = {0};
    connect_client(&c);
    job_begin(&c.job);
    assert_int_equal(job_wait_begin(&c.job), JOB_RUNNING);
    assert_int_equal(job_add(&c.job, "one ", 4), IFN_OK);
    assert_true(job_take(&c.job, &taken));
    assert_int_equal(job_add(&c.job, "two", 3), IFN_OK);
    job_end(&c.job, STOP_END, 5);
    assert_true(job_take(&c.job, &taken));
    assert_false(job_take(&c.job, &taken));
    assert_string_equal(taken.data, "one two");
    assert_int_equal(job_wait_end(&c.job), JOB_DONE);
    text_free(&taken);
    free_client(&c);
}

TEST(a_client_is_there_until_it_closes_or_says_so)
{
    client one, two;
    connect_client(&one);
    connect_client(&two);
    assert_false(job_is_abandoned(&one.job));
    assert_int_equal(write(one.ends[1], "GET", 3), 3); /* a next request is no goodbye */
    assert_false(job_is_abandoned(&one.job));
    leave(&two);
    assert_true(job_is_abandoned(&two.job));
    job_abandon(&one.job);
    assert_true(job_is_abandoned(&one.job));
    free_client(&one);
    free_client(&two);
}
