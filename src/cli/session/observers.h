/*
 * What the backends `trace` and `check` have to say about a run: lines while it goes on, a file and
 * notes when it is over. All of it does nothing where they are not in the chain.
 */
#ifndef IFN_CLI_OBSERVERS_H
#define IFN_CLI_OBSERVERS_H

#include <stdbool.h>

#include "output.h"
#include "session.h"

/* 1 if the word trace in INFERNO_LOG asks for a line for every op, and there is a `trace` to write
 * it. */
int observers_log_is_wanted(void);

/**
 * session_open_backend, with a `trace` around the chain where it is wanted (1) and the chain has
 * none. expression NULL: the best there is.
 */
ifn_status observers_open(session *self, const char *expression, int64_t n_threads, bool is_wanted,
                          ifn_error *err);

/* From now on each call is a line on standard error as it ends, if that is wanted. */
void observers_listen(const session *self);

/**
 * Writes what was traced to `out` and finishes it: folded stacks where its path ends in ".folded",
 * else the trace event format of Chrome and Perfetto.
 * Errors  IFN_ERR_IO
 */
ifn_status observers_write(const session *self, output *out, ifn_error *err);

/* The totals of `trace`, and the first result that `check` found not finite, to standard error.
 * with_ceilings 1: rates also in per cent of what as many threads reach, measured here and now. */
void observers_print(const session *self, bool with_ceilings, const char *program);

#endif
