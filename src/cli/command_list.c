#include "command_list.h"

#include <string.h>

#include <inferno/nearest.h>

#include "commands.h"
#include "conform.h"
#include "messages.h"

static const command commands[] = {
    {"generate", cmd_generate, &generate_command, 1},
    {"serve", cmd_serve, &serve_command, 1},
    {"tokenize", cmd_tokenize, &tokenize_command, 0},
    {"detokenize", cmd_detokenize, &detokenize_command, 0},
    {"logits", cmd_logits, &logits_command, 1},
    {"inspect", cmd_inspect, &inspect_command, 0},
    {"quantize", cmd_quantize, &quantize_command, 0},
    {"synth", cmd_synth, &synth_command, 0},
    {"conform", ifn_conform_main, NULL, 0},
    {"bench", cmd_bench, &bench_command, 1},
    {"backends", cmd_backends, &backends_command, 0},
    {"backend", cmd_backend, &backend_command, 0},
    {"help", cmd_help, &help_command, 0},
    {"completion", cmd_completion, &completion_command, 0},
};

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
