/*
 * The time that a process has had to work: the time that has passed, less the time in which one of its threads was
 * ready to run and had no processor. It need not be the same thread: threads that wait for each other wait in turns. So
 * other load on the machine, and threads that spin on too few processors, use up no time limit; a process that sleeps
 * does, and so does one that spins for ever.
 */
#ifndef CONFORM_RUN_CLOCK_H
#define CONFORM_RUN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The most threads of a process that are observed. */
enum { RUN_CLOCK_THREADS = 256 };

typedef struct run_clock_thread {
    pid_t id;
    uint64_t ran, waited; /* ns on a processor, and ns ready without one */
} run_clock_thread;

typedef struct run_clock {
    pid_t process;
    double begun;   /* seconds */
    double waited;  /* sum over looks: the longest wait of a thread between two looks */
    double busiest; /* sum over looks: the longest run of a thread between two looks */
    int n;
    run_clock_thread thread[RUN_CLOCK_THREADS]; /* as of the last look */
} run_clock;

void run_clock_start(run_clock *clock, pid_t process);

/* Seconds since the start, less those in which a thread waited; all seconds where the system does not tell (Linux
 * does). Call it now and then: the times of a thread that ends are lost since the last look. */
double run_clock_seconds(run_clock *clock);

/* Seconds since the start, whatever happened. */
double run_clock_passed(const run_clock *clock);

/* True if the process has had so many seconds; or if a thread has run for three times as many, so it was not waiting
 * for others; or if a hundred times as many have passed, so that there is an end however many of its threads wait for a
 * processor. */
bool run_clock_is_over(run_clock *clock, double seconds);

#endif
