/* Where and when a report was made. */
#ifndef IFN_PROGRAM_SYSTEM_H
#define IFN_PROGRAM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* The model of the processor or, if the system names none, its architecture. */
void system_cpu(char *out, size_t bytes);

/* "Linux 6.1.0 x86_64" */
void system_name(char *out, size_t bytes);

/* The machine's host name. */
void system_host(char *out, size_t bytes);

/* True if a debugger watches this process, where the system tells that. */
bool system_is_traced(void);

/* The current time in UTC: "2026-01-31T23:59:59Z". */
void system_date(char *out, size_t bytes);

#endif
