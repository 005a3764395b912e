#include "signal_access.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static void leave_with_access(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    _exit((int)conform_access_of(context));
}

static _Noreturn void touch_a_page(int writes, int protection)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = leave_with_access;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    const int zero = open("/dev/zero", O_RDWR);
    volatile char *const page = mmap(NULL, 4096, protection, MAP_PRIVATE, zero, 0);
    if (writes)
        *page = 1;
    else
        (void)*page;
    _exit(99);
}

/* Returns what the handler concludes from a signal, in a child that dies of it. */
static int access_of(int writes, int protection)
{
    int status;
    const pid_t pid = fork();
    if (pid == 0)
        touch_a_page(writes, protection);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(a_read_is_told_from_a_write)
{
#if defined __x86_64__
    assert_int_equal(access_of(0, PROT_NONE), ACCESS_READ);
    assert_int_equal(access_of(1, PROT_NONE), ACCESS_WRITE);
    assert_int_equal(access_of(1, PROT_READ), ACCESS_WRITE);
#else
    assert_int_equal(access_of(0, PROT_NONE), ACCESS_UNKNOWN);
#endif
}

TEST(each_has_its_word)
{
    assert_string_equal(conform_access_name(ACCESS_READ), " reading");
    assert_string_equal(conform_access_name(ACCESS_WRITE), " writing");
    assert_string_equal(conform_access_name(ACCESS_UNKNOWN), "");
}
