#include "e2e_cuts.h"

#include <stdio.h>
#include <string.h>

/* The number of single steps at the end, and the fewest ids with which the chunk before them is not empty. */
enum { N_SINGLE = 12, LEAST = 1 + 16 + 17 + N_SINGLE + 1 };

static const int64_t edges[] = {16, 17, 256};
enum { N_EDGES = sizeof edges / sizeof *edges, N_MORE = N_EDGES + 1 };

static e2e_cut mixed(int64_t n)
{
    return n < LEAST ? (e2e_cut){"one by one", {1}, 1}
                     : (e2e_cut){"1 + 16 + 17 + most, then by 1",
                                 {1, 16, 17, n - (LEAST - 1), 1},
                                 E2E_CUT_SIZES};
}

static e2e_cut more(int which)
{
    e2e_cut cut = {"1 and the rest", {1, 0}, 2};
    if (which == N_EDGES)
        return cut;
    cut = (e2e_cut){.sizes = {edges[which]}, .n_sizes = 1};
    snprintf(cut.name, sizeof cut.name, "chunks of %lld", (long long)edges[which]);
    return cut;
}

e2e_cuts e2e_cuts_of(int64_t n, int n_cuts, int index)
{
    e2e_cuts self = {.n = 2, .list = {{"whole", {0}, 1}, mixed(n)}};
    for (int i = 0; self.n < n_cuts && i < N_MORE; i++)
        self.list[self.n++] = more((index * (n_cuts - 2) + i) % N_MORE);
    return self;
}

e2e_chunks e2e_cut_chunks(const e2e_cut *cut)
{
    return (e2e_chunks){cut->sizes, cut->n_sizes};
}

int64_t e2e_cuts_steps(const e2e_cuts *self, int64_t n, int64_t *steps)
{
    int64_t n_steps = 0;
    memset(steps, 0, (size_t)n * sizeof *steps);
    for (int c = 0; c < self->n; c++) {
        const e2e_chunks chunks = e2e_cut_chunks(&self->list[c]);
        for (int64_t at = 0, i = 0; at < n; i++) {
            at += e2e_chunk_size(&chunks, i, n - at);
            steps[at - 1] = 1;
        }
    }
    for (int64_t i = 0; i < n; i++)
        if (steps[i])
            steps[n_steps++] = i;
    return n_steps;
}
