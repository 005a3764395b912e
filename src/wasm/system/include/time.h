/* time.h with timers, which are refused. */
#ifndef WASM_TIME_H
#define WASM_TIME_H
#include_next <time.h>

#ifdef __cplusplus
extern "C" {
#endif
struct sigevent;
int timer_create(clockid_t, struct sigevent *, timer_t *), timer_delete(timer_t);
int timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *);
#ifdef __cplusplus
}
#endif
#endif
