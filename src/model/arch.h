/* What differs between the architectures. */
#ifndef IFN_ARCH_H
#define IFN_ARCH_H

#include <inferno/gguf.h>
#include <inferno/ops.h>

typedef enum arch_bias { BIAS_OPTIONAL, BIAS_REQUIRED } arch_bias;

typedef struct ifn_arch {
    const char *name; /* general.architecture, and the prefix of its keys */
    ifn_rope_pairing rope_pairing;
    arch_bias qkv_bias;
    int has_qk_norm;
} ifn_arch;

/* NULL for a name that is no architecture of ours. */
const ifn_arch *ifn_arch_find(ifn_string name);

/* "llama qwen2 qwen3": what a message lists. */
const char *ifn_arch_names(void);

#endif
