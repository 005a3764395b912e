/* Backends in shared objects: opened by path, asked for their descriptor, closed last of all. What
 * was loaded stays mapped: a file that takes its place is read by the next process. */
#ifndef IFN_PLUGIN_H
#define IFN_PLUGIN_H

#include <inferno/backend.h>

typedef struct ifn_plugin {
    void *library; /* NULL: none */
    const ifn_backend_desc *desc;
} ifn_plugin;

/* 1 if a name of an expression is a path: it holds '/' or ends in ".so". */
int ifn_plugin_is_path(const char *name);

/*
 * Opens a shared object and calls its entry. Refuses one that changes the floating-point
 * environment by being loaded, and puts that back.
 * Errors  IFN_ERR_IO: cannot be loaded. IFN_ERR_UNSUPPORTED: not a plugin, or as above
 */
IFN_NODISCARD ifn_status ifn_plugin_open(const char *path, ifn_plugin *out, ifn_error *err);
void ifn_plugin_close(void *library); /* NULL is fine */

#endif
