/* The names of the bits that conform_abi_call returns. */
#include "abi.h"

#include <stdio.h>

static const char *const names[] = {
#if defined(__x86_64__)
    "rbx",
    "rbp",
    "r12",
    "r13",
    "r14",
    "r15",
    "rsp",
    "the direction flag",
    "MXCSR control bits",
    "the x87 control word",
    "the x87 stack (not empty)",
#elif defined(__aarch64__)
    "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
    "x29", "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15", "FPCR",
#endif
    NULL,
};

enum { LEFT_UPPER = 1 << 11, LEFT_TILES = 1 << 12 }; /* bits of the result on x86-64 */

conform_abi_left conform_abi_take_left(uint32_t *changed)
{
    conform_abi_left left = {0};
#if defined(__x86_64__)
    left.upper = *changed & LEFT_UPPER;
    left.tiles = *changed & LEFT_TILES;
    *changed &= ~(uint32_t)(LEFT_UPPER | LEFT_TILES);
#else
    (void)changed;
#endif
    return left;
}

int conform_abi_is_checked(void)
{
    return names[0] != NULL;
}

#ifndef __x86_64__
int conform_abi_checks_upper(void)
{
    return 0; /* other processors have no such state to leave in use */
}
#endif

void conform_abi_describe(uint32_t changed, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; names[i] && used < bytes; i++)
        if (changed >> i & 1)
            used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? ", " : "", names[i]);
}
