/* The conformance run, for the program that owns main. */
#ifndef CONFORM_CONFORM_H
#define CONFORM_CONFORM_H

#include "manual.h"

/* `inferno conform ...`: argv[0] is the command. Returns the exit status: 0 conformant, 1 not, 2
 * wrong usage or an input that cannot be opened. */
int ifn_conform_main(int argc, char **argv);

/* `inferno conform` and the commands after it, "conform merge" and the like. At most `room`;
 * returns how many there are. */
size_t ifn_conform_manuals(manual *out, size_t room);

#endif
