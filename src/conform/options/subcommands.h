/* The commands of `inferno conform`, and the one table of their options. */
#ifndef CONFORM_SUBCOMMANDS_H
#define CONFORM_SUBCOMMANDS_H

#include "args.h"
#include "subcommand_words.h"

/* The words; NULL at their end. */
extern const char *const conform_subcommand_words[SUBCOMMAND_COUNT + 1];

/* What may be said to each, and to `inferno conform` itself. */
extern const arg_command conform_commands[SUBCOMMAND_COUNT + 1];

/* Which bit of `given` the option has. */
uint64_t conform_option_bit(const char *name);

/* What its help, its page and the completions are made from. */
manual conform_command_manual(conform_subcommand command);

#endif
