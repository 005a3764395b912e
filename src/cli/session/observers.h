/*
 * Output of the wrappers `trace` and `check`: lines during a run, a file and notes after it. Without these wrappers
 * in the chain the functions do nothing.
 */
#ifndef IFN_CLI_OBSERVERS_H
#define IFN_CLI_OBSERVERS_H

#include <stdbool.h>

#include "output.h"
#include "session.h"

/* Returns 1 if INFERNO_LOG contains the word trace, which asks for a line for every op, and the program has `trace`. */
int observers_log_is_wanted(void);

/**
 * Calls session_open_backend, with `trace` around the chain if is_wanted and the chain has none. expression NULL: the
 * best backend.
 */
ifn_status observers_open(session *self, const char *expression, int64_t n_threads, bool is_wanted,
                          ifn_error *err);

/* Prints a line on standard error at the end of each call from now on, if observers_log_is_wanted. */
void observers_listen(const session *self);

/**
 * Writes the trace to `out` and finishes the file: folded stacks if its path ends in ".folded", else the trace event
 * format of Chrome and Perfetto.
 * Errors  IFN_ERR_IO
 */
ifn_status observers_write(const session *self, output *out, ifn_error *err);

/* Prints on standard error the totals of `trace` and the first result that `check` found not finite. with_ceilings:
 * also prints rates in per cent of what as many threads reach, which it measures now. */
void observers_print(const session *self, bool with_ceilings, const char *program);

#endif
