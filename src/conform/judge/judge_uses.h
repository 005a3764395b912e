/* What weights are prepared for: ops, and hints of rows. */
#ifndef CONFORM_JUDGE_USES_H
#define CONFORM_JUDGE_USES_H

#include "judge_run.h"

/* Of those of the case, which its seed draws. */
uint32_t judge_uses(const judge_run *r, const ifn_backend *who);
/* The op of the case alone, with the same hints. */
uint32_t judge_uses_of_op(const judge_run *r);
/* Of others beside those that are prepared for `uses`: the same ops or not, and hints of their own. */
uint32_t judge_uses_beside(const judge_run *r, const ifn_backend *who, uint32_t uses,
                           const char *what);

#endif
