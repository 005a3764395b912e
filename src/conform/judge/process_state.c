#include "process_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h> /* mallinfo2, where there is one */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

#include "counted_alloc.h"
#include "float_control.h"
#include "fnv1a.h"

extern char **environ;

const char *process_fixture_name(int i)
{
    static const char *const names[] = {
#define X(NAME, text) text,
        PROCESS_FIXTURES(X)
#undef X
    };
    return names[i];
}

const char *process_holding_name(int i)
{
    static const char *const names[] = {
#define X(NAME, text) text,
        PROCESS_HOLDINGS(X)
#undef X
    };
    return names[i];
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? fnv1a_bytes(hash, text, strlen(text) + 1) : hash + 1;
}

/* Identifies the directory by inode, not by name: it may be renamed. */
static uint64_t directory(void)
{
    struct stat st;
    return stat(".", &st) == 0 ? (uint64_t)st.st_ino * 31 + (uint64_t)st.st_dev : 0;
}

static uint64_t file_modes(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return mask;
}

static uint64_t locale_of_thread(void)
{
    return (uint64_t)(uintptr_t)uselocale((locale_t)0);
}

static uint64_t locale(void)
{
    return hash_text(locale_of_thread(), setlocale(LC_ALL, NULL));
}

static uint64_t blocked(void)
{
    sigset_t set;
    uint64_t bits = 0;
    if (pthread_sigmask(SIG_BLOCK, NULL, &set) != 0)
        return 0;
    for (int i = 1; i < 64; i++)
        bits |= (uint64_t)(sigismember(&set, i) == 1) << i;
    return bits;
}

static uint64_t hash_descriptor(uint64_t hash, int fd)
{
    struct stat st = {.st_ino = 0};
    const bool is_open = fd >= 0 && fstat(fd, &st) == 0;
    return hash * 31 + (is_open ? (uint64_t)st.st_ino * 2 + 1 : 0);
}

static uint64_t standard(void)
{
    uint64_t hash = 0;
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        hash = hash_descriptor(hash, fd);
    return hash;
}

/* A descriptor that the backend has not opened, once as low and once as high as usual; -1: none. It is the reading end of
 * a pipe that nobody writes to: whoever reads or writes it by mistake does not wait. */
static int others[2] = {-1, -1};

static void open_others(void)
{
    enum { HIGH = 50 };
    int ends[2];
    if (pipe(ends) != 0)
        return;
    close(ends[1]);
    others[0] = ends[0];
    others[1] = fcntl(ends[0], F_DUPFD_CLOEXEC, HIGH);
}

/* More than a year. */
static const time_t far_off = 100000000;

/* Records whether each timer runs, and whether it has more than far_off left; the exact time left changes by itself. */
static uint64_t alarms(void)
{
    static const int timers[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    uint64_t running = 0;
    for (size_t i = 0; i < sizeof timers / sizeof *timers; i++) {
        struct itimerval left = {.it_value = {0}};
        getitimer(timers[i], &left);
        running |= (uint64_t)(left.it_value.tv_sec || left.it_value.tv_usec) << 2 * i;
        running |= (uint64_t)(left.it_value.tv_sec > far_off) << (2 * i + 1);
    }
    return running;
}

/* Ignores flags that the system adds by itself. */
static uint64_t signals(void)
{
    const int known =
        SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO | SA_RESTART | SA_NODEFER | SA_RESETHAND;
    uint64_t hash = 0;
    for (int i = 1; i < 64; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) != 0)
            continue;
        hash = fnv1a_bytes(hash, &action.sa_handler, sizeof action.sa_handler);
        action.sa_flags &= known;
        hash = fnv1a_bytes(hash, &action.sa_flags, sizeof action.sa_flags);
    }
    return hash;
}

static uint64_t environment(void)
{
    uint64_t hash = 0;
    for (char **variable = environ; variable && *variable; variable++)
        hash = hash_text(hash, *variable);
    return hash;
}

/* Leaves out the priority: an administrator may change that of a running process. */
static uint64_t limits(void)
{
    static const int which[] = {
        RLIMIT_NOFILE,  RLIMIT_AS, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_CPU,
#ifdef RLIMIT_NPROC
        RLIMIT_NPROC,
#endif
#ifdef RLIMIT_MEMLOCK
        RLIMIT_MEMLOCK,
#endif
    };
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        struct rlimit limit = {0};
        getrlimit(which[i], &limit);
        hash = fnv1a_bytes(hash, &limit, sizeof limit);
    }
    return hash;
}

/* 1 if the process has children, running or not yet waited for. */
static uint64_t children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

#ifdef __linux__
static uint64_t hash_processors(pid_t pid)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(pid, sizeof set, &set) == 0
               ? fnv1a_bytes(FNV1A_START, &set, sizeof set)
               : 0;
}

/* 0 if the process may run on the same processors as its parent: an administrator moves both together. */
static uint64_t processors(void)
{
    const uint64_t own = hash_processors(0);
    return own == hash_processors(getppid()) ? 0 : own;
}

static uint64_t thread_name(void)
{
    char name[17] = "";
    return prctl(PR_GET_NAME, name) == 0 ? hash_text(FNV1A_START, name) : 0;
}

static uint64_t signal_stack(void)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0 || stack.ss_flags & SS_DISABLE)
        return 0;
    return fnv1a_bytes((uint64_t)(uintptr_t)stack.ss_sp, &stack.ss_size, sizeof stack.ss_size) | 1;
}

static void start_timer(void)
{
    const struct itimerval later = {.it_value = {.tv_sec = 2 * far_off}};
    setitimer(ITIMER_REAL, &later, NULL);
}
#else
static uint64_t processors(void)
{
    return 0;
}

static uint64_t signal_stack(void)
{
    return 0;
}

static void start_timer(void) {}

static uint64_t thread_name(void)
{
    return 0;
}
#endif

/* A mask of file modes that no other program uses. */
enum { ODD_UMASK = 0137 };

void process_leave_defaults(void)
{
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGUSR1, &ignored, NULL);
    start_timer();
    umask(ODD_UMASK);
    open_others();
#ifdef PR_SET_CHILD_SUBREAPER
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1UL); /* a process whose parent has left stays in sight */
#endif
    (void)setlocale(LC_CTYPE, "C.UTF-8"); /* if the system has it; letters and digits are as in C */
}

process_fixtures process_fixtures_of_thread(void)
{
    return (process_fixtures){{
        [PROCESS_LOCALE] = locale_of_thread(),
        [PROCESS_BLOCKED] = blocked(),
        [PROCESS_PROCESSORS] = processors(),
        [PROCESS_FLOATS] = conform_float_control(),
        [PROCESS_SIGNAL_STACK] = signal_stack(),
        [PROCESS_THREAD_NAME] = thread_name(),
    }};
}

process_fixtures process_fixtures_now(void)
{
    process_fixtures now = process_fixtures_of_thread();
    now.is[PROCESS_DIRECTORY] = directory();
    now.is[PROCESS_UMASK] = file_modes();
    now.is[PROCESS_LOCALE] = locale();
    now.is[PROCESS_STANDARD] = standard();
    now.is[PROCESS_OTHERS] = hash_descriptor(hash_descriptor(0, others[0]), others[1]);
    now.is[PROCESS_ALARM] = alarms();
    now.is[PROCESS_SIGNALS] = signals();
    now.is[PROCESS_ENVIRONMENT] = environment();
    now.is[PROCESS_LIMITS] = limits();
    now.is[PROCESS_CHILDREN] = children();
    return now;
}

int process_fixtures_changed(const process_fixtures *before, const process_fixtures *now, int n)
{
    for (int i = 0; i < n; i++)
        if (before->is[i] != now->is[i])
            return i;
    return -1;
}

static int64_t entries(const char *path)
{
    int64_t n = 0;
    DIR *const dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

/* Linux tells both counts without a listing: descriptors as the size of their directory (since 6.2), threads in the
 * number of links. 0: unknown. */
static int64_t descriptors_told(void)
{
    struct stat s;
    return stat("/proc/self/fd", &s) == 0 ? (int64_t)s.st_size : 0;
}

static int64_t threads_told(void)
{
    enum { OF_THE_DIRECTORY = 2 };
    struct stat s;
    return stat("/proc/self/task", &s) == 0 && s.st_nlink > OF_THE_DIRECTORY
               ? (int64_t)s.st_nlink - OF_THE_DIRECTORY
               : 0;
}

static int64_t descriptors(void)
{
    const int64_t told = descriptors_told();
    return told ? told : entries("/proc/self/fd");
}

int64_t process_threads(void)
{
    const int64_t told = threads_told();
    return told ? told : entries("/proc/self/task");
}

int64_t process_holdings_hint(void)
{
    return descriptors_told() + threads_told();
}

/* Pages of address space, the first number of statm. A sanitizer keeps freed memory for a while, so a process that
 * frees everything may still grow; so 0 is returned there. */
static int64_t mapped(void)
{
#ifdef IFN_KEEPS_FREED
    return 0;
#endif
    char text[64] = "";
    const int fd = open("/proc/self/statm", O_RDONLY);
    if (fd >= 0) {
        if (read(fd, text, sizeof text - 1) < 0)
            text[0] = '\0';
        close(fd);
    }
    return strtoll(text, NULL, 10);
}

static int64_t heap(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

process_holdings process_holdings_now(void)
{
    return (process_holdings){{
        [PROCESS_DESCRIPTORS] = descriptors(),
        [PROCESS_THREADS] = process_threads(),
        [PROCESS_MAPPED] = mapped(),
        [PROCESS_HEAP] = heap(),
        [PROCESS_ASKED] = conform_counted_requests(),
    }};
}
