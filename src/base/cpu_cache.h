/* The size of a core's own cache. Results of ops do not depend on it. */
#ifndef IFN_CPU_CACHE_H
#define IFN_CPU_CACHE_H

#include <stdint.h>

/* Bytes of one core's L2 cache; 1 MiB if the system does not tell. */
int64_t ifn_cpu_l2_bytes(void);

#endif
