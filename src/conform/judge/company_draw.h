/*
 * A sequence among others in one call: which spans they have, and where their rows are in the cache they share, which may
 * be in pages.
 */
#ifndef CONFORM_COMPANY_DRAW_H
#define CONFORM_COMPANY_DRAW_H

#include <stdbool.h>

#include "judge_run.h"

enum {
    COMPANY_MOST = 140, /* other sequences */
    COMPANY_SPANS = COMPANY_MOST + 2,
    COMPANY_ROWS = 3, /* of another sequence, at most */
    COMPANY_POS = 300 /* positions before them, at most: some have more than a block of keys */
};

typedef struct company {
    ifn_span spans[COMPANY_SPANS];
    bool is_own[COMPANY_SPANS];
    int n;
    int64_t rows;      /* of all spans */
    int64_t begin;     /* where the case's sequence has its position 0 */
    int64_t extent;    /* rows that spans can name */
    int64_t max_pos;   /* rows of a head in memory */
    int64_t page_rows; /* 0: the cache is not in pages */
    int32_t *pages;    /* [n_pages], and as many after them as a span past the table would read */
    int64_t n_pages;
    const int64_t *named; /* [max_pos]: which row spans name is here, -1: none */
} company;

/* `rows` rows at `first_pos` in a window of `extent` as one span or two, with one to COMPANY_MOST other sequences before,
 * between and after them. */
company company_draw(judge_run *r, int64_t first_pos, int64_t rows, int64_t extent, bool may_page);

/* Where a row that spans name is in memory. */
int64_t company_row(const company *c, int64_t named);
/* Whether a span has the row of memory. */
bool company_has(const company *c, int64_t row);

/* A list with one thing wrong: in its last span, or the one before. */
typedef struct company_wrong {
    const char *what; /* NULL: there is no such list */
    ifn_span spans[COMPANY_SPANS];
    int32_t *entry; /* of pages, or NULL: holds `page` for the call */
    int32_t page;
} company_wrong;

enum { COMPANY_WRONGS = 4 };
company_wrong company_wrong_list(const company *c, int which);

#endif
