/* An older result of `bench MODEL --json`, to compare with. */
#ifndef IFN_CLI_BENCH_COMPARE_H
#define IFN_CLI_BENCH_COMPARE_H

#include <inferno/status.h>

#include "bench_result.h"

typedef struct bench_old bench_old;

/* Errors  IFN_ERR_IO, IFN_ERR_FORMAT: no such file, or none that `bench --json` has written */
ifn_status bench_old_open(const char *path, bench_old **out, ifn_error *err);
void bench_old_close(bench_old *self);

/* Returns the old rate of the same test on a model with the same file name; median 0: there is none. */
bench_rate bench_old_rate(const bench_old *self, const bench_result *r);

#endif
