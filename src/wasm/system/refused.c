/*
 * POSIX functions that need what WASI lacks: processes, threads, shared objects, timers, signals, permissions. They
 * fail as they may fail on any system, so that their callers need not know of WebAssembly. Functions that only query
 * such things answer that there are none.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int refuse(int code)
{
    errno = code;
    return -1;
}

/* --- processes --- */

pid_t getpid(void)
{
    return 1;
}

pid_t getppid(void)
{
    return 0;
}

pid_t fork(void)
{
    return refuse(ENOSYS);
}

int setpgid(pid_t process, pid_t group)
{
    (void)process;
    (void)group;
    return refuse(ENOSYS);
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)process;
    (void)status;
    (void)options;
    return refuse(ECHILD);
}

int waitid(idtype_t what, id_t id, siginfo_t *info, int options)
{
    (void)what;
    (void)id;
    (void)info;
    (void)options;
    return refuse(ECHILD);
}

int execvp(const char *file, char *const *arguments)
{
    (void)file;
    (void)arguments;
    return refuse(ENOSYS);
}

FILE *popen(const char *command, const char *mode)
{
    (void)command;
    (void)mode;
    errno = ENOSYS;
    return NULL;
}

int pclose(FILE *pipe)
{
    (void)pipe;
    return refuse(ECHILD);
}

int pipe(int ends[2])
{
    (void)ends;
    return refuse(ENOSYS);
}

int dup(int fd)
{
    (void)fd;
    return refuse(ENOSYS);
}

int dup2(int from, int to)
{
    (void)from;
    (void)to;
    return refuse(ENOSYS);
}

/* --- threads --- */

int pthread_attr_init(pthread_attr_t *attributes)
{
    (void)attributes;
    return ENOMEM;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes)
{
    (void)attributes;
    (void)bytes;
    return EINVAL;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return EINVAL;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *cookie)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)cookie;
    return EAGAIN;
}

int pthread_join(pthread_t thread, void **result)
{
    (void)thread;
    (void)result;
    return ESRCH;
}

pthread_t pthread_self(void)
{
    return (pthread_t)NULL;
}

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
    (void)process;
    memset(set, 0, bytes);
    return 0;
}

int sem_init(sem_t *sem, int is_shared, unsigned value)
{
    (void)is_shared;
    sem->__val[0] = (int)value;
    return 0;
}

int sem_destroy(sem_t *sem)
{
    (void)sem;
    return 0;
}

int sem_post(sem_t *sem)
{
    sem->__val[0]++;
    return 0;
}

int sem_trywait(sem_t *sem)
{
    if (sem->__val[0] == 0)
        return refuse(EAGAIN);
    sem->__val[0]--;
    return 0;
}

/* With one thread, nothing else can post the semaphore: a wait would last for ever, so the program ends. */
int sem_wait(sem_t *sem)
{
    if (sem_trywait(sem) != 0)
        abort();
    return 0;
}

int sem_timedwait(sem_t *sem, const struct timespec *until)
{
    (void)until;
    return sem_trywait(sem) == 0 ? 0 : refuse(ETIMEDOUT);
}

/* --- shared objects --- */

void *dlopen(const char *path, int flags)
{
    (void)path;
    (void)flags;
    return NULL;
}

void *dlsym(void *library, const char *name)
{
    (void)library;
    (void)name;
    return NULL;
}

int dlclose(void *library)
{
    (void)library;
    return 0;
}

char *dlerror(void)
{
    static char text[] = "WebAssembly has no shared objects";
    return text;
}

/* --- signals and timers --- */

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    memset(set, 0xff, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    (void)set;
    (void)number;
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    (void)set;
    (void)number;
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    (void)set;
    (void)number;
    return 0;
}

int sigpending(sigset_t *set)
{
    return sigemptyset(set);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    (void)how;
    (void)set;
    return before ? sigemptyset(before) : 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    return sigprocmask(how, set, before);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    (void)number;
    (void)action;
    (void)before;
    return refuse(EINVAL);
}

void (*signal(int number, void (*handler)(int)))(int)
{
    (void)number;
    (void)handler;
    errno = EINVAL;
    return SIG_ERR;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *until)
{
    (void)set;
    (void)info;
    (void)until;
    return refuse(EAGAIN);
}

_Noreturn static void end_by(int number)
{
    fprintf(stderr, "ended by signal %d\n", number);
    abort();
}

int raise(int number)
{
    end_by(number);
}

int kill(pid_t process, int number)
{
    if (process == getpid())
        end_by(number);
    return refuse(ESRCH);
}

_Noreturn void longjmp(jmp_buf environment, int value)
{
    (void)environment;
    (void)value;
    fputs("out of memory, and WebAssembly cannot jump back\n", stderr);
    abort();
}

unsigned alarm(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    (void)clock;
    (void)event;
    (void)timer;
    return refuse(EAGAIN);
}

int timer_delete(timer_t timer)
{
    (void)timer;
    return refuse(EINVAL);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *next,
                  struct itimerspec *before)
{
    (void)timer;
    (void)flags;
    (void)next;
    (void)before;
    return refuse(EINVAL);
}

int getitimer(int which, struct itimerval *left)
{
    (void)which;
    *left = (struct itimerval){0};
    return 0;
}

/* --- permissions and limits --- */

mode_t umask(mode_t mask)
{
    (void)mask;
    return 022;
}

int chmod(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return 0;
}

int fchmod(int fd, mode_t mode)
{
    (void)fd;
    (void)mode;
    return 0;
}

int getrlimit(int which, struct rlimit *limit)
{
    (void)which;
    *limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    return 0;
}

int setrlimit(int which, const struct rlimit *limit)
{
    (void)which;
    (void)limit;
    return refuse(EPERM);
}
