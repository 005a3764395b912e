/* The family GRADED of attention (numerics 4.2): blocks of keys with little weight have large values. */
#ifndef CONFORM_OPS_ATTENTION_GRADED_H
#define CONFORM_OPS_ATTENTION_GRADED_H

#include "module.h"

/* Makes it of inputs of the family NORMAL: data of q, k_cache and v_cache. */
void conform_grade_keys(const conform_case *c, void *const *data);

#endif
