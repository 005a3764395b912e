/* The commands of `inferno`, in the order of its help. Each takes its own argv (argv[0] is its name) and
 * returns the exit status of the program. */
#ifndef IFN_CLI_COMMANDS_H
#define IFN_CLI_COMMANDS_H

#include <stdbool.h>

#include "args.h"

/* OWN(name, whether it runs plugins in this process): cmd_name, and name_command, its table of options.
 * SUITE(name): a command that parses its own options. */
#define IFN_COMMANDS(OWN, SUITE)                                                                   \
    OWN(generate, true)                                                                            \
    OWN(serve, true)                                                                               \
    OWN(tokenize, false)                                                                           \
    OWN(detokenize, false)                                                                         \
    OWN(logits, true)                                                                              \
    OWN(inspect, false)                                                                            \
    OWN(quantize, false)                                                                           \
    OWN(synth, false)                                                                              \
    SUITE(conform)                                                                                 \
    OWN(bench, true)                                                                               \
    OWN(backends, false)                                                                           \
    OWN(backend, false)                                                                            \
    OWN(help, false)                                                                               \
    OWN(completion, false)

#define IFN_COMMAND_DECLARED(name, runs_plugins)                                                   \
    int cmd_##name(int argc, char **argv);                                                         \
    extern const arg_command name##_command;
#define IFN_COMMAND_ELSEWHERE(name)
IFN_COMMANDS(IFN_COMMAND_DECLARED, IFN_COMMAND_ELSEWHERE)
#undef IFN_COMMAND_DECLARED
#undef IFN_COMMAND_ELSEWHERE

#endif
