/* The architectures by name. */
#ifndef IFN_ARCH_H
#define IFN_ARCH_H

#include <inferno/gguf.h>
#include <inferno/model.h>

/* NULL for a name that is no architecture of ours. */
const ifn_arch *ifn_arch_find(ifn_string name);

/* "llama qwen2 qwen3": what a message lists. */
const char *ifn_arch_names(void);

#endif
