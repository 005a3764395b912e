/* sys/time.h with timers, which never run. */
#ifndef WASM_SYS_TIME_H
#define WASM_SYS_TIME_H
#include_next <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif
struct itimerval {
    struct timeval it_interval, it_value;
};
enum { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
int getitimer(int, struct itimerval *);
#ifdef __cplusplus
}
#endif
#endif
