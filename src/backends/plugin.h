/* Backends in shared objects: opens them by path, gets their descriptor, and closes them after everything else.
 * A loaded object stays mapped: only the next process sees a file that replaces it. */
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
 * Opens a shared object and calls its entry. Refuses an object whose loading changes the floating-point
 * environment, and restores the environment.
 * Errors  IFN_ERR_IO: cannot be loaded. IFN_ERR_UNSUPPORTED: not a plugin, or as above
 */
IFN_NODISCARD ifn_status ifn_plugin_open(const char *path, ifn_plugin *out, ifn_error *err);
void ifn_plugin_close(void *library); /* NULL is fine */

#endif
