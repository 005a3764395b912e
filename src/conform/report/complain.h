/* Prints an error on one line of stderr and chooses the exit status of the command. */
#ifndef CONFORM_COMPLAIN_H
#define CONFORM_COMPLAIN_H

#include <stdbool.h>

#include <inferno/status.h>

/* Returns EXIT_NO or EXIT_USAGE. `command` is "conform", "conform merge", ...; `is_writing`: the error arose while a
 * result was being written. */
int conform_complain(const char *command, const ifn_error *err, bool is_writing);

#endif
