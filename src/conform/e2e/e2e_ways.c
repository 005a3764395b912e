#include "e2e_ways.h"

#include <stdbool.h>

int e2e_trial_ways(const e2e_truth *truth, e2e_way out[E2E_MAX_WAYS])
{
    const ifn_kv last = e2e_kv_of(truth->mode.cache);
    const ifn_kv first = last == IFN_KV_F32 ? IFN_KV_OFF : last;
    const int most_forced = truth->is_narrow && truth->has_floor;
    const int least_forced = truth->is_narrow && !truth->has_free;
    const int n_graphs = truth->is_narrow ? 1 : 2;
    int n = 0;
    if (!truth->is_narrow && !truth->has_floor)
        return 0;
    for (int graph = IFN_GRAPH_FUSED; graph < n_graphs; graph++)
        for (int forced = most_forced; forced >= least_forced; forced--)
            for (int kv = (int)last; kv >= (int)first; kv--)
                out[n++] = (e2e_way){.graph = (ifn_graph)graph,
                                     .activations = truth->mode.activations,
                                     .kv = (ifn_kv)kv,
                                     .is_forced = forced != 0};
    return n;
}
