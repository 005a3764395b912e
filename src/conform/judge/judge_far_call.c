#include "judge_far.h"

#include <stdio.h>
#include <string.h>

void judge_far_say_where(judge_run *r, const char *way, const char *tensor, far_border border)
{
    conform_verdict *const v = r->verdict;
    char what[sizeof v->detail];
    memcpy(what, v->detail, sizeof what);
    snprintf(v->detail, sizeof v->detail, "%s of %s past %s: %.300s", way, tensor,
             conform_far_border_name(border), what);
}

static const uint64_t most_scratch = UINT64_C(1) << 35;

bool judge_far_scratch(judge_run *r, const ifn_limits *limits, far_map *scratch)
{
    const size_t asked = ifn_backend_scratch_bytes(r->judge->backend, limits);
    const size_t bytes = asked > most_scratch ? asked : (asked + 63) / 64 * 64;
    if (bytes <= r->call.args.call.scratch_bytes)
        return true;
    if (bytes > most_scratch || !far_map_open(scratch, bytes, (r->overread + 63) / 64 * 64) ||
        !far_map_allow(scratch, 0, bytes, true))
        return false;
    r->call.args.call.scratch = scratch->at;
    r->call.args.call.scratch_bytes = bytes;
    return true;
}
