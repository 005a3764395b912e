/* The facts that a figure depends on besides the program's arguments: build, commit, machine and date. */
#ifndef IFN_CLI_BENCH_FACTS_H
#define IFN_CLI_BENCH_FACTS_H

enum { BENCH_N_FACTS = 9 };

typedef struct bench_fact {
    const char *name;
    char value[160];
} bench_fact;

void bench_facts(bench_fact out[BENCH_N_FACTS]);

#endif
