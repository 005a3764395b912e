/* The commands of `inferno`. Each takes its own argv (argv[0] is its name) and returns the exit
 * status of the program. */
#ifndef IFN_CLI_COMMANDS_H
#define IFN_CLI_COMMANDS_H

#include "args.h"

int cmd_generate(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_tokenize(int argc, char **argv);
int cmd_detokenize(int argc, char **argv);
int cmd_logits(int argc, char **argv);
int cmd_inspect(int argc, char **argv);
int cmd_quantize(int argc, char **argv);
int cmd_synth(int argc, char **argv);
int cmd_backends(int argc, char **argv);
int cmd_backend(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_completion(int argc, char **argv);

extern const arg_command generate_command, serve_command, tokenize_command, detokenize_command,
    logits_command, inspect_command, quantize_command, synth_command, backends_command,
    backend_command, bench_command, help_command, completion_command;

#endif
