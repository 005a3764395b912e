/* What far calls of parts and of whole tensors share. */
#ifndef CONFORM_JUDGE_FAR_H
#define CONFORM_JUDGE_FAR_H

#include "far.h"
#include "far_map.h"
#include "judge_run.h"

/* Gives the call the scratch that the backend asks for at these sizes, dirty where it is as large as
 * at home; `scratch` is closed by the caller. False without room. */
bool judge_far_scratch(judge_run *r, const ifn_limits *limits, far_map *scratch);

/* Puts before what was found wrong where it was: the way, its tensor and the border. */
void judge_far_say_where(judge_run *r, const char *way, const char *tensor, far_border border);

/* The far call of whole tensors (far_whole.h). */
void judge_far_whole(judge_run *r, far_size size);

#endif
