/* Runs `inferno conform ...` in this process, its standard output into a text. */
#ifndef CONFORM_COMMAND_H
#define CONFORM_COMMAND_H

/* Arguments after the command, up to NULL. *out, if wanted, is freed by the caller. */
int command_run(char **out, const char *const *words);
#define COMMAND(out, ...) command_run(out, (const char *const[]){__VA_ARGS__, NULL})

#endif
