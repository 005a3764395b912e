/*
 * A plugin that computes correctly and misbehaves otherwise. Its option names where and how: "op.exit", "open.hang",
 * "release.leak". The places are those below; at `load` there are no options yet, so the environment names it
 * (HOSTILE=load.hang). In an op it misbehaves in every call of rms_norm, or in every call that is refused, is large,
 * or has another lane than the first.
 */
#define _GNU_SOURCE /* processors */
#include <inferno/backend.h>

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 1024, LEAK_BYTES = 100, LARGE = 4096 };

static void say(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        return;
}

static void do_exit(void)
{
    exit(0);
}

static void do_exit3(void)
{
    exit(3);
}

static void do_quick_exit(void)
{
    _Exit(0);
}

static void do_abort(void)
{
    abort();
}

static void do_segv(void)
{
    volatile int *volatile nowhere = (volatile int *)sizeof(int);
    *nowhere = 1;
}

static void do_fpe(void)
{
    raise(SIGFPE);
}

static void do_term(void)
{
    raise(SIGTERM);
}

static void do_kill(void)
{
    raise(SIGKILL);
}

static void do_stop(void)
{
    raise(SIGSTOP);
}

static void do_hang(void)
{
    for (;;)
        pause();
}

static void do_spin(void)
{
    for (volatile int forever = 1; forever;)
        continue;
}

static void do_thread_exit(void)
{
    pthread_exit(NULL);
}

/* Recursion that needs a stack of any size. */
static int deeper(volatile char *above, int depth)
{
    volatile char room[4096];
    room[0] = above[0];
    return depth < 0 ? room[0] : deeper(room, depth + 1) + room[0];
}

static void do_overflow(void)
{
    volatile char one[1] = {0};
    (void)deeper(one, 0);
}

static void do_exec(void)
{
    execl("/bin/true", "true", (char *)NULL);
}

static void do_print(void)
{
    puts("hello");
}

static void do_print_error(void)
{
    say(STDERR_FILENO, "something is odd\n");
}

static void do_forge(void)
{
    say(STDOUT_FILENO, "ok 1 - everything is conformant\n{\"conformant\": true}\033[2J\n");
}

static void do_flood(void)
{
    for (int i = 0; i < 4096; i++)
        say(STDOUT_FILENO, "the same line again and again, until somebody has had enough of it\n");
}

static void do_write_all(void)
{
    for (int fd = 3; fd < MOST_DESCRIPTORS; fd++)
        say(fd, "RDE");
}

static void close_from(int first)
{
    for (int fd = first; fd < MOST_DESCRIPTORS; fd++)
        close(fd);
}

static void do_close_all(void)
{
    close_from(0);
}

static void do_close_others(void)
{
    close_from(3);
}

static void do_close_more(void)
{
    struct rlimit most;
    getrlimit(RLIMIT_NOFILE, &most);
    const int top = most.rlim_cur < 1 << 20 ? (int)most.rlim_cur : 1 << 20;
    for (int fd = top - MOST_DESCRIPTORS; fd < top; fd++)
        close(fd);
    do_close_all();
}

static void do_open_file(void)
{
    if (open("/dev/null", O_RDONLY) < 0)
        return;
}

static void do_chdir(void)
{
    if (chdir("/") != 0)
        return;
}

static void do_umask(void)
{
    umask(0);
}

static void do_locale(void)
{
    setlocale(LC_ALL, "C.UTF-8");
}

static void do_setenv(void)
{
    setenv("HOSTILE_WAS_HERE", "yes", 1);
}

static void do_block(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void do_ignore(void)
{
    signal(SIGINT, SIG_IGN);
}

static void do_swallow(void)
{
    signal(SIGSEGV, SIG_IGN);
}

static void do_alarm(void)
{
    alarm(3600);
}

static void do_timer(void)
{
    const struct itimerval soon = {.it_value = {.tv_sec = 3600}};
    setitimer(ITIMER_VIRTUAL, &soon, NULL);
}

/* Lowers a limit by one. */
#define LOWER(which)                                                                               \
    do {                                                                                           \
        struct rlimit limit;                                                                       \
        getrlimit(which, &limit);                                                                  \
        limit.rlim_cur = limit.rlim_cur > 64 ? limit.rlim_cur - 1 : limit.rlim_cur;                \
        setrlimit(which, &limit);                                                                  \
    } while (0)

static void do_limit(void)
{
    LOWER(RLIMIT_NOFILE);
}

static void do_limit_processes(void)
{
    LOWER(RLIMIT_NPROC);
}

/* The number of forks is limited, however many calls a run makes: the machine must have processes left for others. */
enum { MOST_FORKS = 4 };

static void do_fork(void)
{
    static int n_forks;
    if (n_forks++ < MOST_FORKS && fork() == 0) {
        struct timespec while_longer = {.tv_sec = 30};
        nanosleep(&while_longer, NULL);
        _exit(0);
    }
}

/* Starts a process that belongs to nobody. */
static void do_daemon(void)
{
    static int n_forks;
    if (n_forks++ >= MOST_FORKS)
        return;
    const pid_t pid = fork();
    if (pid == 0) {
        struct timespec while_longer = {.tv_sec = 30};
        if (setsid() >= 0 && fork() == 0)
            nanosleep(&while_longer, NULL);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

/* Each child continues as the parent did, and forks, too. */
static void do_twins(void)
{
    static int n_twins;
    if (n_twins++ < MOST_FORKS && fork() < 0)
        n_twins = MOST_FORKS;
}

static void do_child(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
}

static void *sleep_long(void *cookie)
{
    struct timespec long_time = {.tv_sec = 3600};
    nanosleep(&long_time, NULL);
    return cookie;
}

static void do_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_long, NULL) == 0)
        pthread_detach(thread);
}

static void do_leak(void)
{
    char *volatile lost = malloc(LEAK_BYTES);
    if (lost)
        lost[0] = 1;
}

static void do_map(void)
{
    const int zero = open("/dev/zero", O_RDWR);
    (void)mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    close(zero);
}

/* The allocator of the backend, set when it is opened. */
static const ifn_allocator *own;

static void do_ask(void)
{
    void *const room = own->alloc(own->cookie, LEAK_BYTES, sizeof(void *));
    if (room)
        own->free(own->cookie, room, LEAK_BYTES);
}

/* --- back to what most have --- */

static void do_unblock(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL); /* instead of the mask that was set before */
}

static void do_plain_locale(void)
{
    setlocale(LC_ALL, "C");
}

static void do_plain_umask(void)
{
    umask(022);
}

static void do_heed(void)
{
    signal(SIGUSR1, SIG_DFL);
}

static void do_no_alarm(void)
{
    alarm(0);
}

/* --- what a thread has --- */

static void do_pin(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void do_name(void)
{
    prctl(PR_SET_NAME, "hostile");
}

static void do_signal_stack(void)
{
    enum { BYTES = 1 << 16 };
    static void *room;
    if (!room)
        room = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const stack_t stack = {.ss_sp = room, .ss_size = BYTES};
    sigaltstack(&stack, NULL);
}

static void set_floats(unsigned control)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(control ? 0x9fc0 : 0x1f80);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)control << 24));
#else
    (void)control;
#endif
}

static void do_flush(void)
{
    set_floats(1);
}

static void do_plain_floats(void)
{
    set_floats(0);
}

/* --- what is no fault --- */

static void do_mask_and_back(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void do_pin_and_back(void)
{
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
    do_pin();
    sched_setaffinity(0, sizeof before, &before);
}

static void do_nothing(void) {}

static void *return_at_once(void *cookie)
{
    return cookie;
}

static void do_join(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, return_at_once, NULL) == 0)
        pthread_join(thread, NULL);
}

static void do_malloc(void)
{
    char *volatile room = malloc(LEAK_BYTES);
    if (room)
        room[0] = 1;
    free(room);
}

static void do_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, do_thread);
    pthread_once(&once, do_leak);
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    {"nothing", do_nothing},
    {"join", do_join},
    {"malloc", do_malloc},
    {"once", do_once},
    {"exit", do_exit},
    {"exit3", do_exit3},
    {"quick-exit", do_quick_exit},
    {"abort", do_abort},
    {"segv", do_segv},
    {"fpe", do_fpe},
    {"term", do_term},
    {"kill", do_kill},
    {"stop", do_stop},
    {"hang", do_hang},
    {"spin", do_spin},
    {"thread-exit", do_thread_exit},
    {"overflow", do_overflow},
    {"exec", do_exec},
    {"print", do_print},
    {"print-error", do_print_error},
    {"forge", do_forge},
    {"flood", do_flood},
    {"write-all", do_write_all},
    {"close-all", do_close_all},
    {"close-others", do_close_others},
    {"close-more", do_close_more},
    {"open-file", do_open_file},
    {"chdir", do_chdir},
    {"umask", do_umask},
    {"locale", do_locale},
    {"setenv", do_setenv},
    {"block", do_block},
    {"ignore", do_ignore},
    {"swallow", do_swallow},
    {"alarm", do_alarm},
    {"timer", do_timer},
    {"limit", do_limit},
    {"limit-processes", do_limit_processes},
    {"daemon", do_daemon},
    {"fork", do_fork},
    {"twins", do_twins},
    {"child", do_child},
    {"thread", do_thread},
    {"leak", do_leak},
    {"map", do_map},
    {"ask", do_ask},
    {"unblock", do_unblock},
    {"plain-locale", do_plain_locale},
    {"plain-umask", do_plain_umask},
    {"heed", do_heed},
    {"no-alarm", do_no_alarm},
    {"pin", do_pin},
    {"name", do_name},
    {"signal-stack", do_signal_stack},
    {"flush", do_flush},
    {"plain-floats", do_plain_floats},
    {"mask-and-back", do_mask_and_back},
    {"pin-and-back", do_pin_and_back},
};

/* What to do, and at which place: "place.act". */
static char wish[64];

static void at(const char *place)
{
    const size_t length = strlen(place);
    if (strncmp(wish, place, length) != 0 || wish[length] != '.')
        return;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, wish + length + 1) == 0)
            acts[i].act();
}

__attribute__((constructor)) static void load(void)
{
    const char *const text = getenv("HOSTILE");
    snprintf(wish, sizeof wish, "%s", text ? text : "");
    at("load");
}

static ifn_status (*inherited)(ifn_backend *self, const ifn_rms_norm_args *a);
static ifn_status (*inherited_linear)(ifn_backend *self, const ifn_linear_args *a);

static ifn_status misbehave(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = inherited(self, a);
    at("op");
    if (status != IFN_OK)
        at("refused");
    else if (a->rows * a->dim > LARGE)
        at("large");
    if (a->call.lane > 0)
        at("lane");
    return status;
}

/* Ignores the handles, which hold nothing that an op needs. */
static ifn_status read_raw(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args raw = *a;
    for (int i = 0; i < IFN_LINEAR_MAX; i++)
        raw.packed[i] = NULL;
    return inherited_linear(self, &raw);
}

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    if (env->options[0])
        snprintf(wish, sizeof wish, "%s", env->options);
    inherited = t->rms_norm;
    inherited_linear = t->linear;
    t->rms_norm = misbehave;
    t->linear = read_raw;
    at("fill");
}

static ifn_status begin(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)err;
    own = env->alloc;
    *state = NULL;
    at("open");
    return IFN_OK;
}

static void end(void *state)
{
    (void)state;
    at("close");
}

enum { HANDLE_BYTES = 64 };

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)w;
    at("prepare");
    for (int i = 0; i < n; i++) {
        void *const data = self->buffers->alloc(self->buffers->cookie, HANDLE_BYTES, HANDLE_BYTES);
        if (!data) {
            while (i-- > 0)
                self->buffers->free(self->buffers->cookie, out[i].data, HANDLE_BYTES);
            snprintf(err->text, sizeof err->text, "out of memory");
            return IFN_ERR_NOMEM;
        }
        out[i] = (ifn_packed){data, HANDLE_BYTES, uses & IFN_USE_LINEAR};
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    self->buffers->free(self->buffers->cookie, packed->data, HANDLE_BYTES);
    packed->data = NULL;
    at("release");
}

IFN_BACKEND_ENTRY(.name = "hostile", .summary = "right, and a nuisance", .fill = fill,
                  .open = begin, .close = end, .prepare = prepare, .release = release)
