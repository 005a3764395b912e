#include "run_relations.h"

#include <math.h>

#include "declared.h"

/* Counts only T2 cases with f32 outputs: the bound of a Q8_32F row contains its code width and says nothing of the
 * sum. */
static void count_headroom(conform_kind *kind, const conform_case *c, const conform_verdict *v)
{
    if (c->tier != TIER_T2 || c->out_dtype != IFN_DTYPE_F32 || !conform_sum_is_long(c))
        return;
    kind->t2_cases++;
    kind->t2_ratio = fmax(kind->t2_ratio, v->ratio);
}

void conform_count_relations(conform_cell *cell, const conform_case *c, const conform_verdict *v)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        cell->relations[i].tried += v->relations[i].tried;
        cell->relations[i].held += v->relations[i].held;
        cell->relations[i].demanded += v->relations[i].demanded;
    }
    if (v->outcome == OUTCOME_PASS)
        count_headroom(&cell->kinds[c->dtype][c->prepared != 0], c, v);
}

const char *conform_relation_words(int i)
{
    static const char *const words[CONFORM_INVARIANCES] = {"the same call again",
                                                           "any cut into parts, any threads",
                                                           "a row alone or in a batch",
                                                           "prefill or decoding, any chunks",
                                                           "any address",
                                                           "any strides",
                                                           "in place or not",
                                                           "other calls before, dirty scratch",
                                                           "rows or heads permuted",
                                                           "after a cache cut back",
                                                           "alone or among other sequences"};
    return words[i];
}
