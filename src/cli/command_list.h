/* What `inferno` can do: the one list, for main, help and completion. */
#ifndef IFN_CLI_COMMAND_LIST_H
#define IFN_CLI_COMMAND_LIST_H

#include <stdbool.h>

#include "args.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const arg_command *args; /* NULL: conform, which has options of its own */
    bool runs_plugins;       /* in this process: it has a supervisor then */
} command;

/* NULL: there is none of this name, or not so many. */
const command *command_find(const char *name);
const command *command_at(size_t i);

/* The command that a mistyped word may have meant, as ifn_nearest_hint writes it, or all of them.
 */
ifn_status command_unknown(const char *name, ifn_error *err);

enum { COMMAND_MANUALS = 32 };

/* Of every command in the order of the list, those of several words after their first. Returns how
 * many there are. */
size_t command_manuals(manual out[COMMAND_MANUALS]);

/* The text of `inferno --help`. */
void command_usage(FILE *out);

/* The page of the program itself. */
manual command_program_manual(void);

#endif
