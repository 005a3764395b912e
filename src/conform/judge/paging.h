/* Page tables for a call: which pages hold the rows of the case, and the two caches that the pages are in. */
#ifndef CONFORM_PAGING_H
#define CONFORM_PAGING_H

#include <stdbool.h>

#include <inferno/spans.h>

#include "far_map.h"
#include "judge_run.h"

typedef struct paging {
    int64_t page_rows, n, lead; /* entries: `lead` of another sequence, then the case's n */
    int64_t n_pages, max_pos;
    bool is_twice;     /* the table repeats the case's entries */
    bool is_far;       /* page numbers are around 2^16 */
    int32_t *table;    /* [n_pages]; the last entry must not be read */
    guard_block block; /* guards all entries but the last; no data: the table is in the pool */
    ifn_span spans[2];
} paging;

/* Draws the pages of a call on positions [0, reach), of which the last `rows` are the call's own. */
paging paging_draw(judge_run *r, int64_t reach, int64_t rows, bool may_be_twice, bool is_protected);

/* The row at which each head has a position of the case. */
int64_t paging_row(const paging *p, int64_t pos);

/* A cache twice: the case's own rows, and the copy in pages. */
typedef struct paged_cache {
    unsigned char *own, *data;
    int64_t n_heads, own_rows; /* of each head: adjacent in `own`, p->max_pos apart in `data` */
    size_t row;                /* bytes */
    far_map map;
} paged_cache;

/* Allocates both paged caches and tells the site. A near cache is filled with 0xff, which is NaN. In a far one only the
 * case's pages are writable, and all others are zeros. Returns false without room, and `p` is put away. */
bool paging_take(judge_run *r, paging *p, paged_cache *k, paged_cache *v);
/* Ends the call and `p`: frees far caches; near ones live until the case ends. */
void paging_give_back(judge_run *r, paging *p, paged_cache *k, paged_cache *v);

/* Copies positions [0, reach) into their pages, or back. If two positions share a row, the later one has it: pos_of
 * maps a row to its position; NULL if none share. */
void paging_carry(const paging *p, const paged_cache *c, const int64_t *pos_of, int64_t reach,
                  bool back);

#endif
