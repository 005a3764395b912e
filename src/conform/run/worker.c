#include "worker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "signal_access.h"

/* Where the crash handler writes; global, because a signal handler gets no cookie. Set once, before any case. */
static conform_site *crash_site;

/* Notes the crash for the parent and then dies of the same signal, which the parent reads, too. */
static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    crash_site->signal = signal_number;
    crash_site->access = signal_number == SIGSEGV ? conform_access_of(context) : ACCESS_UNKNOWN;
    crash_site->address = (uintptr_t)info->si_addr;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_crashes(conform_site *site)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    crash_site = site;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* Fails the case if its process has printed anything: a call must be silent. */
static void blame_words(conform_words *words, int fd, conform_verdict *verdict)
{
    char quoted[120];
    const int64_t n = conform_words_hear(words, fd);
    if (n == 0)
        return;
    conform_words_quote(words, quoted, sizeof quoted);
    conform_verdict_fail(verdict, CHECK_PRINTED,
                         "printed %lld bytes to standard output or error, expected none: \"%s\"",
                         (long long)n, quoted);
}

/* The cookie with which the judge opens another instance of the backend. */
typedef struct again {
    const conform_tested *tested;
    conform_words *words;
    int fd;
} again;

static ifn_status open_again(void *cookie, ifn_backend **out, ifn_error *err)
{
    const again *const a = cookie;
    return a->tested->open(a->tested, out, err);
}

static void hear_again(void *cookie, conform_verdict *verdict)
{
    const again *const a = cookie;
    if (verdict)
        blame_words(a->words, a->fd, verdict);
    else
        (void)conform_words_hear(a->words, a->fd);
}

/* Judges the slots of a batch; returns what the worker says to the parent. */
static int run_batch(conform_judge *judge, conform_batch *batch, int index, int first,
                     conform_words *words, int fd)
{
    conform_words_hear(words, fd);
    for (int i = first; i < batch->n; i++) {
        conform_verdict *const verdict = &batch->verdicts[index][i];
        judge->site->slot = i;
        conform_judge_case(judge, &batch->slots[i], verdict);
        blame_words(words, fd, verdict);
        if (verdict->check == CHECK_PROCESS)
            return WORKER_SOILED;
    }
    judge->site->slot = -1;
    return WORKER_DONE;
}

/* Opens the backend, which must leave the state of the process unchanged. */
static ifn_status open_backend(const conform_tested *tested, ifn_backend **out, ifn_error *err)
{
    const process_fixtures before = process_fixtures_now();
    IFN_TRY(tested->open(tested, out, err));
    const process_fixtures now = process_fixtures_now();
    const int i = process_fixtures_changed(&before, &now, PROCESS_N_FROM_LOAD);
    return i < 0 ? IFN_OK
                 : ifn_fail(err, IFN_ERR_UNSUPPORTED,
                            "backend '%s': has changed %s when it was opened, expected as it was",
                            tested->label, process_fixture_name(i));
}

void conform_channel_describe(conform_channel *channel, ifn_backend *backend)
{
    const ifn_backend *leaf = backend;
    while (leaf->inner)
        leaf = leaf->inner;
    snprintf(channel->expression, sizeof channel->expression, "%s",
             ifn_backend_expression(backend));
    channel->is_device = ifn_backend_is_device(backend);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_backend *who = ifn_backend_implementer(backend, (ifn_op)op);
        snprintf(channel->by[op], sizeof channel->by[op], "%s", who ? who->desc->name : "");
        channel->is_inherited[op] = who && !ifn_backend_implements(leaf, (ifn_op)op);
        conform_arithmetic_stated(backend, (ifn_op)op, channel->arithmetic[op],
                                  sizeof channel->arithmetic[op]);
    }
}

int conform_worker_main(const conform_tested *tested, int index, conform_batch *const *batches,
                        conform_channel *channel, ifn_backend *scalar, int words)
{
    const pid_t parent = getppid();
    process_leave_defaults();
    conform_line *const line = &channel->line;
    ifn_backend *backend;
    conform_judge judge;
    conform_command what;
    channel->site.slot = -1;
    if (open_backend(tested, &backend, &channel->error) != IFN_OK) {
        conform_line_say(line, WORKER_NO_BACKEND);
        return 2;
    }
    conform_channel_describe(channel, backend);
    catch_crashes(&channel->site);
    conform_judge_open(&judge, backend, &channel->site);
    again once_more = {tested, &channel->words, words};
    judge.scalar = scalar;
    judge.reopen = (conform_reopen){open_again, hear_again, &once_more};
    conform_line_say(line, WORKER_READY);
    while ((what = conform_line_listen(line, parent)).batch >= 0) {
        const int said =
            run_batch(&judge, batches[what.batch], index, what.first, &channel->words, words);
        conform_line_say(line, said);
    }
    conform_judge_close(&judge);
    ifn_backend_close(backend);
    return 0;
}
