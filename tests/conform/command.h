/* Runs `inferno conform ...` in this process and captures its standard output. */
#ifndef CONFORM_COMMAND_H
#define CONFORM_COMMAND_H

/* `words` are the arguments, with a NULL at the end. `out` may be NULL; the caller frees *out. */
int command_run(char **out, const char *const *words);
#define COMMAND(out, ...) command_run(out, (const char *const[]){__VA_ARGS__, NULL})

#endif
