/* The plugin projects that `inferno backend new` writes. The build generates them from templates/plugin. */
#ifndef IFN_CLI_PLUGIN_TEMPLATE_H
#define IFN_CLI_PLUGIN_TEMPLATE_H

#include <stddef.h>

/* @NAME@ in a name or a text stands for the name of the plugin. */
typedef struct plugin_template_file {
    const char *name;
    const char *data;
    size_t bytes;
} plugin_template_file;

typedef struct plugin_template {
    const plugin_template_file *files;
    size_t n;
} plugin_template;

extern const plugin_template plugin_host, plugin_device;

#endif
