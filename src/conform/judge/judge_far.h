/* Far calls: calls of the same op with offsets past 2^31 and 2^32. Shared by those of parts and those of whole
 * tensors. */
#ifndef CONFORM_JUDGE_FAR_H
#define CONFORM_JUDGE_FAR_H

#include "far.h"
#include "far_map.h"
#include "judge_run.h"

/* Gives the call the scratch that the backend asks for at these sizes. The call's own scratch, which is dirty, stays
 * where it is large enough; else the call gets zeros of a far_map, which the caller closes. Returns false without
 * room. */
bool judge_far_scratch(judge_run *r, const ifn_limits *limits, far_map *scratch);

/* Prefixes the failure in the verdict with where it was: the way of the far call, the tensor and the border. */
void judge_far_say_where(judge_run *r, const char *way, const char *tensor, far_border border);

/* Makes the far call of whole tensors (far_whole.h). */
void judge_far_whole(judge_run *r, far_size size);

#endif
