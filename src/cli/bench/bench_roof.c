#include "bench_roof.h"

#include <stdio.h>

#include "ceilings.h"
#include "reading.h"
#include "team.h"

void bench_roof_open(bench_roof *self)
{
    *self = (bench_roof){.caches = machine_find_caches()};
}

static int team_of(int n_threads)
{
    return n_threads < TEAM_MAX ? n_threads : TEAM_MAX;
}

double bench_roof_operations(bench_roof *self, int n_threads, bool of_dots)
{
    for (int i = 0; i < self->n_operations; i++)
        if (self->operations[i].n_threads == n_threads && self->operations[i].of_dots == of_dots)
            return self->operations[i].per_second;
    const double measured = bench_peak_operations(team_of(n_threads), of_dots);
    if (self->n_operations < BENCH_ROOF_MOST)
        self->operations[self->n_operations++] =
            (struct bench_known_operations){n_threads, of_dots, measured};
    return measured;
}

/* Returns the size of the buffer to read, a power of two that is at most `bytes`; a smaller buffer is not read
 * slower. */
static uint64_t buffer_for(uint64_t bytes)
{
    uint64_t buffer = 4096;
    while (2 * buffer <= bytes && buffer < READING_MEMORY_BYTES)
        buffer *= 2;
    return buffer;
}

double bench_roof_reading(bench_roof *self, int n_threads, uint64_t bytes)
{
    const uint64_t buffer = buffer_for(bytes);
    for (int i = 0; i < self->n_readings; i++)
        if (self->readings[i].n_threads == n_threads && self->readings[i].bytes == buffer)
            return self->readings[i].per_second;
    const double measured = reading_bytes_per_second(team_of(n_threads), buffer);
    if (self->n_readings < BENCH_ROOF_MOST)
        self->readings[self->n_readings++] =
            (struct bench_known_reading){n_threads, buffer, measured};
    return measured;
}

const char *bench_roof_memory(const bench_roof *self, int n_threads, uint64_t bytes)
{
    return machine_memory_of(&self->caches, bytes, n_threads);
}

double bench_share(double rate, double ceiling)
{
    return ceiling > 0.0 && rate <= ceiling ? rate / ceiling : 0.0;
}

void bench_share_text(double rate, double ceiling, const char *unit, const char *memory, char *out,
                      size_t bytes)
{
    if (ceiling > 0.0 && rate <= ceiling)
        snprintf(out, bytes, "%.0f %% of %.0f %s%s%s%s", 100.0 * rate / ceiling, ceiling / 1e9,
                 unit, *memory ? " (" : "", memory, *memory ? ")" : "");
    else if (ceiling > 0.0)
        snprintf(out, bytes, "%s", *memory ? "cache" : "above what was measured");
    else
        snprintf(out, bytes, "no ceiling was measured");
}
