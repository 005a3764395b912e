/* Keeps all processors busy: 8 threads for each, at most 64, spin until each has used some processor time. */
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

/* Returns when all threads have ended; never, if the time is INFINITY. */
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
