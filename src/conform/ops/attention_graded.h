/* The family GRADED of attention (numerics 4.2): blocks of keys with little weight have large values. */
#ifndef CONFORM_OPS_ATTENTION_GRADED_H
#define CONFORM_OPS_ATTENTION_GRADED_H

#include "module.h"

/* Turns generated inputs of ordinary size (data: q, k_cache, v_cache) into those of GRADED or RISING. */
void conform_grade_keys(const conform_case *c, void *const *data);

#endif
