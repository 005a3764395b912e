/* There are no children to wait for. */
#ifndef WASM_SYS_WAIT_H
#define WASM_SYS_WAIT_H

#include <signal.h>
#include <sys/types.h>

enum { WNOHANG = 1, WEXITED = 4, WNOWAIT = 0x1000000 };
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
#define WIFEXITED(status)   1
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((void)(status), 0)
#define WTERMSIG(status)    ((void)(status), 0)
pid_t waitpid(pid_t, int *, int);
int waitid(idtype_t, id_t, siginfo_t *, int);

#endif
