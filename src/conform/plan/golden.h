/*
 * Makes calls from the golden and refuse entries of a spec, which are counted from 1. A golden entry gives inputs
 * and results; a refuse entry changes one thing in the spec's legal call. Tensors are found by name, so the op's
 * module needs no code for either.
 */
#ifndef CONFORM_GOLDEN_H
#define CONFORM_GOLDEN_H

#include <stdbool.h>

#include "module.h"
#include "spec.h"

/*
 * The case of a golden entry. A size is the one that the entry names, else the one that follows from its lists and
 * the shapes of the args, else 0. IFN_ERR_FORMAT: a tensor has another number of values than its shape.
 */
IFN_NODISCARD ifn_status conform_golden_case(const spec_op *spec, uint32_t index, conform_case *out,
                                             ifn_error *err);

/* Fills the inputs from the entry, in place of module->fill. IFN_ERR_FORMAT: the entry lacks an input. */
IFN_NODISCARD ifn_status conform_golden_fill(const conform_layout *l, const spec_entry *entry,
                                             void *const *data, ifn_error *err);

/* The values that the entry gives for tensor i after the call; NULL: it gives none. */
const spec_values *conform_golden_want(const conform_layout *l, int i, const spec_entry *entry);

/*
 * 1 if `got` is what the entry says: the same bits, or within the bounds of `truth` if it has any
 * (the decimals of the entry may be rounded: 2^-46 relative). Else 0, and `err` says where it differs.
 * may_skip: elements that the truth skips may have any value, because they lie beyond a declared format.
 */
int conform_golden_holds(const conform_tensor *t, const spec_values *want, const void *got,
                         const conform_truth *truth, bool may_skip, ifn_error *err);

/* 1 if the oracle's truth is what the entry says. */
int conform_golden_confirms(const conform_tensor *t, const spec_values *want,
                            const conform_truth *truth, ifn_error *err);

/* The case of the legal call that refuse entries change; its layout and fill are the module's. */
conform_case conform_refuse_case(const spec_op *spec, uint32_t index);

/* Binds the buffers of the legal call and applies the change of the entry. */
IFN_NODISCARD ifn_status conform_refuse_bind(const spec_op *spec, const conform_case *legal,
                                             const conform_layout *l, void *const *data,
                                             conform_call *call, ifn_error *err);

/* A second change of the legal call, next to that of the entry. */
typedef struct conform_beside {
    uint32_t entry; /* another entry, whose change is applied as well; 0: none */
    int dim;        /* the dimension that is set to `size`, whatever the entries say; -1: none */
    int64_t size;
    int dtype; /* replaces the dtype that the entry names; -1: none */
} conform_beside;

IFN_NODISCARD ifn_status conform_refuse_bind_beside(const spec_op *spec, const conform_case *legal,
                                                    const conform_beside *beside,
                                                    const conform_layout *l, void *const *data,
                                                    conform_call *call, ifn_error *err);

#endif
