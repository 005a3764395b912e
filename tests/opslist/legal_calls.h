/* One legal call of every op, in which a test changes one thing. */
#ifndef IFN_LEGAL_CALLS_H
#define IFN_LEGAL_CALLS_H

#include <inferno/ops.h>

/* Buffers that the calls use, far larger than any of them needs. */
enum { MEM_FLOATS = 8192 };
extern float mem[8][MEM_FLOATS];

/* Ids of gather_rows, and weights [5, 32] and [7, 32] in F32 and Q8_0, as the calls use them. */
extern int32_t legal_ids[4];
extern ifn_tensor legal_w5, legal_w7, legal_q5, legal_q7;

/* Returns a fresh copy of the legal call, and gives the tensors above their legal values again. */
ifn_args legal_call(ifn_op op);

/* Assert that a call is accepted, or refused with exactly this message (after "<op>: "). */
void assert_accepted(const char *op_name, const ifn_call *call);
void assert_refused(const char *op_name, const ifn_call *call, ifn_status status,
                    const char *message);

/* ACCEPT(add, a.x = a.out): asserts that the legal call with this change is legal, too. */
#define ACCEPT(name, change)                                                                       \
    do {                                                                                           \
        ifn_##name##_args a = legal_##name();                                                      \
        change;                                                                                    \
        assert_accepted(#name, &a.call);                                                           \
    } while (0)

/* REFUSE(add, a.n = -1, "n -1, expected 0 or more"): asserts that the call with this change is refused. */
#define REFUSE_AS(name, change, status, message)                                                   \
    do {                                                                                           \
        ifn_##name##_args a = legal_##name();                                                      \
        change;                                                                                    \
        assert_refused(#name, &a.call, status, message);                                           \
    } while (0)
#define REFUSE(name, change, message) REFUSE_AS(name, change, IFN_ERR_SHAPE, message)

/* legal_matmul, legal_add, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static inline ifn_##name##_args legal_##name(void)                                             \
    {                                                                                              \
        return legal_call(IFN_OP_##NAME).name;                                                     \
    }
IFN_OPS(X)
#undef X

#endif
