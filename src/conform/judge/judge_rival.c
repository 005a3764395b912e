/* Two threads prepare weights at once on one backend, which shows state that the backend keeps outside its handles. */
#include "gen.h"
#include "judge_lend.h"

/* The longest time that the packer waits for the other, which may want a lock that the packer holds. */
enum { WAIT_US = 64000 };

/* The most instructions after a write or after the beginning of a stretch, at ten microseconds or more each: 31, 15, 7
 * or 3, each in a quarter of the stops. Where writes cannot be watched: 2047 in the first such round, then half as
 * many. */
enum { MOST_STEPS = 31, MOST_UNSEEN = 2047 };

static ifn_status prepare_others(void *cookie)
{
    judge_rival *const rival = cookie;
    judge_others *const o = &rival->others;
    ifn_error err = {0};
    return judge_prepare_shown(rival->who, o->w, o->n, rival->uses, o->packed, &err);
}

/* True inside the packer's prepare. What it allocates afterwards, for images and to adopt them, begins no stretch. */
static bool is_packing(const judge_rival *rival)
{
    return rival != NULL && pthread_equal(rival->packer, pthread_self()) && rival->has_begun;
}

static bool is_over(const judge_rival *rival)
{
    return rival->has_met || judge_meet_stops() > rival->n_met;
}

static conform_stream random_of(const judge_run *r, const judge_rival *rival)
{
    return conform_stream_of(conform_hash(r->slot->c.seed, "rival", (uint64_t)rival->round),
                             "stop");
}

/* Draws where this round stops the packer. Every other round stops it at a write, but not the first, as the number of
 * stretches is not known yet. */
static void draw_stop(const judge_run *r, judge_rival *rival)
{
    const conform_stream random = random_of(r, rival);
    const bool is_middle = rival->round % 2, is_seen = is_middle && rival->has_traps;
    const bool is_unseen = is_middle && !is_seen;
    const int most = is_unseen ? MOST_UNSEEN >> rival->round / 2
                               : MOST_STEPS >> conform_integer(random, 0, 0, 3);
    const int last = rival->n_stretches > 1 ? rival->n_stretches - 1 : 0;
    rival->stop = (judge_stop_at){.n_steps = (int)conform_integer(random, 1, 0, most),
                                  .watched = is_seen ? &rival->trap : NULL,
                                  .n_writes = is_seen};
    rival->first = is_unseen ? 0 : (int)conform_integer(random, 2, is_seen && last > 0, last);
    rival->last = is_middle ? last : rival->first;
    rival->trap.n = 0;
    rival->block = NULL;
}

static void begin_stretch(judge_rival *rival)
{
    rival->is_inside = !is_over(rival) && rival->stretch >= rival->first &&
                       rival->stretch <= rival->last && (!rival->stop.watched || rival->trap.n > 0);
    if (rival->is_inside)
        judge_meet_enter(&rival->stop);
}

static void end_stretch(judge_rival *rival)
{
    if (rival->is_inside)
        judge_meet_leave();
    rival->is_inside = false;
}

bool judge_rival_open(judge_run *r, judge_rival *rival)
{
    const judge_meeting meeting = {.other = prepare_others, .cookie = rival, .wait_us = WAIT_US};
    rival->packer = pthread_self();
    rival->has_traps = write_trap_is_safe() && !r->judge->image.device;
    return judge_meet_open(&meeting);
}

void judge_rival_close(void)
{
    judge_meet_close();
}

void judge_rival_meet(judge_run *r)
{
    judge_rival *const rival = r->rival;
    if (!rival)
        return;
    rival->stretch = 0;
    rival->has_begun = true;
    draw_stop(r, rival);
    begin_stretch(rival);
}

size_t judge_rival_asked(judge_run *r, size_t bytes, size_t align)
{
    judge_rival *const rival = r->rival;
    if (!is_packing(rival))
        return bytes;
    end_stretch(rival);
    rival->stretch++;
    rival->cut = bytes;
    if (rival->stop.watched && rival->stretch == rival->first && bytes > 0)
        rival->cut = (size_t)conform_integer(random_of(r, rival), 3, 0, (int64_t)(bytes - 1)) /
                     align * align;
    return rival->cut;
}

void judge_rival_lent(judge_run *r, const void *block, size_t bytes, const void *gone)
{
    judge_rival *const rival = r->rival;
    if (!is_packing(rival))
        return;
    if (gone && gone == rival->block)
        rival->trap.n = 0;
    if (block && rival->cut < bytes) {
        rival->block = block;
        (void)write_trap_of(&rival->trap, (const char *)block + rival->cut, bytes - rival->cut);
    }
    begin_stretch(rival);
}

/* Counts the others, which were prepared meanwhile. */
static void count_others(judge_run *r, judge_rival *rival)
{
    const ifn_status status = judge_meet_status();
    rival->has_met = status == IFN_OK;
    if (rival->has_met)
        r->n_others += rival->others.n;
    else
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "%s: prepare on another thread returned %s",
                             conform_run_name(RUN_OTHERS), ifn_status_name(status));
}

bool judge_rival_leave(judge_run *r, ifn_status status)
{
    judge_rival *const rival = r->rival;
    if (!rival)
        return true;
    end_stretch(rival);
    rival->has_begun = false;
    const int n = judge_meet_wait();
    if (n > rival->n_met)
        count_others(r, rival);
    else if (status != IFN_OK && rival->stop.watched) {
        rival->has_traps = false;
        return false;
    }
    rival->n_met = n;
    rival->n_stretches = rival->stretch + 1;
    return true;
}
