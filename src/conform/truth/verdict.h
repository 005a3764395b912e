/* The verdict on one case and one backend. It lives in shared memory, so it holds no pointers. */
#ifndef CONFORM_VERDICT_H
#define CONFORM_VERDICT_H

#include "compare.h"
#include "error_map.h"

/* The most backends that one run judges. */
enum { CONFORM_MAX_TESTED = 16 };

typedef enum conform_outcome {
    OUTCOME_NOT_RUN, /* no case may still have this at the end of a run */
    OUTCOME_PASS,
    OUTCOME_REFUSED, /* the backend says IFN_ERR_UNSUPPORTED to a legal call */
    OUTCOME_FAIL
} conform_outcome;

/*
 * The checks: every judgement that can fail a case, in the order in which they are tried, with all their
 * properties. A new check needs a row here and a rule in section 16 of spec/numerics.md.
 *
 * X(NAME, word, relation, attempt, run, text, alone)
 *
 *   word      its name in reports
 *   relation  the i of the R<i> of numerics 12 that a failure breaks; -1: none
 *   attempt   judge_<attempt> tries it after the first run; nothing: other runs find it
 *   run       the name of its run in messages; NULL: it has no run of its own
 *   text      what is wrong, for people
 *   alone     why the check exists although the museum has no fault that only it notices; NULL: it has one
 */
/* clang-format off */
#define CONFORM_CHECKS(X)                                                                       \
    X(NONE, "none", -1, nothing, NULL,                                                          \
      "nothing is wrong", NULL)                                                                 \
    X(VALUE, "value", -1, nothing, "tensors flush against their ends",                          \
      "beyond the bound, or unequal bits: against the truth", NULL)                             \
    X(SCALAR, "vs-scalar", -1, nothing, NULL,                                                   \
      "beyond both bounds, or unequal bits: against scalar", NULL)                              \
    X(STATUS, "status", -1, wrong_id, "with an id that is none",                                \
      "another status than the contract says", NULL)                                            \
    X(WROTE, "wrote-on-error", -1, nothing, NULL,                                               \
      "an error was returned, and memory has changed", NULL)                                    \
    X(REPEAT, "repeat", 0, repeat, "the same call again, other prefill",                        \
      "the second run of the same call gives other bits",                                       \
      "nothing has changed but the time; all that runs a call again elsewhere meets the same")  \
    X(FRESH, "fresh-process", 0, nothing, NULL,                                                 \
      "another process gives other bits",                                                       \
      "two processes: looked at by the run, not within a case")                                 \
    X(FIRST, "first-calls", 0, nothing, "the first of a process, beside another",               \
      "two calls, the first of a process, are not what each is alone", NULL)                    \
    X(PLACE, "placement", 4, places, "tensors at any legal address",                            \
      "the bits depend on addresses",                                                           \
      "nothing has changed but the addresses; relations that copy inputs may meet the same")    \
    X(PARTS, "parts", 1, parts, "in parts",                                                     \
      "the parts of a call do not add up to the whole",                                         \
      "cuts without threads; threads run such cuts too and could not tell them from a race")    \
    X(THREADS, "threads", 1, threads, "in parts on threads",                                    \
      "on two threads at once the parts do not add up to the whole", NULL)                      \
    X(OUTSIDE, "outside-part", -1, nothing, NULL,                                               \
      "a part wrote what belongs to another part",                                              \
      "names what lies outside; threads see it, where its owner has been there before")         \
    X(ALIAS, "alias", 6, alias, "in place",                                                     \
      "in place is not the same as out of place", NULL)                                         \
    X(SHARED, "shared-input", -1, shared, "equal inputs in one memory",                         \
      "inputs that are the same memory give something else than equal copies", NULL)            \
    X(BATCH, "batch", 2, batch, "rows by themselves",                                           \
      "the bits of a row depend on its batch", NULL)                                            \
    X(CHUNKS, "chunks", 3, chunks, "decoded in chunks",                                         \
      "decoding is not the same as prefill", NULL)                                              \
    X(VIEW, "view", 5, view, "with other strides",                                              \
      "the bits depend on strides", NULL)                                                       \
    X(ORDER, "order", 7, order, "after another call",                                          \
      "other calls or old scratch show in the result", NULL)                                    \
    X(PERMUTED, "permuted", 8, permuted, "rows or heads permuted",                              \
      "permuted rows or heads do not permute the result", NULL)                                 \
    X(TRUNCATED, "truncated", 9, truncated, "after a cache cut back",                          \
      "what a cache held before it was cut back shows", NULL)                                   \
    X(COMPANY, "company", 10, company, "among other sequences",                                 \
      "the bits of a sequence depend on its company", NULL)                                     \
    X(PAGES, "pages", 5, pages, "with a cache in pages",                                        \
      "the bits depend on the pages of a cache, or others were written", NULL)                  \
    X(FAR, "far", -1, far, "with offsets past 2^31",                                            \
      "offsets past 2^31 or 2^32 do not arrive", NULL)                                          \
    X(FORM, "form", -1, form, "in f32, then quantized",                                         \
      "rows of Q8_32F are not quantize_rows of the f32 result", NULL)                           \
    X(WRAPPER, "wrapper", -1, wrapper, "what the wrapper wraps",                                \
      "a wrapper's bits are not those of what it wraps",                                        \
      "wrappers only: the museum is a leaf")                                                    \
    X(LAW, "law", -1, law, "composed of primitive ops",                                         \
      "its primitive ops put together give something else",                                     \
      "holds the primitive ops together with the fused one")                                    \
    X(GAP, "gap", -1, nothing, NULL,                                                            \
      "bytes in the gap between rows were written", NULL)                                       \
    X(SLACK, "slack", -1, nothing, NULL,                                                        \
      "bytes beside a tensor were written",                                                     \
      "names the bytes beside a tensor; guard or batch meet the same by where tensors lie")     \
    X(INPUT, "input", -1, nothing, NULL,                                                        \
      "an input has changed",                                                                   \
      "where pages cannot be protected: refused calls")                                         \
    X(ABI, "abi", -1, nothing, NULL,                                                            \
      "registers or floating-point control state were changed", NULL)                           \
    X(PRINTED, "printed", -1, nothing, NULL,                                                    \
      "something was printed during a case",                                                    \
      "manners, not numbers: hostile plugins are tried by a table of their own")                \
    X(PROCESS, "process", -1, nothing, NULL,                                                    \
      "something of the process was changed, or left after",                                   \
      "manners, not numbers: hostile plugins are tried by a table of their own")                \
    X(INSTANCE, "instance", -1, instance, "after another instance was closed",                  \
      "the backend, opened twice, is not two backends",                                         \
      "opens and closes a backend: the museum's faults are of its ops")                         \
    X(PREPARE, "prepare", -1, handles, "weights prepared",                                      \
      "preparing weights failed, wrote to them or took them for others", NULL)                                       \
    X(MEMORY, "memory", -1, nothing, NULL,                                                      \
      "not executed: no memory for the case",                                                   \
      "says that a case was not executed")                                                      \
    X(GUARD, "guard", -1, nothing, NULL,                                                        \
      "a protected page was hit: around a tensor, or under an input", NULL)                     \
    X(CRASH, "crash", -1, nothing, NULL,                                                        \
      "a signal ended the process",                                                             \
      "no judgement: what dies is counted apart")                                               \
    X(HANG, "hang", -1, nothing, NULL,                                                          \
      "the call did not return",                                                                \
      "no judgement: what hangs is counted apart")
/* clang-format on */

typedef enum conform_check {
#define X(NAME, ...) CHECK_##NAME,
    CONFORM_CHECKS(X)
#undef X
        CHECK_COUNT
} conform_check;

const char *conform_check_name(conform_check check);
/* What is wrong, for people. */
const char *conform_check_text(conform_check check);
/* Why the check exists although no fault of the museum is noticed by it alone; NULL: no reason is stated. */
const char *conform_check_alone(conform_check check);
/* The name of the check's run in messages: "in parts". NULL: it has no run of its own. */
const char *conform_check_run(conform_check check);

/* The relations of numerics 12: R0 .. R10. */
enum { CONFORM_INVARIANCES = 11 };

/* 1 if the check is no judgement: the process died, hung or had no memory. */
int conform_check_is_death(conform_check check);

/* The i of the R<i> that the check tests; -1: none. */
int conform_check_relation(conform_check check);

/* One of R0 .. R10 in one case: the number of times that two runs were compared bit for bit. */
typedef struct conform_relation {
    int32_t tried, held;
    int32_t demanded; /* of `tried`: equal bits were promised, so that unequal ones fail */
} conform_relation;

typedef struct conform_verdict {
    conform_outcome outcome;
    conform_check check;
    int32_t calls;       /* of the op, parts included */
    double seconds;      /* by the clock, until the verdict or until the process died */
    int64_t n_compared;  /* elements against the truth */
    double ratio;        /* worst error / bound against the truth, over all tensors */
    double scalar_ratio; /* the same against the scalar backend */
    int64_t n_signed;    /* elements of the first run with a bound; the sums below are over these */
    double signed_sum;   /* (got - want) / bound */
    double outward_sum;  /* the same, positive where got is farther from zero */
    double signed_squares, lean_sum; /* their squares, and the one-sided part: compare.h */
    double power;                    /* the largest of the tensors' powers; 0: none */
    conform_result worst;            /* of the first tensor that failed, or of the worst one */
    char tensor[24];                 /* the tensor that `worst` is about */
    int32_t is_declared;             /* OUTCOME_REFUSED: the manifest says so */
    int32_t is_raw;                  /* `worst` is about bytes */
    int32_t left_upper, left_tiles;  /* abi.h: 1 where such registers were left in use */
    conform_relation relations[CONFORM_INVARIANCES];
    int32_t parts, threads; /* parts that the call was cut into; threads that ran some at once */
    uint32_t far, far_left_out; /* classes of far.h: tried; not tried for lack of address space */
    uint64_t digest;            /* of all results of the first run; 0: there are none */
    uint64_t muted;   /* checks (1 << check) that do not count: in the museum, or after a refusal */
    char detail[400]; /* what is wrong, in one line */
    int32_t is_of_other; /* 1: the verdict is not about the judged case */
    conform_case other;  /* but about this one, of other sizes */
    error_map map;       /* of the tensor that failed first, where its elements are known */
} conform_verdict;

/* The case that the verdict is about, when `c` was judged. */
static inline const conform_case *conform_verdict_case(const conform_verdict *v,
                                                       const conform_case *c)
{
    return v->is_of_other ? &v->other : c;
}

/* Records the first failure of a case; later failures and muted checks are ignored. */
void conform_verdict_fail(conform_verdict *v, conform_check check, const char *format, ...)
    IFN_PRINTF(3, 4);

#endif
