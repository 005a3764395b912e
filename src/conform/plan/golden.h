/*
 * The entries of a spec as calls, counted from 1. A golden entry gives inputs and results; a refuse
 * entry changes the spec's legal call in one thing. Tensors are found by name, so modules need
 * nothing of their own for them.
 */
#ifndef CONFORM_GOLDEN_H
#define CONFORM_GOLDEN_H

#include <stdbool.h>

#include "module.h"
#include "spec.h"

/*
 * The case of a golden entry. Sizes are those the entry names, else those of its lists by the
 * shapes of the args, else 0. IFN_ERR_FORMAT: a tensor has another number of values than its shape.
 */
IFN_NODISCARD ifn_status conform_golden_case(const spec_op *spec, uint32_t index, conform_case *out,
                                             ifn_error *err);

/* Its inputs, in place of module->fill. IFN_ERR_FORMAT: an input is not written down. */
IFN_NODISCARD ifn_status conform_golden_fill(const conform_layout *l, const spec_entry *entry,
                                             void *const *data, ifn_error *err);

/* What the entry says tensor i is afterwards; NULL: nothing. */
const spec_values *conform_golden_want(const conform_layout *l, int i, const spec_entry *entry);

/*
 * 1 if `got` is what is written: the same bits, or within the bounds of `truth` where it has some
 * (the decimals of the entry may be rounded: 2^-46 relative). Else 0, and `err` says where not.
 * may_skip: what the truth leaves out may be anything, as it is beyond a declared format.
 */
int conform_golden_holds(const conform_tensor *t, const spec_values *want, const void *got,
                         const conform_truth *truth, bool may_skip, ifn_error *err);

/* 1 if the oracle found what is written. */
int conform_golden_confirms(const conform_tensor *t, const spec_values *want,
                            const conform_truth *truth, ifn_error *err);

/* The legal call that refuse entries change: its case; layout and fill are the module's. */
conform_case conform_refuse_case(const spec_op *spec, uint32_t index);

/* Binds the legal call's buffers, with the change of the entry. */
IFN_NODISCARD ifn_status conform_refuse_bind(const spec_op *spec, const conform_case *legal,
                                             const conform_layout *l, void *const *data,
                                             conform_call *call, ifn_error *err);

/* What is changed beside what an entry says. */
typedef struct conform_beside {
    uint32_t entry; /* what another entry says; 0: none */
    int dim;        /* of `size`, whatever the entries say; -1: none */
    int64_t size;
    int dtype; /* in the place of the one that the entry names; -1: none */
} conform_beside;

IFN_NODISCARD ifn_status conform_refuse_bind_beside(const spec_op *spec, const conform_case *legal,
                                                    const conform_beside *beside,
                                                    const conform_layout *l, void *const *data,
                                                    conform_call *call, ifn_error *err);

#endif
