/* Which pages the rows of a case have in a call, and the two caches they are in. */
#ifndef CONFORM_PAGING_H
#define CONFORM_PAGING_H

#include <stdbool.h>

#include <inferno/spans.h>

#include "far_map.h"
#include "judge_run.h"

typedef struct paging {
    int64_t page_rows, n, lead; /* entries: `lead` of another sequence, then n of the case's */
    int64_t n_pages, max_pos;
    bool is_twice;     /* the case's entries stand in the table once more */
    bool is_far;       /* pages have numbers around 2^16 */
    int32_t *table;    /* [n_pages], of which the last is not read */
    guard_block block; /* holds all entries of the table but the last; no data: the pool does */
    ifn_span spans[2];
} paging;

/* For a call that reaches positions [0, reach), the last `rows` of which are its own. */
paging paging_draw(judge_run *r, int64_t reach, int64_t rows, bool may_be_twice, bool is_protected);

/* Where a position of the case is in each head. */
int64_t paging_row(const paging *p, int64_t pos);

/* The rows of a cache: the case's own, and where they are in pages. */
typedef struct paged_cache {
    unsigned char *own, *data;
    int64_t n_heads, own_rows; /* of each head: side by side in `own`, p->max_pos apart in `data` */
    size_t row;                /* bytes */
    far_map map;
} paged_cache;

/* Memory for both, told to the site. What is near is 0xff, which is NaN; of what is far the case's pages can be written,
 * and all others are zeros. False where there is no room, and `p` is put away. */
bool paging_take(judge_run *r, paging *p, paged_cache *k, paged_cache *v);
/* The call is over, and p: what is far goes, what is near stays until the case is over. */
void paging_give_back(judge_run *r, paging *p, paged_cache *k, paged_cache *v);

/* Positions [0, reach) into their pages, or out of them. Of two that have one row the later one has it: pos_of, or NULL
 * where there are no such. */
void paging_carry(const paging *p, const paged_cache *c, const int64_t *pos_of, int64_t reach,
                  bool back);

#endif
