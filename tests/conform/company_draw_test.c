/* The company of a sequence: drawn lists and page tables are legal, and are refused once one thing in them is wrong. */
#include "company_draw.h"

#include <inferno/spans.h>

#include "test.h"

enum { SEEDS = 300, MOST_ROWS = 1 << 16 };

typedef struct drawn {
    conform_judge judge;
    conform_slot slot;
    judge_run run;
    int64_t first_pos, rows, extent;
    company company;
} drawn;

/* Draws a company; the sizes follow the seed, too. */
static void draw(drawn *d, uint64_t seed, bool may_page)
{
    *d = (drawn){.slot.c.seed = seed};
    conform_pool_init(&d->judge.pool);
    d->run = (judge_run){.judge = &d->judge, .slot = &d->slot};
    d->first_pos = (int64_t)(seed % 5 * 17);
    d->rows = 1 + (int64_t)(seed % 3 * 20);
    d->extent = d->first_pos + d->rows + (int64_t)(seed % 2 * 3);
    d->company = company_draw(&d->run, d->first_pos, d->rows, d->extent, may_page);
}

static void put_away(drawn *d)
{
    conform_pool_fini(&d->judge.pool);
}

static bool fits(const company *c, const ifn_span *spans)
{
    return ifn_spans_fit_cache(spans, c->n, c->rows, 0, c->n_pages, c->page_rows, c->max_pos) &&
           ifn_pages_of_spans_fit(spans, c->n, c->pages, c->n_pages, c->page_rows, c->max_pos);
}

/* Expects that each row of a span is named once, and lies where the company says it does. */
static void expect_rows(const company *c)
{
    static bool is_taken[MOST_ROWS];
    assert_in_range(c->max_pos, 1, MOST_ROWS);
    for (int64_t i = 0; i < c->max_pos; i++)
        is_taken[i] = false;
    for (int i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->spans[i].rows; k++) {
            const int64_t named = c->spans[i].begin + c->spans[i].first_pos + k;
            const int64_t row = company_row(c, named);
            assert_in_range(row, 0, c->max_pos - 1);
            assert_false(is_taken[row]);
            assert_int_equal(c->named[row], named);
            is_taken[row] = true;
        }
    for (int64_t row = 0; row < c->max_pos; row++)
        assert_int_equal(company_has(c, row), is_taken[row]);
}

/* Expects that the sequence's own spans follow one another from the first position to the last. */
static void expect_own(const drawn *d)
{
    const company *const c = &d->company;
    int64_t next = d->first_pos;
    for (int i = 0; i < c->n; i++)
        if (c->is_own[i]) {
            assert_int_equal(c->spans[i].begin, c->begin);
            assert_int_equal(c->spans[i].first_pos, next);
            next += c->spans[i].rows;
        }
    assert_int_equal(next, d->first_pos + d->rows);
}

TEST(lists_and_tables_may_be)
{
    int n_paged = 0, n_shuffled = 0, n_crowds = 0, n_cut = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        drawn d;
        draw(&d, seed, seed % 4 > 0);
        const company *const c = &d.company;
        assert_true(fits(c, c->spans));
        expect_rows(c);
        expect_own(&d);
        assert_true(seed % 4 > 0 || c->page_rows == 0);
        n_paged += c->page_rows > 0;
        n_shuffled += c->page_rows > 0 && c->pages[0] != 0;
        n_crowds += c->n > 8;
        n_cut += c->is_own[c->n - 1];
        put_away(&d);
    }
    assert_true(n_paged > SEEDS / 4 && n_shuffled > SEEDS / 8);
    assert_true(n_crowds > SEEDS / 16 && n_cut > SEEDS / 8);
}

TEST(a_wrong_list_may_not_be_and_entries_beyond_the_table_are_pages_of_the_cache)
{
    int n[COMPANY_WRONGS] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        drawn d;
        draw(&d, seed, true);
        const company *const c = &d.company;
        for (int i = 0; i < COMPANY_WRONGS; i++) {
            const company_wrong w = company_wrong_list(c, i);
            if (!w.what)
                continue;
            n[i]++;
            const int32_t page = w.entry ? *w.entry : 0;
            if (w.entry)
                *w.entry = w.page;
            assert_false(fits(c, w.spans));
            assert_true(!w.entry || w.spans[c->n - 1].rows > 0);
            if (w.entry)
                *w.entry = page;
            const ifn_span *const last = &w.spans[c->n - 1];
            const int64_t end = last->begin + last->first_pos + last->rows;
            for (int64_t at = c->n_pages; c->page_rows > 0 && at * c->page_rows < end; at++)
                assert_in_range(c->pages[at], 0, c->max_pos / c->page_rows - 1);
        }
        put_away(&d);
    }
    assert_int_equal(n[0], SEEDS);
    assert_true(n[1] > SEEDS / 4);
    assert_int_equal(n[2], n[1]);
}
