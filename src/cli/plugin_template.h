/* The plugin project that `inferno backend new` writes; made from templates/plugin by the build. */
#ifndef IFN_CLI_PLUGIN_TEMPLATE_H
#define IFN_CLI_PLUGIN_TEMPLATE_H

#include <stddef.h>

/* @NAME@ in a name or a text stands for the name of the plugin. */
typedef struct plugin_template_file {
    const char *name;
    const char *data;
    size_t bytes;
} plugin_template_file;

extern const plugin_template_file plugin_template[];
extern const size_t plugin_template_files;

#endif
