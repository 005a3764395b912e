/* The words that may follow `inferno conform`, each a command of its own. */
#ifndef CONFORM_VERBS_H
#define CONFORM_VERBS_H

#include <stdio.h>

/* Runs the command that argv[1] names, or tells of it with --help among its words. Returns the exit
 * status; -1: argv[1] names none. */
int conform_verb_main(int argc, char **argv);

/* How each is called, on a line. */
void conform_verbs_usage(FILE *out);

#endif
