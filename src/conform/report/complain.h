/* The one line of an error, and the exit status that fits. */
#ifndef CONFORM_COMPLAIN_H
#define CONFORM_COMPLAIN_H

#include <stdbool.h>

#include <inferno/status.h>

/* `command` is "conform", "conform merge", ...; `is_writing`: what failed was to write a result. */
int conform_complain(const char *command, const ifn_error *err, bool is_writing);

#endif
