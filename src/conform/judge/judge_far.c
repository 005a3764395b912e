/* Far calls of parts: the case's call with offsets past 2^31 and 2^32, which must give the same results: far.h. */
#include "judge_far.h"

#include <string.h>

#include "invoke.h"

/* An offset that was truncated to 31 or 32 bits, in bytes or in elements of 4 bytes, lands 2^31 .. 2^34 bytes before
 * its true place. */
enum { WRAPS = 4, FIRST_WRAP = 31 };

typedef struct far_place {
    far_tensor t;
    far_map map;
    struct far_trap {
        size_t at, bytes; /* 0: no trap */
    } traps[WRAPS];       /* where truncated offsets would land */
} far_place;

typedef struct far_trial {
    judge_run *r;
    far_run run;
    conform_call home;
    int n;
    far_place places[FAR_TENSORS];
} far_trial;

static size_t home_offset(const far_tensor *t, int64_t i)
{
    return (size_t)(i / t->n[1]) * t->home_step[0] + (size_t)(i % t->n[1]) * t->home_step[1];
}

static size_t far_offset(const far_tensor *t, int64_t i)
{
    return t->far_begin + (size_t)(i / t->n[1]) * t->far_step[0] +
           (size_t)(i % t->n[1]) * t->far_step[1];
}

static int64_t n_runs(const far_tensor *t)
{
    return t->n[0] * t->n[1];
}

static bool allow_all(far_place *p, bool may_write)
{
    for (int64_t i = 0; i < n_runs(&p->t); i++)
        if (!far_map_allow(&p->map, far_offset(&p->t, i), p->t.run_bytes, may_write))
            return false;
    return true;
}

static void add_to_numbers(const far_place *p)
{
    int32_t id;
    for (size_t i = 0; i + sizeof id <= p->t.run_bytes; i += sizeof id) {
        memcpy(&id, p->map.at + p->t.far_begin + i, sizeof id);
        id += (int32_t)p->t.ids_more;
        memcpy(p->map.at + p->t.far_begin + i, &id, sizeof id);
    }
}

static void copy_there(const far_trial *f, const far_place *p)
{
    const unsigned char *const home = conform_far_address(&p->t, &f->home);
    for (int64_t i = 0; i < n_runs(&p->t); i++)
        memcpy(p->map.at + far_offset(&p->t, i), home + home_offset(&p->t, i), p->t.run_bytes);
    if (p->t.ids_more)
        add_to_numbers(p);
}

static void copy_back(const far_trial *f, const far_place *p)
{
    unsigned char *const home = conform_far_address(&p->t, &f->home);
    for (int64_t i = 0; p->t.is_written && i < n_runs(&p->t); i++)
        memcpy(home + home_offset(&p->t, i), p->map.at + far_offset(&p->t, i), p->t.run_bytes);
}

/* --- where a wrong address would be --- */

static bool is_taken(const far_tensor *t, const struct far_trap *trap)
{
    for (int64_t i = 0; i < n_runs(t); i++) {
        const size_t its = far_offset(t, i);
        if (trap->at < its + t->run_bytes && its < trap->at + trap->bytes)
            return true;
    }
    return false;
}

/* Returns where the middle run would lie with an offset truncated this way, as far as that is inside the tensor; no
 * trap if a run of the tensor lies there. */
static struct far_trap trap_of(const far_tensor *t, int wrap)
{
    const size_t begin = far_offset(t, n_runs(t) / 2), end = begin + t->run_bytes;
    const size_t back = (size_t)1 << (FIRST_WRAP + wrap);
    struct far_trap trap = {0, 0};
    if (end <= back)
        return trap;
    trap.at = begin > back ? begin - back : 0;
    trap.bytes = end - back - trap.at;
    return is_taken(t, &trap) ? (struct far_trap){0, 0} : trap;
}

/* Puts a trap where a wrong address would land: for an input, readable pages with other numbers; for an output,
 * writable pages that must stay zero. */
static bool lay_trap(const far_place *p, const struct far_trap *trap)
{
    if (!far_map_allow(&p->map, trap->at, trap->bytes, true))
        return false;
    if (p->t.is_written)
        return true;
    conform_poison(p->map.at + trap->at, trap->bytes, 1);
    return far_map_allow(&p->map, trap->at, trap->bytes, false);
}

static bool lay_traps(far_place *p)
{
    const bool has_ids = p->t.arg->element == IFN_ELEMENT_I32 && !p->t.is_written;
    for (int i = 0; i < WRAPS && !has_ids; i++) {
        p->traps[i] = trap_of(&p->t, i);
        if (p->traps[i].bytes && !lay_trap(p, &p->traps[i]))
            return false;
    }
    return true;
}

static int64_t first_written(const far_place *p, const struct far_trap *trap)
{
    for (size_t i = 0; i < trap->bytes; i++)
        if (p->map.at[trap->at + i] != 0)
            return (int64_t)(trap->at + i);
    return -1;
}

static void check_traps(far_trial *f, const far_place *p)
{
    for (int i = 0; p->t.is_written && i < WRAPS; i++) {
        const int64_t at = first_written(p, &p->traps[i]);
        if (at >= 0)
            conform_verdict_fail(f->r->verdict, CHECK_FAR,
                                 "byte %lld was written, 2^%d bytes before its place",
                                 (long long)at, FIRST_WRAP + i);
    }
}

/* --- one call --- */

static bool place(far_trial *f, far_place *p)
{
    judge_run *const r = f->r;
    if (!far_map_open(&p->map, p->t.far_bytes, r->overread) || !lay_traps(p) || !allow_all(p, true))
        return false; /* a trap may share a page with a run */
    copy_there(f, p);
    if (!p->t.is_written && !allow_all(p, false))
        return false;
    conform_far_set_address(&p->t, &r->call, p->map.at);
    return true;
}

/* Registers each far tensor by name, so that the parent process can say which tensor a dead worker was touching. Order:
 * that of the layout. */
static void tell(const far_trial *f)
{
    const conform_layout *const l = &f->r->slot->layout;
    for (int i = 0; i < f->n; i++) {
        const far_place *const p = &f->places[i];
        const void *const home = conform_far_address(&p->t, &f->home);
        for (int t = 0; t < l->n; t++)
            if (f->r->data[t] == home)
                judge_tell_far(f->r, t, p->map.at, p->map.bytes, &p->map.region);
    }
}

/* Moves the far part to multiples of the backend's granule. Returns false if there is no such part. */
static bool align(far_trial *f)
{
    const ifn_op op = f->r->slot->c.op;
    const int axis = conform_far_axis(op, &f->home, &f->run);
    const int64_t granule =
        axis < 0 ? 1 : ifn_backend_granule(f->r->judge->backend, op, axis, &f->home.args.call);
    return conform_far_aligned(op, &f->home, granule, &f->run);
}

static bool set_up(far_trial *f)
{
    far_tensor tensors[FAR_TENSORS];
    judge_run *const r = f->r;
    f->home = r->call;
    conform_far_point_to_weights(r->slot->c.op, &f->home);
    if (!align(f))
        return false;
    conform_far_move(r->slot->c.op, &f->home, &f->run, &r->call);
    f->n = conform_far_tensors(r->slot->c.op, &f->home, &r->call, &f->run, tensors);
    for (int i = 0; i < f->n; i++)
        f->places[i] = (far_place){.t = tensors[i]};
    for (int i = 0; i < f->n; i++)
        if (!place(f, &f->places[i]))
            return false;
    tell(f);
    return true;
}

static void put_away(far_trial *f)
{
    for (int i = 0; i < f->n; i++)
        far_map_close(&f->places[i].map);
    judge_tell_tensors(f->r);
}

/* Returns false if the backend refuses the call as unsupported: it is not judged, and its class counts as not tried. */
static bool call_far(far_trial *f)
{
    judge_run *const r = f->r;
    const ifn_status status = judge_call(r, r->judge->backend, RUN_FAR);
    if (status == IFN_ERR_UNSUPPORTED)
        return false;
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_FAR, "returned %s", ifn_status_name(status));
    for (int i = 0; i < f->n; i++) {
        copy_back(f, &f->places[i]);
        check_traps(f, &f->places[i]);
    }
    if (!judge_failed(r))
        judge_like(r, CHECK_FAR);
    if (judge_failed(r)) /* the failure names elements at home */
        judge_far_say_where(r, conform_far_way_name(r->slot->c.op, f->run.way), f->run.tensor,
                            f->run.border);
    return true;
}

/* The number of rows that a tensor has in the far call. */
static int64_t far_rows(const far_tensor *t)
{
    return t->far_step[1] ? (int64_t)(t->far_bytes / t->far_step[1]) + 1 : 1;
}

/* The limits of the far call, for its scratch. Rows are as long as at home. Where the arguments do not tell the number
 * of rows, it is that of the largest far tensor, such as a weight, a table or a cache. */
static ifn_limits limits_of(const far_trial *f)
{
    const judge_run *const r = f->r;
    const ifn_op op = r->slot->c.op;
    ifn_limits m = conform_call_limits(op, &r->call, &r->slot->layout);
    const bool is_told = conform_told_rows(op, &r->call.args.call) >= 0;
    for (int i = 0; !is_told && i < f->n; i++)
        if (far_rows(&f->places[i].t) > m.rows)
            m.rows = far_rows(&f->places[i].t);
    if (op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8 || op == IFN_OP_MATMUL)
        m.n += f->run.more;
    if (op == IFN_OP_MATMUL) { /* any of the three may be the longest row */
        m.k += f->run.more;
        m.max_pos += f->run.more;
    }
    return m;
}

static bool give_scratch(const far_trial *f, far_map *scratch)
{
    const ifn_limits limits = limits_of(f);
    return judge_far_scratch(f->r, &limits, scratch);
}

static void try_run(judge_run *r, const far_run *run)
{
    const uint32_t class = 1U << (run->way * FAR_BORDERS + (int)run->border);
    far_map scratch = {.at = NULL};
    far_trial f = {.r = r, .run = *run};
    judge_start(r);
    if (r->judge->image.device || !far_map_has_room() || !set_up(&f) || !give_scratch(&f, &scratch))
        r->verdict->far_left_out |= class;
    else if (call_far(&f))
        r->verdict->far |= class;
    put_away(&f);
    far_map_close(&scratch);
}

static void try_runs(judge_run *r)
{
    far_run runs[FAR_RUNS];
    judge_start(r);
    const int n = conform_far_runs(r->slot->c.op, &r->call, runs);
    for (int i = 0; i < n && !judge_failed(r); i++)
        try_run(r, &runs[i]);
}

void judge_far(judge_run *r)
{
    const unsigned calls = judge_failed(r) ? 0 : conform_far_calls(&r->slot->c);
    if (calls & FAR_CALL_OF_PARTS)
        try_runs(r);
    for (int size = 0; size < FAR_SIZES && !judge_failed(r); size++)
        if (calls & (unsigned)FAR_CALL_OF_WHOLES << size)
            judge_far_whole(r, (far_size)size);
}
