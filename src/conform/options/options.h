/* The command line of `inferno conform`. */
#ifndef CONFORM_OPTIONS_H
#define CONFORM_OPTIONS_H

#include "option_values.h"
#include "subcommands.h"

/* Reads argv[1 ..], of which the first may be a subcommand, and moves what is no option to its front.
 * Errors name the option, what was found and what was expected; `command` is known then, too. */
IFN_NODISCARD ifn_status conform_options_parse(conform_options *out, int argc, char **argv,
                                               ifn_error *err);

/* Prints what --help or --version asks for; false: nothing was asked. */
bool conform_options_tell(const conform_options *o);

#endif
