#include "judge_step.h"

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)
enum { TRAP_FLAG = 0x100 };

bool judge_step(void *context, bool is_on)
{
    greg_t *const flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    *flags = is_on ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
    return true;
}

bool judge_has_steps(void)
{
    return true;
}

void judge_trap(void)
{
    __asm__ volatile("int3");
}

bool judge_enters_system(const void *context)
{
    const greg_t next = ((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const unsigned char *const code = (const unsigned char *)(uintptr_t)next;
    return code[0] == 0x0f && code[1] == 0x05;
}
#else
bool judge_step(void *context, bool is_on)
{
    (void)context;
    (void)is_on;
    return false;
}

bool judge_has_steps(void)
{
    return false;
}

void judge_trap(void)
{
    raise(SIGTRAP);
}

bool judge_enters_system(const void *context)
{
    (void)context;
    return false;
}
#endif
