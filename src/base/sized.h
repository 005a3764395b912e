/* Structs of programs that may know less of them than this library, or more: they open with their
 * size (IFN_SIZED_INIT). The library works on a copy as it knows the struct itself. */
#ifndef IFN_SIZED_H
#define IFN_SIZED_H

#include <stddef.h>

#include <inferno/status.h>

/*
 * Copies what the program has filled in to `out`, then zeros, and its size to the front.
 * `name` is the struct's, for messages.
 * Errors  IFN_ERR_ARGUMENT: no size, or something set that this library does not know
 */
IFN_NODISCARD ifn_status ifn_sized_read(void *out, size_t bytes, const void *given,
                                        const char *name, ifn_error *err);

/* The way back: as much as the program has room for; what this library does not know of it is 0. */
void ifn_sized_write(void *given, const void *own, size_t bytes);

#endif
