#include "run_clock.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seconds.h"

/* Reads /proc/PID/task/TID/schedstat: ns on a processor, ns ready without one, number of time slices. */
static int read_thread(pid_t process, const char *id, run_clock_thread *out)
{
    char path[64], line[96], *end;
    snprintf(path, sizeof path, "/proc/%d/task/%.12s/schedstat", (int)process, id);
    FILE *const file = fopen(path, "r");
    if (!file)
        return 0;
    const bool is_read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    if (!is_read)
        return 0;
    out->ran = strtoull(line, &end, 10);
    out->id = (pid_t)strtol(id, NULL, 10);
    out->waited = strtoull(end, NULL, 10);
    return 1;
}

static int read_threads(pid_t process, run_clock_thread out[RUN_CLOCK_THREADS])
{
    char path[32];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *const threads = opendir(path);
    if (!threads)
        return 0;
    for (struct dirent *e; n < RUN_CLOCK_THREADS && (e = readdir(threads));)
        if (e->d_name[0] != '.')
            n += read_thread(process, e->d_name, &out[n]);
    closedir(threads);
    return n;
}

/* The thread as of the last look. A new thread starts at 0: it was made after that. */
static run_clock_thread last_seen(const run_clock *clock, pid_t thread)
{
    for (int i = 0; i < clock->n; i++)
        if (clock->thread[i].id == thread)
            return clock->thread[i];
    return (run_clock_thread){.id = thread};
}

void run_clock_start(run_clock *clock, pid_t process)
{
    clock->process = process;
    clock->n = read_threads(process, clock->thread);
    clock->waited = clock->busiest = 0;
    clock->begun = seconds_now();
}

static double seconds_between(uint64_t before, uint64_t after)
{
    return after > before ? (double)(after - before) * 1e-9 : 0;
}

double run_clock_seconds(run_clock *clock)
{
    run_clock_thread thread[RUN_CLOCK_THREADS];
    double waited = 0, ran = 0;
    const int n = read_threads(clock->process, thread);
    for (int i = 0; i < n; i++) {
        const run_clock_thread before = last_seen(clock, thread[i].id);
        waited = fmax(waited, seconds_between(before.waited, thread[i].waited));
        ran = fmax(ran, seconds_between(before.ran, thread[i].ran));
    }
    clock->waited += waited;
    clock->busiest += ran;
    clock->n = n;
    memcpy(clock->thread, thread, (size_t)n * sizeof *thread);
    const double passed = run_clock_passed(clock);
    return clock->waited < passed ? passed - clock->waited : 0;
}

double run_clock_passed(const run_clock *clock)
{
    return seconds_now() - clock->begun;
}

bool run_clock_is_over(run_clock *clock, double seconds)
{
    const double most_stretched = 100, most_run = 3;
    return run_clock_seconds(clock) > seconds || clock->busiest > most_run * seconds ||
           run_clock_passed(clock) > most_stretched * seconds;
}
