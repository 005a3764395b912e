/* Memory of a plugin in which every write raises a signal. */
#include "write_trap.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include <inferno/backend.h>

#include "test.h"

static write_trap trap;
static uintptr_t address;

static void on_write(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    address = (uintptr_t)info->si_addr;
    write_trap_set(&trap, false);
}

static uintptr_t code_of_plugin(void)
{
    void *const library = dlopen(FIRST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    return (uintptr_t)dlsym(library, IFN_BACKEND_ENTRY_SYMBOL);
}

#if defined(__linux__) && defined(__x86_64__)
TEST(a_write_to_what_is_watched_is_a_signal_and_then_made)
{
    static _Alignas(4096) volatile int held[1024];
    struct sigaction before, action = {.sa_sigaction = on_write, .sa_flags = SA_SIGINFO};
    assert_true(write_trap_find(&trap, code_of_plugin(), (const void *)(uintptr_t)held));
    assert_true(write_trap_has(&trap, (uintptr_t)held));
    assert_false(write_trap_has(&trap, (uintptr_t)&trap));
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
    address = 0;
    write_trap_set(&trap, true);
    assert_int_equal(held[3], 0);
    assert_int_equal(address, 0);
    held[3] = 7;
    sigaction(SIGSEGV, &before, NULL);
    assert_int_equal(address, (uintptr_t)&held[3]);
    assert_int_equal(held[3], 7);
}
#endif

TEST(this_program_is_not_watched)
{
    assert_false(write_trap_find(&trap, (uintptr_t)code_of_plugin, NULL));
    assert_false(write_trap_find(&trap, 1, NULL));
}
