/* The architectures by name. */
#ifndef IFN_ARCH_H
#define IFN_ARCH_H

#include <inferno/gguf.h>
#include <inferno/model.h>

/* The architecture of this name; NULL if it is not supported. */
const ifn_arch *ifn_arch_find(ifn_string name);

/* "llama qwen2 qwen3", for messages. */
const char *ifn_arch_names(void);

#endif
