/* Lists the far calls that a call has, and decides which cases make some. */
#include <string.h>

#include <inferno/signature_values.h>

#include "case_call.h"
#include "far.h"
#include "far_ways.h"
#include "gen.h"
#include "invoke.h"
#include "long_case.h"

static const struct {
    const char *name;
    int bits;
    bool of_elements;
} borders[FAR_BORDERS] = {
#define X(NAME, text, bits, of_elements) {text, bits, of_elements},
    CONFORM_FAR_BORDERS(X)
#undef X
};

const char *conform_far_border_name(far_border border)
{
    return borders[border].name;
}

/* The most address space of one tensor, and the most runs, as each run has its own pages. */
static const int64_t most_bytes = INT64_C(1) << 36;
enum { MOST_RUNS = 64 };

static bool is_affordable(const far_tensor *t, const far_run *run)
{
    return (int64_t)t->far_bytes > 0 && (int64_t)t->far_bytes <= most_bytes &&
           t->n[0] * t->n[1] <= MOST_RUNS && (t->ids_more == 0 || run->more < INT32_MAX / 2);
}

/* The offset of a byte in the middle of the tensor's middle run, or of its last run. */
static int64_t offset_of(const far_tensor *t, bool is_last)
{
    const int64_t n = t->n[0] * t->n[1], run = is_last ? n - 1 : n / 2;
    return (int64_t)(t->far_begin + (size_t)(run / t->n[1]) * t->far_step[0] +
                     (size_t)(run % t->n[1]) * t->far_step[1] + t->run_bytes / 2);
}

static int64_t border_bytes(const conform_call *home, const far_tensor *t, far_border border)
{
    const int64_t at = INT64_C(1) << borders[border].bits;
    const ifn_dtype dtype =
        t->is_weight ? home->weights[t->entry].dtype : ifn_arg_dtype(t->arg, &home->args.call);
    if (!borders[border].of_elements)
        return at;
    if (dtype == IFN_DTYPE_COUNT)
        return at * (t->arg->element == IFN_ELEMENT_BYTE ? 1 : 4);
    return at / ifn_dtype_block_elements(dtype) *
           (int64_t)ifn_dtype_row_bytes(dtype, ifn_dtype_block_elements(dtype));
}

/* Lists the tensors that move if the way is enlarged by `more`; returns their number. */
static int locate(ifn_op op, const conform_call *home, int way, int64_t more,
                  far_tensor out[FAR_TENSORS])
{
    const far_run run = {.way = way, .more = more};
    conform_call far;
    conform_far_move(op, home, &run, &far);
    return conform_far_tensors(op, home, &far, &run, out);
}

/* Sets the least run->more with which a tensor passes the border. Its offset is linear in `more`; `one` and `two` are
 * the tensor at 1 and at 2. False: the offset does not grow, or is past the border at 1. */
static bool solve(const conform_call *home, far_run *run, const far_tensor *one,
                  const far_tensor *two)
{
    for (int end = 0; end < 2; end++) {
        const int64_t slope = offset_of(two, end) - offset_of(one, end);
        if (slope < 1)
            continue;
        const int64_t left = border_bytes(home, one, run->border) - offset_of(one, end);
        run->more = 1 + (left + slope - 1) / slope;
        run->tensor = one->arg->name;
        return left > 0;
    }
    return false;
}

static bool are_affordable(ifn_op op, const conform_call *home, const far_run *run)
{
    far_tensor all[FAR_TENSORS];
    const int n = locate(op, home, run->way, run->more, all);
    for (int i = 0; i < n; i++)
        if (!is_affordable(&all[i], run))
            return false;
    return n > 0;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static bool is_known(const far_run *run, const far_run *all, int n)
{
    for (int i = 0; i < n; i++)
        if (all[i].way == run->way && all[i].border == run->border && all[i].more == run->more)
            return true;
    return false;
}

int conform_far_runs(ifn_op op, const conform_call *home, far_run *out)
{
    far_tensor one[FAR_TENSORS], two[FAR_TENSORS];
    int n = 0;
    for (int way = 0; way < FAR_WAYS; way++) {
        if (!conform_far_has_way(op, home, way))
            continue;
        const int n_moved = lesser(locate(op, home, way, 1, one), locate(op, home, way, 2, two));
        for (int border = 0; border < FAR_PART_BORDERS; border++)
            for (int which = 0; which < n_moved && n < FAR_RUNS; which++) {
                far_run run = {.way = way, .border = (far_border)border};
                if (!solve(home, &run, &one[which], &two[which]))
                    continue;
                if (!is_known(&run, out, n) && are_affordable(op, home, &run))
                    out[n++] = run;
            }
    }
    return n;
}

/* The classes that a call of whole tensors counts for. An op that is never cut has no call of 2^31 bytes: that of
 * 2^32 counts for both. */
uint32_t conform_far_whole_classes(ifn_op op, far_size size)
{
    static const uint32_t its[FAR_SIZES] = {1U << FAR_ELEMENTS_24, 1U << FAR_BYTES_31,
                                            1U << FAR_BYTES_32};
    const far_whole *const whole = conform_far_whole_of(op);
    int way = 0;
    while (far_way_of(op, way).name)
        way++;
    if (!whole || !conform_far_whole_comes_in(whole, size))
        return 0;
    const bool is_both = size == FAR_HUGE && !whole->is_cut;
    return (is_both ? its[FAR_GREAT] | its[FAR_HUGE] : its[size]) << (way * FAR_BORDERS);
}

static uint32_t part_classes(const conform_case *c)
{
    static unsigned char nothing[64];
    void *data[CONFORM_MAX_TENSORS];
    conform_layout l = {0};
    conform_call call = {0};
    far_run runs[FAR_RUNS];
    uint32_t classes = 0;
    if (conform_case_layout(c, &l) != IFN_OK)
        return 0;
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        data[i] = i < l.n && !l.t[i].absent ? nothing : NULL;
    conform_case_bind(c, &l, data, &call);
    if (c->prepared)
        conform_set_packed(c->op, &call, (ifn_packed[IFN_LINEAR_MAX]){{.data = nothing}});
    const int n = conform_far_runs(c->op, &call, runs);
    for (int i = 0; i < n; i++)
        classes |= 1U << (runs[i].way * FAR_BORDERS + (int)runs[i].border);
    return classes;
}

static uint32_t classes_of(const conform_case *c, unsigned calls)
{
    uint32_t classes = calls & FAR_CALL_OF_PARTS ? part_classes(c) : 0;
    for (int size = 0; size < FAR_SIZES; size++)
        if (calls & (unsigned)FAR_CALL_OF_WHOLES << size)
            classes |= conform_far_whole_classes(c->op, (far_size)size);
    return classes;
}

/* The far calls that cases of these sizes can make. */
static unsigned calls_of(const conform_case *c)
{
    const far_whole *const whole = conform_far_whole_of(c->op);
    unsigned calls = far_way_of(c->op, 0).name ? FAR_CALL_OF_PARTS : 0;
    for (int size = 0; whole && size < FAR_SIZES; size++)
        if (conform_far_whole_has(whole, c) && conform_far_whole_comes_in(whole, (far_size)size))
            calls |= (unsigned)FAR_CALL_OF_WHOLES << size;
    return calls;
}

uint32_t conform_far_classes(const conform_case *c)
{
    return classes_of(c, calls_of(c));
}

/* One seed in TURN makes the calls of parts. One in WHOLE_TURN makes a call of whole tensors: hardly ever by chance, so
 * the plan looks for such seeds. */
enum { TURN = 16, WHOLE_TURN = 1 << 17, MOST_ELEMENTS = 1 << 14, LEAST_VALUES = 256 };

static bool has_turn(const conform_case *c, const char *what, uint64_t i, uint64_t turn)
{
    return conform_hash(c->seed, what, i) % turn == 0;
}

static unsigned turns_of(const conform_case *c)
{
    unsigned calls = has_turn(c, "far", 0, TURN) ? FAR_CALL_OF_PARTS : 0;
    for (unsigned size = 0; size < FAR_SIZES; size++)
        if (has_turn(c, "whole", size, WHOLE_TURN))
            calls |= (unsigned)FAR_CALL_OF_WHOLES << size;
    return calls;
}

/* True if the case's numbers suit a call of whole tensors. An op that computes repeats them over and over, so it needs
 * at least LEAST_VALUES of them, of ordinary size. */
static bool has_numbers(const conform_case *c)
{
    const far_whole *const whole = conform_far_whole_of(c->op);
    const bool is_plain = c->family == FAMILY_NORMAL || c->family == FAMILY_POSITIVE;
    return whole && (whole->kind != WHOLE_COMPUTES ||
                     (is_plain && c->tier == TIER_T1 && conform_largest_tensor(c) >= LEAST_VALUES));
}

/* The far calls that the case can make if its seed says so. */
static unsigned possible(const conform_case *c)
{
    if (c->tier == TIER_REFUSE || c->tier == TIER_GOLDEN || c->family == FAMILY_EVERY ||
        conform_largest_tensor(c) > MOST_ELEMENTS)
        return 0;
    return has_numbers(c) ? calls_of(c) : calls_of(c) & FAR_CALL_OF_PARTS;
}

unsigned conform_far_calls(const conform_case *c)
{
    const unsigned turns = turns_of(c);
    return turns ? turns & possible(c) : 0;
}

uint32_t conform_far_due(const conform_case *c)
{
    return classes_of(c, conform_far_calls(c));
}

/* The far call that covers a class. */
static unsigned call_of(ifn_op op, int class)
{
    for (int size = 0; size < FAR_SIZES; size++)
        if (conform_far_whole_classes(op, (far_size)size) >> class & 1)
            return (unsigned)FAR_CALL_OF_WHOLES << size;
    return FAR_CALL_OF_PARTS;
}

bool conform_far_make_due(conform_case *c, int class, conform_stream seeds, uint64_t *next)
{
    enum { TURNS = 8 };
    const unsigned call = call_of(c->op, class);
    const uint64_t turn = call == FAR_CALL_OF_PARTS ? TURN : WHOLE_TURN;
    if (!(possible(c) & call))
        return false; /* no seed helps: do not try a million of them */
    for (uint64_t i = 0; i < TURNS * turn && !(turns_of(c) & call); i++)
        c->seed = conform_bits(seeds, (*next)++) >> 32;
    return conform_far_due(c) >> class & 1;
}
