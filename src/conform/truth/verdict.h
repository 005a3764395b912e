/* What came of one case on one backend. Lives in shared memory: no pointers of a worker's own. */
#ifndef CONFORM_VERDICT_H
#define CONFORM_VERDICT_H

#include "compare.h"

/* Backends that one run judges. */
enum { CONFORM_MAX_SUBJECTS = 16 };

typedef enum conform_outcome {
    OUTCOME_NOT_RUN, /* must not be left over at the end */
    OUTCOME_PASS,
    OUTCOME_REFUSED, /* the backend says IFN_ERR_UNSUPPORTED to a legal call */
    OUTCOME_FAIL
} conform_outcome;

/* Who caught a failure. X(NAME, name in reports) */
/* clang-format off */
#define CONFORM_FAULTS(X)                                                                     \
    X(NONE, "none")                                                                           \
    X(VALUE, "value")         /* beyond the bound, or unequal bits: against the truth */      \
    X(SCALAR, "vs-scalar")    /* beyond both bounds, or unequal bits: against scalar */       \
    X(STATUS, "status")       /* another status than the contract says */                     \
    X(WROTE, "wrote-on-error") /* an error was returned, and memory has changed */            \
    X(REPEAT, "repeat")       /* the second run of the same call gives other bits: R0 */      \
    X(FRESH, "fresh-process") /* another process gives other bits: R0 */                      \
    X(PLACE, "placement")     /* the bits depend on addresses: R4 */                          \
    X(PARTS, "parts")         /* the parts of a call do not add up to the whole: R1 */        \
    X(THREADS, "threads")     /* the same on two threads at once: R1 */                       \
    X(OUTSIDE, "outside-part") /* a part wrote what belongs to another part */                \
    X(ALIAS, "alias")         /* in place is not the same as out of place: R6 */              \
    X(BATCH, "batch")         /* the bits of a row depend on its batch: R2 */                 \
    X(CHUNKS, "chunks")       /* decoding is not the same as prefill: R3 */                   \
    X(VIEW, "view")           /* the bits depend on strides: R5 */                            \
    X(ORDER, "order")         /* other calls or old scratch show in the result: R7 */         \
    X(PERMUTED, "permuted")   /* permuted rows or heads do not permute the result: R8 */      \
    X(TRUNCATED, "truncated") /* what a cache held before it was cut back shows: R9 */        \
    X(FORM, "form")           /* rows of Q8_32F are not quantize_rows of the f32 result */    \
    X(WRAPPER, "wrapper")     /* a wrapper's bits are not those of what it wraps */           \
    X(LAW, "law")             /* its primitive ops put together give something else */        \
    X(GAP, "gap")             /* bytes in the gap between rows were written */                \
    X(SLACK, "slack")         /* bytes beside a tensor were written */                        \
    X(INPUT, "input")         /* an input has changed */                                      \
    X(ABI, "abi")             /* registers or floating-point control state */                 \
    X(PRINTED, "printed")     /* something was printed during a case */                       \
    X(PROCESS, "process")     /* something of the process was changed, or left behind */      \
    X(PREPARE, "prepare")     /* preparing weights failed, or wrote to them */                \
    X(MEMORY, "memory")       /* not executed: no memory for the case */                      \
    X(GUARD, "guard")         /* a protected page was hit: around a tensor, or under an input */ \
    X(CRASH, "crash")         /* any other signal */                                          \
    X(HANG, "hang")           /* the watchdog */
/* clang-format on */

typedef enum conform_fault {
#define X(NAME, text) FAULT_##NAME,
    CONFORM_FAULTS(X)
#undef X
        FAULT_COUNT
} conform_fault;

const char *conform_fault_name(conform_fault fault);

/* The relations of numerics 12: R0 .. R9. */
enum { CONFORM_INVARIANCES = 10 };

/* 1: no judgement; the process died, hung or had no memory. */
int conform_fault_is_death(conform_fault fault);

/* The i of the R<i> that a fault breaks; -1: it is none of them. */
int conform_fault_invariance(conform_fault fault);

/* One of R0 .. R9 in one case: how often two runs were compared bit for bit. */
typedef struct conform_relation {
    int32_t tried, held;
    int32_t demanded; /* of `tried`: equal bits were promised, so that unequal ones fail */
} conform_relation;

typedef struct conform_verdict {
    conform_outcome outcome;
    conform_fault fault;
    int32_t calls;       /* of the op, pieces included */
    int64_t n_compared;  /* elements against the truth */
    double ratio;        /* worst error / bound against the truth, all tensors */
    double scalar_ratio; /* the same against the scalar backend */
    int64_t n_signed;    /* elements of the first run with a bound, and the sums over them of */
    double signed_sum;   /* (got - want) / bound */
    double outward_sum;  /* the same, positive where got is farther from zero */
    double signed_squares, lean_sum; /* their squares, and how far they may go: compare.h */
    double power;                    /* the largest of the tensors' powers; 0: none */
    conform_result worst;            /* of the first tensor that failed, or of the worst one */
    char tensor[24];                 /* whose */
    int32_t is_declared;             /* OUTCOME_REFUSED: the manifest says so */
    int32_t is_raw;                  /* `worst` is about bytes */
    conform_relation relations[CONFORM_INVARIANCES];
    int32_t pieces, lanes; /* how many the call was cut into, and threads that had some at once */
    uint64_t digest;       /* of all results of the first run; 0: there are none */
    uint64_t muted;        /* faults (1 << fault) that do not count: for the museum alone */
    char detail[400];      /* what is wrong, one line */
} conform_verdict;

/* Sets the first failure of a case; later ones are kept out. */
void conform_verdict_fail(conform_verdict *v, conform_fault fault, const char *format, ...)
    IFN_PRINTF(3, 4);

#endif
