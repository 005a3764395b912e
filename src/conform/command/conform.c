/* Parses the command line after `inferno conform` and calls the main function of its command. */
#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_pool.h"
#include "complain.h"
#include "debug.h"
#include "diff.h"
#include "e2e_command.h"
#include "export.h"
#include "judge_dir.h"
#include "level_command.h"
#include "merge.h"
#include "messages.h"
#include "museum.h"
#include "ops_command.h"
#include "options.h"
#include "system.h"

static int (*const mains[SUBCOMMAND_COUNT + 1])(const conform_options *options) = {
    [SUBCOMMAND_merge] = conform_merge_main,   [SUBCOMMAND_level] = conform_level_main,
    [SUBCOMMAND_export] = conform_export_main, [SUBCOMMAND_judge] = conform_judge_dir_main,
    [SUBCOMMAND_debug] = conform_debug_main,   [SUBCOMMAND_diff] = conform_diff_main,
    [SUBCOMMAND_e2e] = conform_e2e_main,       [SUBCOMMAND_museum] = conform_museum_main,
    [SUBCOMMAND_COUNT] = conform_ops_main,
};

size_t ifn_conform_manuals(manual *out, size_t room)
{
    size_t n = 0;
    if (room)
        out[n++] = conform_command_manual(SUBCOMMAND_COUNT);
    for (size_t i = 0; i < SUBCOMMAND_COUNT && n < room; i++)
        out[n++] = conform_command_manual((conform_subcommand)i);
    return n;
}

/* `words` is a copy of argv; parsing reorders it. */
static int run(int argc, char **argv, char **words)
{
    conform_options o;
    ifn_error err = {0};
    const ifn_status status = conform_options_parse(&o, argc, words, &err);
    o.argc = argc;
    o.argv = argv;
    if (status != IFN_OK)
        return conform_complain(conform_commands[o.command].name, &err, 0);
    return conform_options_tell(&o) ? EXIT_DONE : mains[o.command](&o);
}

static bool begins(const char *word, const char *option)
{
    return strncmp(word, option, strlen(option)) == 0;
}

bool ifn_conform_is_in_process(int argc, char **argv)
{
    bool is_here = false;
    for (int i = 1; i < argc; i++) {
        if (begins(argv[i], "--gdb"))
            return false;
        is_here = is_here || begins(argv[i], "--in-process") || begins(argv[i], "--museum") ||
                  (i == 1 && (strcmp(argv[i], "debug") == 0 || strcmp(argv[i], "museum") == 0));
    }
    return is_here && !system_is_traced();
}

static char **copy_of(int argc, char **argv)
{
    const size_t bytes = ((size_t)argc + 1) * sizeof *argv;
    char **const copy = malloc(bytes);
    if (!copy)
        conform_out_of_memory(bytes, "the command line");
    return memcpy(copy, argv, bytes);
}

int ifn_conform_main(int argc, char **argv)
{
    /* Cases hold tensors in the byte order of files, little-endian, and are judged in place. */
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
        fputs("inferno: conform: found a big-endian machine, expected a little-endian one\n",
              stderr);
        return EXIT_USAGE;
    }
    char **const words = copy_of(argc, argv);
    const int exit_status = run(argc, argv, words);
    free(words);
    return exit_status;
}
