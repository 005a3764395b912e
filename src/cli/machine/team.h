/* Runs a function on several threads. */
#ifndef IFN_CLI_TEAM_H
#define IFN_CLI_TEAM_H

enum { TEAM_MAX = 64 };

/* Returns how many processors this process may use, at least 1 and at most TEAM_MAX. */
int team_size(void);

/* Calls work(cookie, i) for every i in 0 .. n - 1, at once where possible, and returns when all are
 * done. n is at most TEAM_MAX. */
void team_run(int n, void (*work)(void *cookie, int i), void *cookie);

#endif
