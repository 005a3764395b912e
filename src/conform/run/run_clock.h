/*
 * How long a process has had to do something: the time that has passed, less the time in which one
 * of its threads was ready to run and had no processor, whichever it was at the time: threads that
 * wait for each other wait in turns. What else a machine does, and threads that spin where there are
 * fewer processors, take nothing from anybody's time limit; a process that sleeps uses it up, and so
 * does one that spins for ever.
 */
#ifndef CONFORM_RUN_CLOCK_H
#define CONFORM_RUN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Threads that are looked at; of a process with more, the others are not. */
enum { RUN_CLOCK_THREADS = 256 };

typedef struct run_clock_thread {
    pid_t id;
    uint64_t ran, waited; /* ns on a processor, and ready without one */
} run_clock_thread;

typedef struct run_clock {
    pid_t process;
    double begun;   /* seconds */
    double waited;  /* of those since: from look to look, what the thread that waited most did */
    double busiest; /* and what the thread that ran most ran */
    int n;
    run_clock_thread thread[RUN_CLOCK_THREADS]; /* as of the last look */
} run_clock;

void run_clock_start(run_clock *clock, pid_t process);

/* Seconds since the start, less those in which a thread waited; all of them where the system does
 * not say (it is Linux that does). To be asked now and then: a thread that ends takes with it what
 * nobody has seen. */
double run_clock_seconds(run_clock *clock);

/* Seconds since the start, whatever happened. */
double run_clock_passed(const run_clock *clock);

/* Whether the process has had so many seconds; or one thread of it has run for three times as many,
 * which is no waiting for others; or a hundred times as many have passed, so that there is an end
 * however many threads of it wait for a processor. */
bool run_clock_is_over(run_clock *clock, double seconds);

#endif
