/*
 * How much of its work a leaf has its base do: the ops of the base count what is asked of them while
 * they are watched. One leaf at a time in a process.
 */
#ifndef CONFORM_BASE_WATCH_H
#define CONFORM_BASE_WATCH_H

#include <inferno/backend.h>

/* Counts for a leaf that has no base, too: nothing is asked of it. */
void base_watch_begin(ifn_backend *leaf);
/* Elements that the base has computed since, whatever the op; quantize_rows has one right result,
 * whoever gives it, and does not count. The leaf is as before. */
uint64_t base_watch_end(void);

#endif
