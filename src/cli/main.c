/*
 * inferno: finds the command and calls it. session.c and progression.c show the way from a path to a token;
 * model_generate.c is the shortest complete program around them.
 */
#include <stdbool.h>
#include <string.h>

#include "build.h"
#include "command_list.h"
#include "commands.h"
#include "conform.h"
#include "messages.h"
#include "plugin_watch.h"
#include "signals.h"
#include "supervisor.h"

static int dispatch(int argc, char **argv)
{
    ifn_error err;
    if (argc < 2) {
        command_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        command_usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        build_print(INFERNO, stdout);
        return EXIT_DONE;
    }
    const command *const found = command_find(argv[1]);
    if (found)
        return found->run(argc - 1, argv + 1);
    (void)command_unknown(argv[1], &err);
    return message_error(INFERNO, &err);
}

static int run(int argc, char **argv)
{
    signals_init(INFERNO);
    const int status = message_stdout(INFERNO, dispatch(argc, argv));
    supervisor_done();
    return status;
}

/* Returns the path of the plugin that the command will run in this process; NULL: none. */
static const char *find_plugin(int argc, char **argv)
{
    enum { PATH_BYTES = 4096 };
    static char path[PATH_BYTES];
    const command *const found = argc < 2 ? NULL : command_find(argv[1]);
    if (!found)
        return NULL;
    const bool is_suite = found->run == ifn_conform_main;
    if (is_suite ? !ifn_conform_is_in_process(argc - 1, argv + 1) : !found->runs_plugins)
        return NULL;
    const bool has_plugin = plugin_watch_find(argc, argv, path, sizeof path) ||
                            (is_suite && plugin_watch_find_word(argc, argv, path, sizeof path));
    return has_plugin ? path : NULL;
}

int main(int argc, char **argv)
{
    message_init();
    const char *const plugin = find_plugin(argc, argv);
    return plugin ? supervisor_run(INFERNO, plugin, run, argc, argv) : run(argc, argv);
}
