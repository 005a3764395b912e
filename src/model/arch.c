#include "arch.h"

#include <string.h>

/* X(name, rope pairing, has a bias on q, k and v, has norms of q and k) */
/* clang-format off */
#define ARCHS(X)                                          \
    X("llama", IFN_ROPE_INTERLEAVED, 0, 0)                \
    X("qwen2", IFN_ROPE_HALF_SPLIT,  1, 0)                \
    X("qwen3", IFN_ROPE_HALF_SPLIT,  0, 1)
/* clang-format on */

static const ifn_arch archs[] = {
#define X(name, pairing, bias, qk_norm) {name, pairing, bias, qk_norm},
    ARCHS(X)
#undef X
};

const ifn_arch *ifn_arch_list(size_t *n)
{
    *n = sizeof archs / sizeof *archs;
    return archs;
}

const ifn_arch *ifn_arch_find(ifn_string name)
{
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (strlen(archs[i].name) == name.bytes &&
            memcmp(archs[i].name, name.data, name.bytes) == 0)
            return &archs[i];
    return NULL;
}

const char *ifn_arch_names(void)
{
#define X(name, pairing, bias, qk_norm) " " name
    return &(ARCHS(X))[1];
#undef X
}
