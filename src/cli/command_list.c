#include "command_list.h"

#include <string.h>

#include <inferno/nearest.h>

#include "commands.h"
#include "conform.h"
#include "messages.h"

#define OWN(name, runs_plugins) {#name, cmd_##name, &name##_command, runs_plugins},
#define SUITE(name)             {#name, ifn_conform_main, NULL, false},
static const command commands[] = {IFN_COMMANDS(OWN, SUITE)};
#undef OWN
#undef SUITE

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const command *command_at(size_t i)
{
    return i < N_COMMANDS ? &commands[i] : NULL;
}

const command *command_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void join_names(char *out, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < N_COMMANDS && used < bytes; i++)
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", i ? ", " : "", commands[i].name);
}

ifn_status command_unknown(const char *name, ifn_error *err)
{
    char names[256], hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = name};
    for (size_t i = 0; i < N_COMMANDS; i++)
        ifn_nearest_offer(&near, commands[i].name);
    if (near.name)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%.60s: unknown command%s", name,
                        ifn_nearest_hint(&near, hint));
    join_names(names, sizeof names);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%.60s: unknown command, expected one of %s", name,
                    names);
}

size_t command_manuals(manual out[COMMAND_MANUALS])
{
    size_t n = 0;
    for (size_t i = 0; i < N_COMMANDS && n < COMMAND_MANUALS; i++)
        if (commands[i].args)
            out[n++] = args_manual(commands[i].args);
        else
            n += ifn_conform_manuals(out + n, COMMAND_MANUALS - n);
    return n;
}

manual command_program_manual(void)
{
    return (manual){
        .program = INFERNO,
        .brief = "runs and proves backends of an LLM inference engine",
        .forms = "COMMAND ...",
        .summary = "Runs large language models from GGUF files, and holds backends to the specs\n"
                   "of their ops.",
        .examples = "inferno help generate\ninferno generate -p \"Once upon a time\"\n"
                    "inferno conform --op rms_norm",
    };
}

void command_usage(FILE *out)
{
    manual pages[COMMAND_MANUALS];
    const size_t n = command_manuals(pages);
    const manual program = command_program_manual();
    fprintf(out, "usage: inferno COMMAND ...\n\n%s\n\n", program.summary);
    for (size_t i = 0; i < n; i++)
        if (!strchr(pages[i].name, ' '))
            fprintf(out, "  %-12s %s\n", pages[i].name, pages[i].brief);
    fputs("\n`inferno help COMMAND` tells more; `inferno --version` the version.\n\nexamples:\n  ",
          out);
    for (const char *c = program.examples; *c; c++)
        fprintf(out, *c == '\n' ? "%c  " : "%c", *c);
    fputc('\n', out);
}
