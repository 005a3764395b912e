/*
 * Measures how much of its work a leaf backend leaves to its base. While it is watched, the ops of the base count the
 * elements that they compute. One leaf at a time in a process.
 */
#ifndef CONFORM_BASE_WATCH_H
#define CONFORM_BASE_WATCH_H

#include <inferno/backend.h>

/* Starts to count. A leaf without a base is allowed: the count stays 0. */
void base_watch_begin(ifn_backend *leaf);
/* Stops, restores the leaf, and returns how many elements the base has computed since, in all ops but quantize_rows:
 * that has one right result, whoever computes it, and does not count. */
uint64_t base_watch_end(void);

#endif
