/* What a backend refuses, its base does; and lists of spans become calls of one span each. */
#ifndef IFN_FALLBACK_H
#define IFN_FALLBACK_H

#include <inferno/spans.h>

/*
 * The table of a leaf that declares refusals. Each slot calls that of ifn_backend_own_ops (node.h),
 * of kv_store and attention once for each span, and where it says IFN_ERR_UNSUPPORTED, which has
 * written nothing, the op of the base. Handles that the backend made of weights mean nothing to its
 * base and are left out: it reads the raw weights.
 */
extern const ifn_op_table ifn_fallback_table;

/* The two slots of a leaf that refuses nothing and takes no lists of spans. */
void ifn_split_spans(ifn_op_table *table);

/*
 * Defines a slot of kv_store or attention: a list of spans goes to `run` whole where `takes`, an
 * expression of `self`, is true, and as a call of each span where not. `run` comes last, by a jump.
 */
#define IFN_SPANS_SLOT(slot, name, takes, run)                                                     \
    static ifn_status slot(ifn_backend *self, const ifn_##name##_args *a)                          \
    {                                                                                              \
        if (a->n_spans == 0 || (takes))                                                            \
            return (run)(self, a);                                                                 \
        return ifn_##name##_by_spans(self, a, (run));                                              \
    }

/* Takes the handles out of arguments. */
void ifn_forget_handles(ifn_op op, void *args);

#endif
