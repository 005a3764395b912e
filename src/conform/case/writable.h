/*
 * Writable memory of a plugin outside its state: static variables, by name. Not forbidden, as they
 * may hold a pool or a table that is filled once; but a backend that keeps something of a call
 * keeps it there, so whoever reads a failure, or trusts a pass, is told.
 */
#ifndef CONFORM_WRITABLE_H
#define CONFORM_WRITABLE_H

#include <stddef.h>

/* "buffer (16384 bytes), sum (4 bytes)", the largest first, of the shared object at `path`; ""
 * where there are none, it is no ELF file of 64 bits, or its names are stripped. */
void conform_writable_names(const char *path, char *out, size_t bytes);

#endif
