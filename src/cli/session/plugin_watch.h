/* Plugins at work, as far as a supervisor is to know: what is loaded, which op is being run. */
#ifndef IFN_CLI_PLUGIN_WATCH_H
#define IFN_CLI_PLUGIN_WATCH_H

#include <inferno/backend.h>

/* The first plugin that a command line names, after --backend or --against, in `out`. Returns 1, or
 * 0 where there is none. */
int plugin_watch_find(int argc, char **argv, char *out, size_t bytes);

/* ifn_backend_open, in sight of a supervisor (supervisor.h); from then on the ops of plugins tell
 * it where they are. */
IFN_NODISCARD ifn_status plugin_watch_open(const char *expression,
                                           const ifn_backend_options *options, ifn_backend **out,
                                           ifn_error *err);
void plugin_watch_close(ifn_backend *backend); /* ifn_backend_close */

#endif
