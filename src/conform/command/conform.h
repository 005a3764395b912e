/* Entry point of `inferno conform`, for the program's main function. */
#ifndef CONFORM_CONFORM_H
#define CONFORM_CONFORM_H

#include <stdbool.h>

#include "manual.h"

/* Runs `inferno conform ...`; argv[0] is "conform". Returns the exit status: 0 conformant, 1 not, 2 wrong usage or an
 * input that cannot be opened. */
int ifn_conform_main(int argc, char **argv);

/* True if this command line loads plugins into the process that runs it, with no worker process between them and the
 * verdict: --in-process, debug, and a museum of the user's. False under a debugger, which is to see this process and
 * not a child. */
bool ifn_conform_is_in_process(int argc, char **argv);

/* Writes the manuals of `inferno conform` and of its commands ("conform merge", ...), at most `room`. Returns how
 * many it has written. */
size_t ifn_conform_manuals(manual *out, size_t room);

#endif
