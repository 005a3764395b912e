/* The conformance run, for the program that owns main. */
#ifndef CONFORM_CONFORM_H
#define CONFORM_CONFORM_H

/* `inferno conform ...`: argv[0] is the command. Returns the exit status: 0 conformant, 1 not, 2
 * wrong usage or an input that cannot be opened. */
int ifn_conform_main(int argc, char **argv);

#endif
