/* One thread: pthread_create is refused. */
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

#define __NEED_pthread_mutex_t
#define __NEED_pthread_mutexattr_t
#define __NEED_pthread_cond_t
#define __NEED_pthread_condattr_t
#define __NEED_pthread_attr_t
#define __NEED_pthread_t
#include <signal.h>

int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);

#endif
