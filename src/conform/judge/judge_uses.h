/* Draws the `uses` that weights are prepared for: ops, and hints about the number of rows. */
#ifndef CONFORM_JUDGE_USES_H
#define CONFORM_JUDGE_USES_H

#include "judge_run.h"

/* The uses of the case's weights, drawn from its seed. */
uint32_t judge_uses(const judge_run *r, const ifn_backend *who);
/* The uses of the case's op alone, with the same hints. */
uint32_t judge_uses_of_op(const judge_run *r);
/* The uses of other weights, prepared beside those with `uses`: the same ops or others, with hints of their own. */
uint32_t judge_uses_beside(const judge_run *r, const ifn_backend *who, uint32_t uses,
                           const char *what);

#endif
