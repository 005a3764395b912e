/* How many cases a search has tried: its cost, independent of the machine. For tests that link with
 * --wrap=conform_runner_try_for,--wrap=conform_runner_try_written. */
#ifndef CONFORM_COUNTED_TRIES_H
#define CONFORM_COUNTED_TRIES_H

extern int n_tries;

#endif
