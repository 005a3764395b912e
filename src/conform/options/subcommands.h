/* The subcommands of `inferno conform`, and the table of options that they share. */
#ifndef CONFORM_SUBCOMMANDS_H
#define CONFORM_SUBCOMMANDS_H

#include "args.h"
#include "subcommand_words.h"

/* The names of subcommands; the last entry is NULL. */
extern const char *const conform_subcommand_words[SUBCOMMAND_COUNT + 1];

/* The command line of each subcommand; the last entry is that of `inferno conform` itself. */
extern const arg_command conform_commands[SUBCOMMAND_COUNT + 1];

/* Returns the bit of an option in conform_options.given. The option must exist. */
uint64_t conform_option_bit(const char *name);

/* Returns the manual of a command, from which help, man page and shell completions are made. */
manual conform_command_manual(conform_subcommand command);

#endif
