#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where the handler writes: a handler has no other way to know. Set once, before any case. */
static conform_site *crash_site;

/* Notes what happened and dies of it: the parent reads both. */
static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    crash_site->signal = signal_number;
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

static int read_all(int fd, void *out, size_t bytes)
{
    unsigned char *p = out;
    while (bytes > 0) {
        const ssize_t n = read(fd, p, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        p += n;
        bytes -= (size_t)n;
    }
    return 1;
}

static int tell(int fd, char what)
{
    return write(fd, &what, 1) == 1;
}

static void run_batch(conform_judge *judge, conform_batch *batch, int index, int first)
{
    for (int i = first; i < batch->n; i++) {
        judge->site->slot = i;
        conform_judge_case(judge, &batch->slots[i], &batch->verdicts[index][i]);
    }
    judge->site->slot = -1;
}

void conform_channel_describe(conform_channel *channel, ifn_backend *backend)
{
    const ifn_backend *leaf = backend;
    while (leaf->inner)
        leaf = leaf->inner;
    snprintf(channel->expression, sizeof channel->expression, "%s",
             ifn_backend_expression(backend));
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_backend *who = ifn_backend_implementer(backend, (ifn_op)op);
        snprintf(channel->by[op], sizeof channel->by[op], "%s", who ? who->desc->name : "");
        channel->is_inherited[op] = who && !ifn_backend_implements(leaf, (ifn_op)op);
    }
}

int conform_worker_main(const conform_subject *subject, int index, conform_batch *const *batches,
                        conform_channel *channel, int command, int done)
{
    ifn_backend *backend;
    conform_judge judge;
    conform_command what;
    channel->site.slot = -1;
    if (subject->open(subject, &backend, &channel->error) != IFN_OK)
        return tell(done, WORKER_NO_BACKEND) ? 2 : 3;
    conform_channel_describe(channel, backend);
    catch_crashes(&channel->site);
    conform_judge_open(&judge, backend, &channel->site);
    int listening = tell(done, WORKER_READY);
    while (listening && read_all(command, &what, sizeof what)) {
        run_batch(&judge, batches[what.batch], index, what.first);
        listening = tell(done, WORKER_DONE);
    }
    conform_judge_close(&judge);
    ifn_backend_close(backend);
    return 0;
}
