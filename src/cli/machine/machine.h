/* What the programs ask the operating system. */
#ifndef IFN_CLI_MACHINE_H
#define IFN_CLI_MACHINE_H

#include <stdint.h>

uint64_t machine_memory_bytes(void);   /* physical memory; 0 where it is not known */
uint64_t machine_peak_rss_bytes(void); /* the most this process has held */

/* Caches of data, the smallest first; n is 0 where the system does not tell. All but the last are a
 * processor's own. */
typedef struct machine_caches {
    int n;
    struct machine_cache {
        char name[8]; /* "L2" */
        uint64_t bytes;
    } at[4];
} machine_caches;

machine_caches machine_find_caches(void);

/* The name of the smallest that holds so many bytes, of which each of some threads has its share;
 * "memory" where none does. */
const char *machine_memory_of(const machine_caches *self, uint64_t bytes, int n_threads);

#endif
