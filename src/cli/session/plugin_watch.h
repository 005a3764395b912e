/* Tells the supervisor which plugin is loaded and which of its ops is running. */
#ifndef IFN_CLI_PLUGIN_WATCH_H
#define IFN_CLI_PLUGIN_WATCH_H

#include <inferno/backend.h>

/* Copies to `out` the first plugin that a command line names after --backend or --against. Returns 1, or 0 if there is
 * none. */
int plugin_watch_find(int argc, char **argv, char *out, size_t bytes);

/* The same for the first word, or value of an option, that ends in ".so". */
int plugin_watch_find_word(int argc, char **argv, char *out, size_t bytes);

/* Calls ifn_backend_open and tells the supervisor (supervisor.h). From then on each op of a plugin notes when
 * it runs. */
IFN_NODISCARD ifn_status plugin_watch_open(const char *expression,
                                           const ifn_backend_options *options, ifn_backend **out,
                                           ifn_error *err);
void plugin_watch_close(ifn_backend *backend); /* ifn_backend_close */

#endif
