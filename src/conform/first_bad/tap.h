/*
 * A backend that hands every call on as it came and has two hooks look at it, together with what
 * the call is for: the layer and the point of the graph that conform_truth_sink names. It has no
 * arithmetic, scratch, declarations or handles of its own, so what is inside runs as it does alone.
 * Of a device inside, the hooks see the buffers as images in memory of the host (mirror.h).
 */
#ifndef CONFORM_TAP_H
#define CONFORM_TAP_H

#include <stdbool.h>

#include "tap_outputs.h"

/* Either may be NULL. Of a device only outputs are shown where nothing looks `before`: an input may be
 * a whole cache, and every look at one is a wait. */
typedef struct tap_hooks {
    void *cookie;
    void (*before)(void *cookie, const tap_call *call);
    /* What it returns is what the call returns; outputs may be written to. */
    ifn_status (*after)(void *cookie, const tap_call *call, ifn_status status);
    /* While it is true calls are shown and not made: what they write, the hooks write. */
    const bool *is_mute;
    bool writes_nothing; /* to outputs: they need not go back */
} tap_hooks;

/**
 * Opens a tap around `inner`, which it borrows, as it does the model. To be closed by
 * ifn_backend_close before either. Its contexts run one at a time.
 *
 * model  whose graphs will be run on it: whose tensors calls read
 * Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_tap_open(ifn_backend *inner, const ifn_model *model,
                                          const tap_hooks *hooks, ifn_backend **out,
                                          ifn_error *err);

/* The next pass begins at this position, later ones after it: before every eval that does not
 * simply go on (a new context, a rewind, any eval without a cache, which begins at 0). */
void conform_tap_seek(ifn_backend *tap, int64_t position);

#endif
