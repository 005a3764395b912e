/* The command line of `inferno conform`. */
#ifndef CONFORM_OPTIONS_H
#define CONFORM_OPTIONS_H

#include "option_values.h"
#include "subcommands.h"

/* Parses argv[1 ..], whose first word may be a subcommand, and moves positional arguments to the front of argv.
 * Errors name the option, what was found and what was expected; out->command is set even then. */
IFN_NODISCARD ifn_status conform_options_parse(conform_options *out, int argc, char **argv,
                                               ifn_error *err);

/* Prints the text of --help or --version. Returns false if neither was given. */
bool conform_options_tell(const conform_options *o);

#endif
