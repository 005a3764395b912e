#include "runner_workers.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "child.h"
#include "seconds.h"
#include "signal_access.h"

/* The most bytes between a wild address and a place outside its own pages that may still name it. */
enum { NEAR = 4096 };

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Runs the child, which closes the parent's files and leads a process group, so that whatever it starts ends with
 * it. The exit handlers of plugins run, as in every program. */
static void run_child(conform_runner *r, int tested, const int words[2])
{
    (void)setpgid(0, 0);
    signal(SIGSEGV, SIG_DFL); /* it ends the worker, whatever handler the program has set */
    signal(SIGBUS, SIG_DFL);
    conform_words_catch(words[1]);
    child_close_files(words[0]);
    exit(conform_worker_main(&r->tested[tested], tested, r->batches, &r->channels[tested],
                             r->scalar, words[0]));
}

/* 1 if the worker has ended; w->status is set then. */
static bool has_ended(conform_worker *w)
{
    if (!w->is_over && w->pid > 0)
        w->is_over = child_has_ended(w->pid, &w->status);
    return w->is_over;
}

/* Kills the worker, whatever it said or did, and then waits for it, so that the wait ends. */
static int end_worker(conform_runner *r, int tested)
{
    conform_worker *const w = &r->workers[tested];
    if (w->pid <= 0)
        return 0;
    if (!has_ended(w))
        kill(w->pid, SIGKILL);
    (void)kill(-w->pid, SIGKILL);
    const int status = w->is_over ? w->status : child_wait(w->pid);
    conform_words_hear(&r->channels[tested].words, w->words);
    close_fd(&w->words);
    conform_line_close(&r->channels[tested].line);
    *w = (conform_worker){.words = -1, .batch = -1};
    return status;
}

static ifn_status spawn(conform_runner *r, int tested, ifn_error *err)
{
    conform_line *const line = &r->channels[tested].line;
    int words[2];
    if (!conform_words_pipe(words))
        return errno == ENOSYS
                   ? ifn_fail(err, IFN_ERR_UNSUPPORTED,
                              "worker: this system has no processes, expected --in-process")
                   : ifn_fail_errno(err, "worker: no pipe", errno);
    const bool has_line = conform_line_open(line);
    const pid_t pid = has_line ? child_fork() : -1;
    if (pid == 0)
        run_child(r, tested, words);
    const int code = errno;
    close(words[1]);
    if (pid > 0) {
        r->workers[tested] = (conform_worker){.pid = pid, .words = words[0], .batch = -1};
        return IFN_OK;
    }
    close(words[0]);
    if (has_line)
        conform_line_close(line);
    return ifn_fail_errno(err, "worker: no process", code);
}

/* Waits for a word of the worker; WORKER_SILENT: it has ended, or said nothing in time (has_ended tells). Polls now and
 * then whether it has ended, as a worker that dies says nothing. */
static int listen_to(conform_runner *r, int tested, double seconds)
{
    const double look_after = 1e-3, until = seconds_now() + seconds;
    conform_worker *const w = &r->workers[tested];
    conform_line *const line = &r->channels[tested].line;
    for (;;) {
        const bool is_over = has_ended(w);
        const int said = conform_line_hear(line, is_over ? 0 : look_after);
        if (said != WORKER_SILENT || is_over || seconds_now() >= until)
            return said;
    }
}

static const double while_waiting = 0.05;

/* The same, for as long as the worker has not had `patience` seconds to say something. */
static int listen_patiently(conform_runner *r, int tested, double patience)
{
    conform_worker *const w = &r->workers[tested];
    run_clock_start(&w->seen, w->pid);
    for (;;) {
        const int said = listen_to(r, tested, while_waiting);
        if (said != WORKER_SILENT || has_ended(w) || run_clock_is_over(&w->seen, patience))
            return said;
    }
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
    case SIGTERM:
        return "SIGTERM";
    case SIGKILL:
        return "SIGKILL";
    case SIGTRAP:
        return "SIGTRAP";
    case SIGALRM:
        return "SIGALRM";
    default:
        return "a signal";
    }
}

static void note_end(const conform_runner *r, int status, bool is_killed, char *out, size_t bytes)
{
    if (is_killed)
        snprintf(out, bytes, "its process did not end within %.0f s of being told to", r->patience);
    else if (WIFSIGNALED(status))
        snprintf(out, bytes, "its process ended by %s, expected status 0",
                 signal_name(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(out, bytes, "its process ended with status %d, expected 0", WEXITSTATUS(status));
}

void conform_worker_stop(conform_runner *r, int tested)
{
    conform_worker *const w = &r->workers[tested];
    char *const ended = r->ended[tested];
    if (w->pid <= 0)
        return;
    conform_line_command(&r->channels[tested].line, (conform_command){.batch = -1});
    while (listen_patiently(r, tested, r->patience) != WORKER_SILENT) /* it may have been at work */
        continue;
    const bool is_stuck = !has_ended(w);
    const int status = end_worker(r, tested);
    if (!*ended)
        note_end(r, status, is_stuck, ended, sizeof r->ended[tested]);
}

/* Describes how a process ended before its backend was open. */
static void describe_death(int status, char *out, size_t bytes)
{
    if (WIFSIGNALED(status))
        snprintf(out, bytes, "died by %s", signal_name(WTERMSIG(status)));
    else
        snprintf(out, bytes, "ended with status %d", WEXITSTATUS(status));
}

ifn_status conform_worker_start(conform_runner *r, int tested, ifn_error *err)
{
    conform_channel *channel = &r->channels[tested];
    char how[40] = "hung";
    channel->site.slot = -1;
    channel->site.begun = ifn_clock_ns(); /* gives the duration if it dies before a case */
    channel->site.signal = 0;
    channel->site.is_other = 0;
    channel->site.first.is_watched = 0;
    channel->site.first.called = 0;
    channel->site.access = ACCESS_UNKNOWN;
    IFN_TRY(spawn(r, tested, err));
    const int answer = listen_patiently(r, tested, 2 * r->patience);
    if (answer == WORKER_READY)
        return IFN_OK;
    const ifn_error why = channel->error;
    const bool is_over = has_ended(&r->workers[tested]);
    const int status = end_worker(r, tested);
    if (answer == WORKER_NO_BACKEND)
        return ifn_fail(err, why.status, "%s", why.text);
    if (is_over)
        describe_death(status, how, sizeof how);
    return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend '%s': its process %s while opening it",
                    r->tested[tested].label, how);
}

/* After so many calls that did not return, the other cases of a run are not worth trying. A single case is always
 * tried. */
enum { MOST_HUNG = 4 };

static bool is_given_up(const conform_runner *r, int tested, int batch)
{
    return r->n_hung[tested] >= MOST_HUNG && batch != CONFORM_SINGLE;
}

static void give_up(conform_runner *r, int tested, conform_batch *b, int first)
{
    for (int i = first; i < b->n; i++) {
        conform_verdict *const v = &b->verdicts[tested][i];
        *v = (conform_verdict){.outcome = OUTCOME_PASS, .worst = {.worst = -1, .first_wrong = -1}};
        conform_verdict_fail(v, CHECK_HANG, "not executed: %d calls before it did not return",
                             atomic_load(&r->n_hung[tested]));
    }
}

void conform_worker_post(conform_runner *r, int tested, int batch, int first)
{
    conform_worker *w = &r->workers[tested];
    if (is_given_up(r, tested, batch)) {
        give_up(r, tested, r->batches[batch], first);
        return;
    }
    w->batch = batch;
    w->seen_step = -1;
    conform_line_command(&r->channels[tested].line,
                         (conform_command){.batch = batch, .first = first});
}

/* The distance of an address from the tensor at a place; 0 inside the place's own pages; UINTPTR_MAX: unrelated,
 * outside them and more than NEAR away. */
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

/* Writes where a wild address is, such as " 4 bytes after b"; "": it is near nothing. */
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
        snprintf(out, bytes, " %lld bytes after %s", (long long)(at - p->begin - p->bytes),
                 p->name);
    else
        snprintf(out, bytes, " at byte %lld of %s", (long long)(at - p->begin), p->name);
}

/* The check that a death fails. Pages around tensors are protected, and those of inputs are read-only, so a death on
 * one was caught by a guard. */
static conform_check check_of_death(int wait_status, const char *where)
{
    const int number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    return (number == SIGSEGV || number == SIGBUS) && *where ? CHECK_GUARD : CHECK_CRASH;
}

/* Adds what the worker printed as it died, such as an assertion. */
static void add_last_words(const conform_words *words, int64_t n, conform_verdict *v)
{
    const size_t used = strlen(v->detail);
    char quoted[160];
    if (n == 0)
        return;
    conform_words_quote(words, quoted, sizeof quoted);
    snprintf(v->detail + used, sizeof v->detail - used, "; its last words: \"%s\"", quoted);
}

/* True if the worker has died of the judge's write trap: a thread with the signal blocked has written. The case does
 * not fail for it, and its writes are not watched again. */
static bool is_of_watching(conform_site *site, int wait_status)
{
    if (!site->first.is_watched || site->signal || !WIFSIGNALED(wait_status))
        return false;
    site->first.writes = FIRST_UNKNOWN;
    return true;
}

/* Fails the case at which the worker was; returns its slot. */
static int charge(conform_runner *r, int tested, int batch, conform_check check, int wait_status,
                  int64_t n_words)
{
    conform_site *site = &r->channels[tested].site;
    conform_batch *b = r->batches[batch];
    char where[80];
    const int slot = site->slot >= 0 ? site->slot : 0;
    conform_verdict *v = &b->verdicts[tested][slot];
    if (site->is_other) /* its old content is of the slot's case */
        *v = (conform_verdict){
            .worst = {.worst = -1, .first_wrong = -1}, .is_of_other = 1, .other = site->other};
    v->outcome = OUTCOME_PASS; /* so that the failure below replaces what it held */
    v->seconds = seconds_since(site->begun);
    if (is_of_watching(site, wait_status))
        return slot;
    describe_address(site, where, sizeof where);
    const char *run = conform_run_name((conform_run)site->run);
    if (check == CHECK_HANG)
        conform_verdict_fail(v, check, "%s: no return within %.0f s in which it could run", run,
                             r->patience);
    else if (WIFSIGNALED(wait_status))
        conform_verdict_fail(v, check_of_death(wait_status, where), "%s: %s%s%s", run,
                             signal_name(WTERMSIG(wait_status)),
                             *where ? conform_access_name((conform_access)site->access) : "",
                             where);
    else
        conform_verdict_fail(
            v, check, "%s: the process ended with status %d: an op called exit, _exit or exec", run,
            WEXITSTATUS(wait_status));
    add_last_words(&r->channels[tested].words, n_words, v);
    return slot;
}

/* Starts a new worker, which continues after the case that ended the old one. */
static ifn_status restart(conform_runner *r, int tested, int batch, int slot, ifn_error *err)
{
    IFN_TRY(conform_worker_start(r, tested, err));
    if (slot + 1 < r->batches[batch]->n)
        conform_worker_post(r, tested, batch, slot + 1);
    return IFN_OK;
}

static ifn_status bury(conform_runner *r, int tested, conform_check check, ifn_error *err)
{
    const int batch = r->workers[tested].batch;
    const conform_words *const words = &r->channels[tested].words;
    const int64_t heard = words->n_bytes;
    const int status = end_worker(r, tested);
    const int slot = charge(r, tested, batch, check, status, words->n_bytes - heard);
    r->n_hung[tested] += check == CHECK_HANG && batch != CONFORM_SINGLE;
    return restart(r, tested, batch, slot, err);
}

/* Replaces a worker whose process state has changed by a new one. */
static ifn_status renew(conform_runner *r, int tested, ifn_error *err)
{
    const int batch = r->workers[tested].batch, slot = r->channels[tested].site.slot;
    end_worker(r, tested);
    return restart(r, tested, batch, slot, err);
}

/* True if the worker has made no call for too long. */
static bool has_hung(conform_runner *r, int tested)
{
    conform_worker *w = &r->workers[tested];
    const int64_t step = atomic_load(&r->channels[tested].site.step);
    if (step != w->seen_step) {
        w->seen_step = step;
        run_clock_start(&w->seen, w->pid);
    }
    return run_clock_is_over(&w->seen, r->patience);
}

static ifn_status attend(conform_runner *r, int tested, ifn_error *err)
{
    conform_worker *w = &r->workers[tested];
    const int answer = listen_to(r, tested, while_waiting);
    if (answer == WORKER_DONE)
        w->batch = -1;
    else if (answer == WORKER_SOILED)
        return renew(r, tested, err);
    else if (has_ended(w))
        return bury(r, tested, CHECK_CRASH, err);
    else if (has_hung(r, tested))
        return bury(r, tested, CHECK_HANG, err);
    return IFN_OK;
}

ifn_status conform_workers_wait(conform_runner *r, ifn_error *err)
{
    for (int s = 0; s < r->n_tested; s++)
        while (r->workers[s].batch >= 0)
            IFN_TRY(attend(r, s, err));
    return IFN_OK;
}
