/* `inferno conform --e2e MODEL.gguf ...`: whole models against f64, no golden file needed. */
#ifndef CONFORM_E2E_COMMAND_H
#define CONFORM_E2E_COMMAND_H

/* 1 if these are its arguments. */
int conform_e2e_is_wanted(int argc, char **argv);
/* 0: no run failed; 1: one did; 2: wrong usage, or a model that cannot be opened. */
int conform_e2e_main(int argc, char **argv);

#endif
