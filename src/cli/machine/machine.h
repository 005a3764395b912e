/* Facts about the machine from the operating system. */
#ifndef IFN_CLI_MACHINE_H
#define IFN_CLI_MACHINE_H

#include <stdint.h>

uint64_t machine_memory_bytes(void);   /* physical memory; 0: unknown */
uint64_t machine_peak_rss_bytes(void); /* peak resident set size of this process */
/* Data caches, the smallest first; n is 0 if the system does not tell. All except the last are private to a
 * processor. */
typedef struct machine_caches {
    int n;
    struct machine_cache {
        char name[8]; /* "L2" */
        uint64_t bytes;
    } at[4];
} machine_caches;

machine_caches machine_find_caches(void);

/* Returns the name of the smallest cache that holds `bytes`, divided among n_threads threads; "memory" if none does. */
const char *machine_memory_of(const machine_caches *self, uint64_t bytes, int n_threads);

#endif
