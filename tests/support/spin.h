/* Keeps all processors busy with more threads than processors. Each spins until it has used its CPU time. */
#ifndef SPIN_H
#define SPIN_H

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { SPINNERS_EACH = 8, MOST_SPINNERS = 64 };

static inline double spin_own_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void *spin(void *seconds)
{
    while (spin_own_seconds() < *(const double *)seconds)
        continue;
    return NULL;
}

/* Starts the threads, each for `seconds` of CPU time, and returns when all have ended; INFINITY: never. */
static inline void spin_on_all(double seconds)
{
    pthread_t thread[MOST_SPINNERS];
    const long wanted = SPINNERS_EACH * sysconf(_SC_NPROCESSORS_ONLN);
    int n = 0;
    while (n < MOST_SPINNERS && n < wanted && pthread_create(&thread[n], NULL, spin, &seconds) == 0)
        n++;
    while (n-- > 0)
        pthread_join(thread[n], NULL);
}

#endif
