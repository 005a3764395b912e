/* What a report says of where and when it was made. */
#ifndef IFN_PROGRAM_SYSTEM_H
#define IFN_PROGRAM_SYSTEM_H

#include <stddef.h>

/* The model of the processor; what the system calls its kind where it names no model. */
void system_cpu(char *out, size_t bytes);

/* "Linux 6.1.0 x86_64" */
void system_name(char *out, size_t bytes);

/* The machine's own name. */
void system_host(char *out, size_t bytes);

/* Now, in UTC: "2026-01-31T23:59:59Z". */
void system_date(char *out, size_t bytes);

#endif
