/* How much a core has near to it. No numbers depend on the answer. */
#ifndef IFN_CPU_CACHE_H
#define IFN_CPU_CACHE_H

#include <stdint.h>

/* Bytes of one core's second level; 1 MiB where the system does not tell. */
int64_t ifn_cpu_l2_bytes(void);

#endif
