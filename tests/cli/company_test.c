/* Texts that are generated together: each is the same as alone, whichever text joins, leaves, is given up or fails
 * beside it. */
#include "company.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/batch.h>

#include "progression.h"
#include "synth_model.h"

enum { SEATS = 4, MAX_POS = 1024, MOST_IDS = 64 };

/* A text, and what its callbacks received. */
typedef struct heard {
    generation_params params;
    ifn_token prompt[MAX_POS], ids[MOST_IDS];
    size_t n;
    bool is_given_up, is_ended;
    size_t fails_after; /* ids; 0: it does not */
    ifn_status status;
    generation_stop stop;
} heard;

/* A session with a context of several sequences, and the parameters that opened it. */
typedef struct opened {
    session session;
    ifn_context_params params;
} opened;

static opened together, alone, in_pages;

static ifn_status hear(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    heard *const h = cookie;
    (void)prob;
    if (h->fails_after > 0 && h->n == h->fails_after)
        return ifn_fail(err, IFN_ERR_IO, "a listener that fails");
    assert_true(h->n < MOST_IDS && !h->is_ended);
    h->ids[h->n++] = id;
    return IFN_OK;
}

static bool is_given_up(void *cookie)
{
    return ((const heard *)cookie)->is_given_up;
}

static ifn_status end(void *cookie, ifn_status status, generation_stop stop, ifn_error *err)
{
    heard *const h = cookie;
    assert_false(h->is_ended);
    h->is_ended = true;
    h->status = status;
    h->stop = stop;
    assert_true(status == IFN_OK || err->status == status);
    return IFN_OK;
}

static void open_session(opened *o, const char *path, int32_t n_sequences, ifn_kv kv,
                         int64_t page_rows)
{
    ifn_error err = {0};
    *o = (opened){.params = IFN_SIZED(ifn_context_params, .max_pos = MAX_POS, .kv = kv,
                                      .n_sequences = n_sequences, .page_rows = page_rows)};
    assert_ok(session_open_model(&o->session, path, &err), err);
    assert_ok(session_open_backend(&o->session, NULL, 0, &err), err);
    assert_ok(session_open_context(&o->session, &o->params, NULL, &err), err);
}

static int open_all(void **state)
{
    const char *const path = synth_model("1024");
    (void)state;
    assert_non_null(path);
    open_session(&together, path, SEATS, IFN_KV_F32, 0);
    open_session(&alone, path, 1, IFN_KV_F32, 0);
    open_session(&in_pages, path, SEATS, IFN_KV_F32, 32);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    session_close(&together.session);
    session_close(&alone.session);
    session_close(&in_pages.session);
    temp_clean();
    return 0;
}

/* Returns the i-th text of a kind, prompt and settings included; it generates `n` ids. */
static heard *heard_of(const opened *where, unsigned i, size_t n_prompt, int64_t n)
{
    heard *const h = calloc(1, sizeof *h);
    assert_non_null(h);
    for (size_t k = 0; k < n_prompt; k++)
        h->prompt[k] = (ifn_token)((k * 7 + i * 31) % 256);
    h->params = (generation_params){
        .prompt = h->prompt,
        .n_prompt = n_prompt,
        .size = {.max_pos = (int64_t)n_prompt + n, .n = n},
        .how = IFN_SIZED(ifn_sampling, .temperature = i % 3 ? 0.9F : 0, .top_p = 0.9F, .seed = i,
                         .repeat = i % 2 ? 1.2F : 1, .presence = i % 4 ? 0.5F : 0),
        .n_recent = GENERATION_RECENT,
        .ignore_eos = i % 2,
        .listener = hear,
        .is_over = is_given_up,
        .cookie = h,
        .session = &where->session,
        .context = &where->params};
    return h;
}

/* Expects the ids that progression_run generates for the same text. */
static void assert_as_alone(const heard *h)
{
    heard *const one = calloc(1, sizeof *one);
    ifn_error err = {0};
    metrics times = {0};
    assert_non_null(one);
    generation_params params = h->params;
    params.cookie = one;
    params.session = &alone.session;
    params.context = &alone.params;
    assert_ok(ifn_context_rewind(alone.session.context, 0, &err), err);
    assert_ok(progression_run(&params, &one->stop, &times, &err), err);
    assert_true(h->is_ended && h->status == IFN_OK);
    assert_int_equal(h->stop, one->stop);
    assert_int_equal(h->n, one->n);
    assert_memory_equal(h->ids, one->ids, h->n * sizeof *h->ids);
    free(one);
}

static company open_company(opened *o)
{
    company c;
    ifn_error err = {0};
    assert_ok(company_open(&c, &o->session, &o->params, end, &err), err);
    return c;
}

static void join(company *c, heard *h)
{
    ifn_error err = {0};
    assert_ok(company_join(c, &h->params, &err), err);
}

static void step(company *c)
{
    ifn_error err = {0};
    assert_ok(company_step(c, &err), err);
}

static void steps(company *c, int n)
{
    for (int i = 0; i < n; i++)
        step(c);
}

static void finish(company *c)
{
    while (c->n > 0)
        step(c);
}

/* Closes a company. The next one opens on the same context, so its sequence 0 is added again. */
static void close_company(company *c)
{
    int32_t sequence = -1;
    ifn_error err = {0};
    ifn_context *const context = c->session->context;
    finish(c);
    company_close(c);
    assert_ok(ifn_context_sequence_add(context, &sequence, &err), err);
    assert_int_equal(sequence, 0);
}

static void each_has_the_ids_it_has_alone_whenever_it_joins(void **state)
{
    (void)state;
    enum { TEXTS = 24 };
    heard *all[TEXTS];
    company c = open_company(&together);
    for (unsigned i = 0; i < TEXTS; i++) {
        all[i] = heard_of(&together, i, 1 + i * i * 7 % 700, i % 5 * 10);
        while (!company_has_room(&c))
            step(&c);
        join(&c, all[i]);
        steps(&c, (int)(i % 4));
    }
    close_company(&c);
    for (unsigned i = 0; i < TEXTS; i++) {
        assert_as_alone(all[i]);
        free(all[i]);
    }
}

static void a_long_prompt_comes_in_pieces_beside_answers(void **state)
{
    (void)state;
    const int n_pieces = 5;
    heard *const running = heard_of(&together, 1, 3, 40);
    heard *const newcomer = heard_of(&together, 2, 5 * COMPANY_PROMPT_BESIDE, 5);
    company c = open_company(&together);
    join(&c, running);
    steps(&c, 2);
    join(&c, newcomer);
    for (int i = 1; i <= n_pieces; i++) {
        step(&c);
        assert_int_equal(running->n, 2 + i);
        assert_int_equal(newcomer->n, i == n_pieces);
    }
    close_company(&c);
    assert_as_alone(running);
    assert_as_alone(newcomer);
    free(running);
    free(newcomer);
}

static void without_answers_the_pieces_are_larger(void **state)
{
    (void)state;
    heard *const one = heard_of(&together, 1, COMPANY_PROMPT_ALONE + 1, 3);
    company c = open_company(&together);
    join(&c, one);
    step(&c);
    assert_int_equal(one->n, 0);
    step(&c);
    assert_int_equal(one->n, 1);
    close_company(&c);
    assert_as_alone(one);
    free(one);
}

static void prompts_are_read_in_the_order_in_which_they_came(void **state)
{
    (void)state;
    heard *const running = heard_of(&together, 1, 3, 40);
    heard *const first = heard_of(&together, 4, COMPANY_PROMPT_BESIDE + 10, 9);
    heard *const second = heard_of(&together, 3, COMPANY_PROMPT_BESIDE, 9);
    company c = open_company(&together);
    join(&c, running);
    step(&c);
    join(&c, first);
    join(&c, second);
    steps(&c, 2);
    assert_int_equal(first->n, 1);
    assert_int_equal(second->n, 0);
    step(&c);
    assert_int_equal(second->n, 1);
    close_company(&c);
    assert_as_alone(first);
    assert_as_alone(second);
    free(running);
    free(first);
    free(second);
}

static void who_is_given_up_makes_room_at_once(void **state)
{
    (void)state;
    heard *const running = heard_of(&together, 1, 3, 40);
    heard *const given_up = heard_of(&together, 2, 4 * COMPANY_PROMPT_BESIDE, 5);
    heard *const next = heard_of(&together, 5, 30, 9);
    company c = open_company(&together);
    join(&c, running);
    step(&c);
    join(&c, given_up);
    step(&c);
    given_up->is_given_up = true; /* during its prompt */
    assert_int_equal(c.n, 2);
    step(&c);
    assert_int_equal(c.n, 1);
    assert_true(given_up->is_ended && given_up->n == 0 && given_up->stop == STOP_TEXT);
    join(&c, next);
    step(&c);
    running->is_given_up = true; /* during its answer */
    step(&c);
    assert_int_equal(c.n, 1);
    assert_int_equal(running->stop, STOP_TEXT);
    close_company(&c);
    assert_as_alone(next);
    free(running);
    free(given_up);
    free(next);
}

static void who_fails_fails_alone(void **state)
{
    (void)state;
    heard *const good = heard_of(&together, 1, 20, 20), *const bad = heard_of(&together, 2, 9, 20);
    bad->fails_after = 4;
    company c = open_company(&together);
    join(&c, bad);
    join(&c, good);
    close_company(&c);
    assert_true(bad->is_ended && bad->status == IFN_ERR_IO && bad->n == 4);
    assert_as_alone(good);
    free(good);
    free(bad);
}

static void a_pass_that_fails_ends_those_who_are_there_and_others_may_come(void **state)
{
    (void)state;
    heard *const beside = heard_of(&together, 1, 20, 20), *const wrong =
                                                              heard_of(&together, 2, 9, 20);
    heard *const later = heard_of(&together, 3, 20, 20);
    wrong->prompt[8] = 1000; /* no id of the vocabulary */
    company c = open_company(&together);
    join(&c, beside);
    step(&c);
    join(&c, wrong);
    step(&c);
    assert_int_equal(c.n, 0);
    assert_int_equal(beside->status, IFN_ERR_ARGUMENT);
    assert_int_equal(wrong->status, IFN_ERR_ARGUMENT);
    join(&c, later);
    close_company(&c);
    assert_as_alone(later);
    free(beside);
    free(wrong);
    free(later);
}

static void there_are_as_many_places_as_sequences(void **state)
{
    (void)state;
    heard *all[SEATS + 1];
    ifn_error err = {0};
    company c = open_company(&together);
    for (unsigned i = 0; i <= SEATS; i++)
        all[i] = heard_of(&together, i, 4, 6);
    for (unsigned i = 0; i < SEATS; i++) {
        assert_true(company_has_room(&c));
        join(&c, all[i]);
    }
    assert_false(company_has_room(&c));
    assert_int_equal(company_join(&c, &all[SEATS]->params, &err), IFN_ERR_ARGUMENT);
    close_company(&c);
    assert_false(all[SEATS]->is_ended);
    for (unsigned i = 0; i <= SEATS; i++)
        free(all[i]);
}

static void without_a_cache_there_is_one_place_and_no_piece(void **state)
{
    (void)state;
    opened bare;
    open_session(&bare, temp_path("synth.gguf"), 1, IFN_KV_OFF, 0);
    heard *const one = heard_of(&bare, 1, COMPANY_PROMPT_ALONE + 9, 5);
    heard *const two = heard_of(&bare, 2, 9, 5);
    company c = open_company(&bare);
    join(&c, one);
    step(&c);
    assert_int_equal(one->n, 1);
    finish(&c);
    join(&c, two);
    close_company(&c);
    assert_as_alone(one);
    assert_as_alone(two);
    free(one);
    free(two);
    session_close(&bare.session);
}

/* The first 150 of 200 ids are the same: four whole pages of 32 rows, and part of the fifth. */
static void prompts_that_begin_alike_share_pages_and_are_as_alone(void **state)
{
    (void)state;
    enum { TEXTS = 3, SAME = 150, ALL = 200 };
    heard *all[TEXTS];
    int64_t in_use;
    company c = open_company(&in_pages);
    for (unsigned i = 0; i < TEXTS; i++) {
        all[i] = heard_of(&in_pages, i, ALL, 10);
        memcpy(all[i]->prompt, all[0]->prompt, SAME * sizeof *all[i]->prompt);
        join(&c, all[i]);
    }
    step(&c); /* the others wait for the first */
    (void)ifn_context_pages(in_pages.session.context, &in_use);
    assert_int_equal(in_use, 7);
    assert_int_equal(all[0]->n, 1);
    assert_int_equal(all[1]->n, 0);
    step(&c);
    assert_int_equal(all[1]->n, 1);
    step(&c); /* a chunk of a prompt has room for 64 ids beside answers */
    assert_int_equal(all[2]->n, 1);
    (void)ifn_context_pages(in_pages.session.context, &in_use);
    assert_int_equal(in_use, 7 + 2 * 3); /* without sharing they would have 21 */
    close_company(&c);
    (void)ifn_context_pages(in_pages.session.context, &in_use);
    assert_int_equal(in_use, 0);
    for (unsigned i = 0; i < TEXTS; i++) {
        assert_as_alone(all[i]);
        free(all[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(each_has_the_ids_it_has_alone_whenever_it_joins),
        RUN(a_long_prompt_comes_in_pieces_beside_answers),
        RUN(without_answers_the_pieces_are_larger),
        RUN(prompts_are_read_in_the_order_in_which_they_came),
        RUN(who_is_given_up_makes_room_at_once),
        RUN(who_fails_fails_alone),
        RUN(a_pass_that_fails_ends_those_who_are_there_and_others_may_come),
        RUN(there_are_as_many_places_as_sequences),
        RUN(without_a_cache_there_is_one_place_and_no_piece),
        RUN(prompts_that_begin_alike_share_pages_and_are_as_alone),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
