/*
 * inferno: finds the command and hands over. The way from a path to a token is in session.c and
 * generation.c; model_generate.c is the shortest complete program around them.
 */
#include <stdio.h>
#include <string.h>

#include <inferno/version.h>

#include "commands.h"
#include "conform.h"
#include "plugin_watch.h"
#include "report.h"
#include "signals.h"
#include "supervisor.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    int runs_plugins; /* in this process: it has a supervisor then */
} command;

static const command commands[] = {
    {"generate", cmd_generate, "continue a text", 1},
    {"tokenize", cmd_tokenize, "text to ids", 0},
    {"detokenize", cmd_detokenize, "ids to text", 0},
    {"logits", cmd_logits, "what the model thinks comes next, as numbers", 1},
    {"inspect", cmd_inspect, "what is inside a GGUF file, and whether it would run", 0},
    {"quantize", cmd_quantize, "the same model with weights in another type", 0},
    {"synth", cmd_synth, "a model with random weights, in any shape", 0},
    {"conform", ifn_conform_main, "whether a backend does what the specs say", 0},
    {"bench", cmd_bench, "how fast the products of every level are", 1},
    {"backends", cmd_backends, "what can run the ops on this machine", 0},
    {"backend", cmd_backend, "a new backend, as a plugin project of its own", 0},
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fprintf(out, "usage: inferno COMMAND ...\n\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n`inferno COMMAND --help` tells more; `inferno --version` the version.\n");
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    char names[256];
    size_t used = 0;
    for (size_t i = 0; i < N_COMMANDS && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 commands[i].name);
    report_note(INFERNO, "%s: unknown command, expected one of %s", name, names);
    return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("inferno %s\n", ifn_version());
        return EXIT_DONE;
    }
    const command *found = find_command(argv[1]);
    return found ? found->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

static int run(int argc, char **argv)
{
    signals_init(INFERNO);
    const int status = report_stdout(INFERNO, dispatch(argc, argv));
    supervisor_done();
    return status;
}

/* The plugin that is to be run; NULL: none is. */
static const char *find_plugin(int argc, char **argv)
{
    enum { PATH_BYTES = 4096 };
    static char path[PATH_BYTES];
    const command *const found = argc < 2 ? NULL : find_command(argv[1]);
    const int has_plugin =
        found && found->runs_plugins && plugin_watch_find(argc, argv, path, sizeof path);
    return has_plugin ? path : NULL;
}

int main(int argc, char **argv)
{
    report_init();
    const char *const plugin = find_plugin(argc, argv);
    return plugin ? supervisor_run(INFERNO, plugin, run, argc, argv) : run(argc, argv);
}
