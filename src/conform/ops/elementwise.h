/* What elementwise ops share: layout of their tensors, inputs, work. */
#ifndef CONFORM_OPS_ELEMENTWISE_H
#define CONFORM_OPS_ELEMENTWISE_H

#include "module.h"

/* The layout of x and out, of dimension 0 elements each, and one `value` for all. */
ifn_status conform_value_layout(const conform_case *c, conform_layout *out);

void conform_pair_fill(const conform_case *c, const conform_layout *l, void *const *data);
void conform_value_fill(const conform_case *c, const conform_layout *l, void *const *data);

int64_t conform_vector_work(const conform_case *c); /* dimension 0 */
int64_t conform_matrix_work(const conform_case *c); /* dimension 0 times dimension 1 */

#endif
