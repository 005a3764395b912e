/*
 * A wrapper that passes every call on unchanged and shows it to two hooks, together with its purpose: the layer and
 * the point of the graph, named as by conform_truth_sink. It has no arithmetic, scratch, declarations or handles of
 * its own, so the inner backend runs as it does alone. If the inner backend is a device, the hooks see images of its
 * buffers in host memory (mirror.h).
 */
#ifndef CONFORM_TAP_H
#define CONFORM_TAP_H

#include <stdbool.h>

#include "tap_outputs.h"

/* Both hooks may be NULL. Without a `before` hook the tap does not read inputs from a device, as an input may be a
 * whole cache and every read waits for the device. */
typedef struct tap_hooks {
    void *cookie;
    void (*before)(void *cookie, const tap_call *call);
    /* The call returns what this hook returns. The hook may write to outputs. */
    ifn_status (*after)(void *cookie, const tap_call *call, ifn_status status);
    /* While *is_mute is true, the tap shows calls but does not make them; the hooks write their outputs. May be NULL.
     * */
    const bool *is_mute;
    bool writes_nothing; /* hooks do not write to outputs, so images need not be copied back */
} tap_hooks;

/**
 * Opens a tap around `inner`. Borrows `inner` and the model; close it by ifn_backend_close before either. Its contexts
 * must run one at a time.
 *
 * model  the model whose graphs run on the tap, and whose tensors the calls read
 * Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_tap_open(ifn_backend *inner, const ifn_model *model,
                                          const tap_hooks *hooks, ifn_backend **out,
                                          ifn_error *err);

/* Sets the position of the sequence at which the next pass begins; later passes follow it. Must be called before every
 * eval that does not continue the last one: a new context, a rewind, any eval without a cache, which begins at 0. */
void conform_tap_seek(ifn_backend *tap, int64_t position);

#endif
