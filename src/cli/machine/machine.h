/* What the programs ask the operating system. */
#ifndef IFN_CLI_MACHINE_H
#define IFN_CLI_MACHINE_H

#include <stdint.h>

uint64_t machine_memory_bytes(void);   /* physical memory; 0 where it is not known */
uint64_t machine_peak_rss_bytes(void); /* the most this process has held */

#endif
