/* Public structs that open with their size (IFN_SIZED_INIT), so that a program may have been compiled with an
 * older or newer version of them. The library works on a copy in its own version. */
#ifndef IFN_SIZED_H
#define IFN_SIZED_H

#include <stddef.h>

#include <inferno/status.h>

/*
 * Copies the program's struct to `out`, fills the rest of `out` with zeros, and sets its size member to
 * the program's size. `name` is the struct's, for messages.
 * Errors  IFN_ERR_ARGUMENT: no size, or a member set that this library does not know
 */
IFN_NODISCARD ifn_status ifn_sized_read(void *out, size_t bytes, const void *given,
                                        const char *name, ifn_error *err);

/* Copies `own` back, as much as the program's struct has room for; members unknown to this library become 0. */
void ifn_sized_write(void *given, const void *own, size_t bytes);

#endif
