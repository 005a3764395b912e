/*
 * Draws one call for several sequences: the case's own and others. Says which spans they have and where their rows are
 * in the cache they share, which may be in pages.
 */
#ifndef CONFORM_COMPANY_DRAW_H
#define CONFORM_COMPANY_DRAW_H

#include <stdbool.h>

#include "judge_run.h"

enum {
    COMPANY_MOST = 140, /* other sequences */
    COMPANY_SPANS = COMPANY_MOST + 2,
    COMPANY_ROWS = 3, /* rows of another sequence in the call, at most */
    COMPANY_POS = 300 /* positions before them, at most: some have more than one block of keys */
};

typedef struct company {
    ifn_span spans[COMPANY_SPANS];
    bool is_own[COMPANY_SPANS];
    int n;
    int64_t rows;      /* of all spans */
    int64_t begin;     /* the row of position 0 of the case's sequence */
    int64_t extent;    /* rows that a span may refer to */
    int64_t max_pos;   /* rows that a head has in memory */
    int64_t page_rows; /* 0: the cache is not in pages */
    int32_t *pages;    /* [n_pages], then what a span that runs past the table would read */
    int64_t n_pages;
    const int64_t *named; /* [max_pos]: the number spans have for each row in memory, -1: none */
} company;

/* Gives the case's `rows` rows at `first_pos`, in a window of `extent` rows, one span or two, with up to COMPANY_MOST
 * other sequences before, between and after them. */
company company_draw(judge_run *r, int64_t first_pos, int64_t rows, int64_t extent, bool may_page);

/* Translates a row number of a span to a row in memory. */
int64_t company_row(const company *c, int64_t named);
/* True if a row in memory belongs to one of the spans. */
bool company_has(const company *c, int64_t row);

/* A list of spans with one error, in its last span or in the one before. */
typedef struct company_wrong {
    const char *what; /* the error; NULL: this company has no such list */
    ifn_span spans[COMPANY_SPANS];
    int32_t *entry; /* the entry of `pages` that must hold `page` during the call; NULL: none */
    int32_t page;
} company_wrong;

enum { COMPANY_WRONGS = 4 };
company_wrong company_wrong_list(const company *c, int which);

#endif
