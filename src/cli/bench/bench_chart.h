/* The charts of bench: ops under their roof, tokens per second over depth and over threads. */
#ifndef IFN_CLI_BENCH_CHART_H
#define IFN_CLI_BENCH_CHART_H

#include "bench_op_result.h"
#include "bench_result.h"
#include "bench_roof.h"

/* path "-": draws with characters on standard output; else writes an SVG file, complete or not at all. */
ifn_status bench_chart_ops(const char *path, const bench_op_results *results, bench_roof *roof,
                           ifn_error *err);
ifn_status bench_chart_models(const char *path, const bench_result *results, int n, ifn_error *err);

/* Refuses a chart on standard output if the result there is CSV or JSON. IFN_ERR_ARGUMENT. */
ifn_status bench_chart_check(const char *path, bench_format format, ifn_error *err);

#endif
