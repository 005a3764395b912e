/* The words that may follow `inferno conform`, each a command of its own. */
#ifndef CONFORM_VERBS_H
#define CONFORM_VERBS_H

#include "manual.h"

/* Runs the command that argv[1] names, or tells of it with --help among its words. Returns the exit
 * status; -1: argv[1] names none. */
int conform_verb_main(int argc, char **argv);

/* How the i-th is called and what it does; i is a conform_subcommand. */
manual conform_verb_manual(size_t i);

#endif
