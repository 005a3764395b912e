/*
 * Lists the writable static variables of a plugin: memory outside its state. They are not forbidden, as they may hold a
 * pool or a table that is filled once. But a backend that wrongly keeps data of one call for the next keeps it there,
 * so a run names them to those who read a failure or trust a pass.
 */
#ifndef CONFORM_WRITABLE_H
#define CONFORM_WRITABLE_H

#include <stddef.h>

/* Writes the variables of the shared object at `path`, the largest first: "buffer (16384 bytes), sum (4 bytes)". ""
 * if there are none, the file is no 64-bit ELF file, or its symbols are stripped. */
void conform_writable_names(const char *path, char *out, size_t bytes);

#endif
