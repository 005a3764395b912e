#include "runner_workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "child.h"

enum { POLL_MS = 50 };

/* Bytes between a wild address and what it is told from, unless they are its own pages. */
enum { NEAR = 4096 };

static double now(void)
{
    return (double)ifn_clock_ns() * 1e-9;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The child keeps its own two ends; another worker's must not stay open in it, or nobody would ever
 * see that one die. */
static void run_child(conform_runner *r, int subject, int command, int done)
{
    for (int i = 0; i < r->n_subjects; i++) {
        close_fd(&r->workers[i].command);
        close_fd(&r->workers[i].done);
    }
    _exit(conform_worker_main(&r->subjects[subject], subject, r->batches, &r->channels[subject],
                              command, done));
}

static int reap(conform_worker *w)
{
    const int status = w->pid > 0 ? child_wait(w->pid) : 0;
    w->pid = 0;
    w->batch = -1;
    close_fd(&w->command);
    close_fd(&w->done);
    return status;
}

static ifn_status spawn(conform_runner *r, int subject, ifn_error *err)
{
    conform_worker *w = &r->workers[subject];
    int command[2], done[2];
    if (pipe(command) != 0)
        return ifn_fail(err, IFN_ERR_IO, "worker: no pipe: %s", ifn_errno_reason(errno));
    if (pipe(done) != 0) {
        close(command[0]);
        close(command[1]);
        return ifn_fail(err, IFN_ERR_IO, "worker: no pipe: %s", ifn_errno_reason(errno));
    }
    const pid_t pid = child_fork();
    if (pid == 0) {
        close(command[1]);
        close(done[0]);
        run_child(r, subject, command[0], done[1]);
    }
    close(command[0]);
    close(done[1]);
    *w = (conform_worker){.pid = pid, .command = command[1], .done = done[0], .batch = -1};
    if (pid < 0) {
        reap(w);
        return ifn_fail(err, IFN_ERR_IO, "worker: no process: %s", ifn_errno_reason(errno));
    }
    return IFN_OK;
}

/* One byte from the worker; 0 at its death, -1 if none came in time. */
static int listen_to(conform_worker *w, int timeout_ms)
{
    struct pollfd p = {.fd = w->done, .events = POLLIN};
    char byte = 0;
    if (poll(&p, 1, timeout_ms) <= 0)
        return -1;
    const ssize_t n = read(w->done, &byte, 1);
    return n == 1 ? (unsigned char)byte : 0;
}

static int kill_worker(conform_worker *w)
{
    kill(w->pid, SIGKILL);
    return reap(w);
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGILL:
        return "SIGILL";
    case SIGFPE:
        return "SIGFPE";
    case SIGABRT:
        return "SIGABRT";
    default:
        return "a signal";
    }
}

static void note_end(const conform_runner *r, int status, int is_killed, char *out, size_t bytes)
{
    if (is_killed)
        snprintf(out, bytes, "its process did not end within %.0f s of being told to", r->patience);
    else if (WIFSIGNALED(status))
        snprintf(out, bytes, "its process ended by %s, expected status 0",
                 signal_name(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(out, bytes, "its process ended with status %d, expected 0", WEXITSTATUS(status));
}

void conform_worker_stop(conform_runner *r, int subject)
{
    conform_worker *const w = &r->workers[subject];
    char *const ended = r->ended[subject];
    int answer;
    close_fd(&w->command); /* end of commands: it leaves by itself */
    if (w->pid <= 0)
        return;
    do
        answer = listen_to(w, (int)(r->patience * 1000));
    while (answer > 0); /* it was at work */
    const int status = answer < 0 ? kill_worker(w) : reap(w);
    if (!*ended)
        note_end(r, status, answer < 0, ended, sizeof r->ended[subject]);
}

ifn_status conform_worker_start(conform_runner *r, int subject, ifn_error *err)
{
    conform_worker *w = &r->workers[subject];
    conform_channel *channel = &r->channels[subject];
    channel->site.slot = -1;
    channel->site.signal = 0;
    IFN_TRY(spawn(r, subject, err));
    const int answer = listen_to(w, (int)(r->patience * 1000) + 10000);
    if (answer == WORKER_READY)
        return IFN_OK;
    const ifn_error why = channel->error;
    kill_worker(w);
    if (answer == WORKER_NO_BACKEND)
        return ifn_fail(err, why.status, "%s", why.text);
    return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend '%s': its process %s while opening it",
                    r->subjects[subject].label, answer == 0 ? "died" : "hung");
}

void conform_worker_post(conform_runner *r, int subject, int batch, int first)
{
    conform_worker *w = &r->workers[subject];
    const conform_command command = {.batch = batch, .first = first};
    w->batch = batch;
    w->seen_step = -1;
    /* A worker that died meanwhile is found out, and buried, by whoever waits for it. */
    if (write(w->command, &command, sizeof command) != (ssize_t)sizeof command)
        close_fd(&w->command);
}

/* How far an address is from what lies at a place; UINTPTR_MAX: it has nothing to do with it. Pages
 * around it are its own, others count where they are near. */
static uintptr_t distance(const struct conform_site_place *p, uintptr_t at)
{
    const uintptr_t end = p->begin + p->bytes;
    const uintptr_t away = at < p->begin ? p->begin - at : at >= end ? at - end : 0;
    if (!p->name || (away > NEAR && (at < p->first || at >= p->last)))
        return UINTPTR_MAX;
    return at >= p->first && at < p->last ? 0 : away;
}

static const struct conform_site_place *nearest(const conform_site *site)
{
    const struct conform_site_place *best = NULL;
    uintptr_t least = UINTPTR_MAX;
    for (int i = 0; i < CONFORM_PLACES; i++) {
        const uintptr_t away = distance(&site->places[i], site->address);
        if (away < least) {
            least = away;
            best = &site->places[i];
        }
    }
    return best;
}

/* "4 bytes behind b": what a wild address is nearest to; "": to nothing. */
static void describe_address(const conform_site *site, char *out, size_t bytes)
{
    const struct conform_site_place *p = nearest(site);
    const uintptr_t at = site->address;
    out[0] = '\0';
    if (!p)
        return;
    if (at < p->begin)
        snprintf(out, bytes, " %lld bytes before %s", (long long)(p->begin - at), p->name);
    else if (at >= p->begin + p->bytes)
        snprintf(out, bytes, " %lld bytes behind %s", (long long)(at - p->begin - p->bytes),
                 p->name);
    else
        snprintf(out, bytes, " at byte %lld of %s", (long long)(at - p->begin), p->name);
}

/* Pages around tensors are protected, and those of inputs are read only: what dies on one has been
 * caught by a guard. */
static conform_fault fault_of_death(int wait_status, const char *where)
{
    const int number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    return (number == SIGSEGV || number == SIGBUS) && *where ? FAULT_GUARD : FAULT_CRASH;
}

/* Charges the case at which the worker was; returns its slot. */
static int charge(conform_runner *r, int subject, conform_fault fault, int wait_status)
{
    conform_site *site = &r->channels[subject].site;
    conform_batch *b = r->batches[r->workers[subject].batch];
    char where[80];
    const int slot = site->slot >= 0 ? site->slot : 0;
    conform_verdict *v = &b->verdicts[subject][slot];
    v->outcome = OUTCOME_PASS; /* whatever it held: now it fails, for this reason */
    describe_address(site, where, sizeof where);
    const char *run = conform_run_name((conform_run)site->run);
    if (fault == FAULT_HANG)
        conform_verdict_fail(v, fault, "%s: no return within %.0f s", run, r->patience);
    else if (WIFSIGNALED(wait_status))
        conform_verdict_fail(v, fault_of_death(wait_status, where), "%s: %s%s", run,
                             signal_name(WTERMSIG(wait_status)), where);
    else
        conform_verdict_fail(v, fault, "%s: the process ended with status %d", run,
                             WEXITSTATUS(wait_status));
    return slot;
}

/* A new worker goes on behind the case that ended the old one. */
static ifn_status restart(conform_runner *r, int subject, int batch, int slot, ifn_error *err)
{
    IFN_TRY(conform_worker_start(r, subject, err));
    if (slot + 1 < r->batches[batch]->n)
        conform_worker_post(r, subject, batch, slot + 1);
    return IFN_OK;
}

static ifn_status bury(conform_runner *r, int subject, conform_fault fault, ifn_error *err)
{
    conform_worker *w = &r->workers[subject];
    const int batch = w->batch;
    if (fault == FAULT_HANG)
        kill(w->pid, SIGKILL);
    const int status = reap(w);
    w->batch = batch;
    const int slot = charge(r, subject, fault, status);
    return restart(r, subject, batch, slot, err);
}

/* 1 when the worker's pulse has stood still for too long. */
static int has_hung(conform_runner *r, int subject)
{
    conform_worker *w = &r->workers[subject];
    const int64_t step = atomic_load(&r->channels[subject].site.step);
    if (step != w->seen_step) {
        w->seen_step = step;
        w->seen_at = now();
    }
    return now() - w->seen_at > r->patience;
}

static ifn_status attend(conform_runner *r, int subject, ifn_error *err)
{
    conform_worker *w = &r->workers[subject];
    const int answer = listen_to(w, POLL_MS);
    if (answer == WORKER_DONE)
        w->batch = -1;
    else if (answer >= 0)
        return bury(r, subject, FAULT_CRASH, err);
    else if (has_hung(r, subject))
        return bury(r, subject, FAULT_HANG, err);
    return IFN_OK;
}

ifn_status conform_workers_wait(conform_runner *r, ifn_error *err)
{
    for (int s = 0; s < r->n_subjects; s++)
        while (r->workers[s].batch >= 0)
            IFN_TRY(attend(r, s, err));
    return IFN_OK;
}
