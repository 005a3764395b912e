#include "company_draw.h"

#include <string.h>

#include <inferno/spans.h>

#include "declared.h"
#include "gen.h"

enum {
    FEW_OTHERS = 4,
    CROWD_TURN = 4, /* one case in 4 has up to CROWD other sequences, as a batching server has */
    CROWD = 40,
    THRONG_TURN =
        16, /* one in 16, up to COMPANY_MOST: more than a bit mask or a list on the stack holds */
    CROWD_POS = 20, /* positions before their rows in a crowd, where some have no rows */
    ALONE_TURN = 8, /* one in 8 has no others: a single span, which begins somewhere */
    GAP = 2,        /* rows between two sequences in the cache, at most */
    PAGE_SIZES = 3, /* 16, 32 or 64 rows */
    SPARE = 3       /* pages that belong to no sequence, at most */
};

/* Indices into the case's random stream. */
enum {
    AT_TURN,
    AT_PLACE,
    AT_CUT,
    AT_NUMBER,
    AT_PAGED,
    AT_SIZE,
    AT_SPARE,
    AT_STEP,
    AT_THRONG,
    AT_TAIL,
    AT_ALONE,
    AT_GAPS = 1000,
    AT_POS = 2000,
    AT_ROWS = 3000,
    AT_LIKE = 4000
};

static int64_t draw(const judge_run *r, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(conform_stream_of(r->slot->c.seed, "company"), (uint64_t)what, least,
                           most);
}

static int64_t pages_of(const company *c, int64_t rows)
{
    return (rows + c->page_rows - 1) / c->page_rows;
}

/* In a paged cache each sequence begins on a page of its own. */
static void begin_sequence(company *c, int64_t gap)
{
    c->extent = c->page_rows > 0 ? pages_of(c, c->extent) * c->page_rows : c->extent + gap;
}

static void add_span(company *c, int64_t begin, int64_t first_pos, int64_t rows, bool is_own)
{
    c->spans[c->n] = (ifn_span){begin, first_pos, rows};
    c->is_own[c->n++] = is_own;
    c->rows += rows;
}

/* One other in three has as many earlier positions as the sequence before it, as several answers to one prompt have. */
static int64_t draw_pos(const company *c, const judge_run *r, int64_t i, int64_t first_pos,
                        int64_t most)
{
    const int64_t like = c->n > 0 ? c->spans[c->n - 1].first_pos : most + 1;
    if (like <= most && draw(r, AT_LIKE + i, 0, 2) == 0)
        return like;
    return draw(r, AT_POS + i, 0, most) % (2 * first_pos + 3);
}

static void add_other(company *c, const judge_run *r, int64_t i, int64_t first_pos, int64_t most,
                      bool is_crowd)
{
    const int64_t pos = draw_pos(c, r, i, first_pos, is_crowd ? CROWD_POS : COMPANY_POS);
    const int64_t rows = draw(r, AT_ROWS + i, !is_crowd, most);
    add_span(c, c->extent, pos, rows, false);
    c->extent += pos + rows;
}

/* Two spans of one sequence are two chunks of it: attention owes equal bits for them by R3 alone. */
static bool may_cut(const judge_run *r)
{
    return r->slot->c.op != IFN_OP_ATTENTION ||
           conform_is_invariant(r->judge->backend, r->slot->c.op, 3);
}

/* If the case's rows are cut in two spans, the spans of the last others come between them. */
static void draw_spans(company *c, const judge_run *r, int64_t first_pos, int64_t rows,
                       int64_t extent)
{
    const bool is_throng = draw(r, AT_THRONG, 1, THRONG_TURN) == 1;
    const bool is_crowd = is_throng || draw(r, AT_TURN, 1, CROWD_TURN) == 1;
    const bool is_alone = draw(r, AT_ALONE, 1, ALONE_TURN) == 1;
    const int64_t n_others = is_alone    ? 0
                             : is_throng ? draw(r, AT_NUMBER, CROWD + 1, COMPANY_MOST)
                             : is_crowd  ? draw(r, AT_NUMBER, FEW_OTHERS + 1, CROWD)
                                         : draw(r, AT_NUMBER, 1, FEW_OTHERS);
    const int64_t own_at = draw(r, AT_PLACE, 0, n_others);
    const int64_t first_rows =
        rows > 1 && may_cut(r) && !is_alone ? draw(r, AT_CUT, 1, rows) : rows;
    const int64_t most = rows == 1 && draw(r, AT_STEP, 0, 1) ? 1 : COMPANY_ROWS; /* all decode */
    c->extent += is_alone;
    for (int64_t i = 0; i <= n_others; i++) {
        begin_sequence(c, draw(r, AT_GAPS + i, 0, GAP));
        if (i != own_at) {
            add_other(c, r, i, first_pos, most, is_crowd);
            continue;
        }
        c->begin = c->extent;
        add_span(c, c->begin, first_pos, first_rows, true);
        c->extent += extent;
    }
    if (first_rows < rows)
        add_span(c, c->begin, first_pos + first_rows, rows - first_rows, true);
}

/* Draws the page table. Rows after the last whole page of the cache belong to no page. The entries after the table
 * repeat a page of the cache, so that a backend which reads past the table touches no foreign memory. */
static void draw_table(company *c, judge_run *r)
{
    const ifn_span *const last = &c->spans[c->n - 1];
    c->n_pages = pages_of(c, c->extent);
    const int64_t all = c->n_pages + draw(r, AT_SPARE, 1, SPARE);
    const int64_t beyond = pages_of(c, last->first_pos + last->rows) + 1;
    const int64_t *const order = judge_shuffled(r, "company pages", all);
    c->extent = c->n_pages * c->page_rows;
    c->max_pos = all * c->page_rows + draw(r, AT_TAIL, 0, c->page_rows - 1);
    c->pages = conform_pool_take(&r->judge->pool, (size_t)(c->n_pages + beyond), sizeof *c->pages);
    for (int64_t i = 0; i < c->n_pages + beyond; i++)
        c->pages[i] = (int32_t)order[i < all ? i : all - 1];
}

static const int64_t *names(judge_run *r, const company *c)
{
    int64_t *const named =
        conform_pool_take(&r->judge->pool, (size_t)c->max_pos + 1, sizeof *named);
    for (int64_t i = 0; i < c->max_pos; i++)
        named[i] = -1;
    for (int64_t i = 0; i < c->extent; i++)
        named[company_row(c, i)] = i;
    return named;
}

company company_draw(judge_run *r, int64_t first_pos, int64_t rows, int64_t extent, bool may_page)
{
    company c = {.n = 0};
    if (may_page && draw(r, AT_PAGED, 0, 1))
        c.page_rows = (int64_t)IFN_PAGE_ROWS_LEAST << draw(r, AT_SIZE, 0, PAGE_SIZES - 1);
    draw_spans(&c, r, first_pos, rows, extent);
    c.max_pos = c.extent;
    if (c.page_rows > 0)
        draw_table(&c, r);
    c.named = names(r, &c);
    return c;
}

int64_t company_row(const company *c, int64_t named)
{
    return ifn_page_row(c->pages, c->page_rows, named);
}

bool company_has(const company *c, int64_t row)
{
    for (int i = 0; i < c->n; i++) {
        const int64_t first = c->spans[i].begin + c->spans[i].first_pos;
        if (c->named[row] >= first && c->named[row] < first + c->spans[i].rows)
            return true;
    }
    return false;
}

/* Gives the last span but one -1 rows and its neighbours as many more. The sum is right, and a backend that checks only
 * the sum stays inside the memory it was given. */
static company_wrong with_negative_rows(const company *c)
{
    company_wrong w = {.what = "a span of -1 rows, the sum of all as it was"};
    if (c->n < 3)
        return (company_wrong){.what = NULL};
    memcpy(w.spans, c->spans, sizeof w.spans);
    ifn_span *const s = &w.spans[c->n - 2];
    if (s[-1].begin + s[-1].first_pos + s[-1].rows + 1 > c->extent ||
        s[1].begin + s[1].first_pos + s[1].rows + s->rows > c->extent || s->rows + s[1].rows < 1)
        return (company_wrong){.what = NULL};
    s[-1].rows++;
    s[1].rows += s->rows;
    s->rows = -1;
    return w;
}

company_wrong company_wrong_list(const company *c, int which)
{
    if (which == COMPANY_WRONGS - 1)
        return with_negative_rows(c);
    const int64_t unit = c->page_rows > 0 ? c->page_rows : 1;
    company_wrong w = {.what = "the last span ends past the cache"};
    memcpy(w.spans, c->spans, sizeof w.spans);
    ifn_span *const last = &w.spans[c->n - 1];
    const int64_t reach = last->first_pos + last->rows;
    if (which == 0) {
        last->begin = c->extent + unit - (reach + unit - 1) / unit * unit;
        return w;
    }
    /* A backend need not look at the pages of a span without rows. */
    if (c->page_rows == 0 || last->rows == 0)
        return (company_wrong){.what = NULL};
    w.what = which == 1 ? "a page of the last span comes after the cache"
                        : "a page of the last span comes before the cache";
    w.entry = &c->pages[(last->begin + reach - 1) / c->page_rows];
    w.page = which == 1 ? (int32_t)(c->max_pos / c->page_rows) : -1;
    return w;
}
