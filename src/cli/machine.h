/* What the programs ask the operating system. */
#ifndef IFN_CLI_MACHINE_H
#define IFN_CLI_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

uint64_t machine_memory_bytes(void);   /* physical memory; 0 where it is not known */
uint64_t machine_peak_rss_bytes(void); /* the most this process has held */

/**
 * Where the model that ships with the project is: where an installed copy of this program has it,
 * else beside the sources it was built from. Writes the path to `out`.
 * Errors  IFN_ERR_IO naming both places
 */
ifn_status machine_shipped_model(char *out, size_t bytes, ifn_error *err);

#endif
