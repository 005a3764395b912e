/* The list of commands of `inferno`, shared by main, help and completion. */
#ifndef IFN_CLI_COMMAND_LIST_H
#define IFN_CLI_COMMAND_LIST_H

#include <stdbool.h>

#include "args.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const arg_command *args; /* NULL: conform, which has options of its own */
    bool runs_plugins;       /* it runs plugins in this process, so it gets a supervisor */
} command;

/* Return a command by name or index; NULL: there is none. */
const command *command_find(const char *name);
const command *command_at(size_t i);

/* Fails for an unknown command. Names the most similar command, as ifn_nearest_hint writes it, or else all commands. */
ifn_status command_unknown(const char *name, ifn_error *err);

enum { COMMAND_MANUALS = 32 };

/* Writes the manuals of all commands in the order of the list; those of several words ("conform merge") follow their
 * first word. Returns how many there are. */
size_t command_manuals(manual out[COMMAND_MANUALS]);

/* Prints the text of `inferno --help`. */
void command_usage(FILE *out);

/* Returns the manual of the program itself. */
manual command_program_manual(void);

#endif
