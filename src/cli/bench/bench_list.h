/* A list of numbers from an option: "128,512". */
#ifndef IFN_CLI_BENCH_LIST_H
#define IFN_CLI_BENCH_LIST_H

#include <stdint.h>

#include <inferno/status.h>

enum { BENCH_LIST_MAX = 16 };

typedef struct bench_list {
    int64_t at[BENCH_LIST_MAX];
    int n;
} bench_list;

/**
 * Parses `text`: numbers in least .. most, separated by commas.
 * Errors  IFN_ERR_ARGUMENT naming the option: no number, out of range, too many
 */
ifn_status bench_list_read(const char *option, const char *text, int64_t least, int64_t most,
                           bench_list *out, ifn_error *err);
int64_t bench_list_largest(const bench_list *self);

#endif
