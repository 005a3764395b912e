#include "team.h"

#include <pthread.h>

#include <inferno/cpu.h>

typedef struct member {
    void (*work)(void *cookie, int i);
    void *cookie;
    int i;
} member;

static void *run(void *argument)
{
    const member *m = argument;
    m->work(m->cookie, m->i);
    return NULL;
}

int team_size(void)
{
    const int32_t n = ifn_cpu_count();
    return n > TEAM_MAX ? TEAM_MAX : n;
}

void team_run(int n, void (*work)(void *cookie, int i), void *cookie)
{
    pthread_t threads[TEAM_MAX];
    member members[TEAM_MAX];
    int started[TEAM_MAX] = {0};
    for (int i = 1; i < n; i++) {
        members[i] = (member){work, cookie, i};
        started[i] = pthread_create(&threads[i], NULL, run, &members[i]) == 0;
    }
    work(cookie, 0);
    for (int i = 1; i < n; i++) {
        if (started[i])
            pthread_join(threads[i], NULL);
        else
            work(cookie, i); /* no thread could be created: runs it here */
    }
}
