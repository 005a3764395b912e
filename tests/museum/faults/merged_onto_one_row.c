/*
 * The merge of partials locates its output rows by a stride that is never set: every row is stored over the first.
 *
 * Follows vllm-project/flash-attention#176
 */
#include "museum_kit.h"

ifn_status museum_merged_onto_one_row(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    const int64_t last = (a->rows - 1) * a->n_heads * a->head_dim;
    if (status != IFN_OK || a->phase != IFN_ATTENTION_MERGE || a->rows < 2)
        return status;
    for (int64_t i = heads.begin * a->head_dim; i < heads.end * a->head_dim; i++)
        a->out[i] = a->out[last + i];
    return status;
}
