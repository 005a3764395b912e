/* Backends that compute nothing. The status that an op returns tells which backend was called. */
#ifndef IFN_FAKES_H
#define IFN_FAKES_H

#include <inferno/backend.h>

#include "registry.h"

/* The statuses that the ops of each fake return. The root has every op; fake_simd has silu and linear. */
#define FROM_ROOT IFN_OK
#define FROM_SIMD IFN_ERR_FORMAT
#define FROM_MINE IFN_ERR_IO

extern const ifn_backend_desc fake_root;     /* "scalar" */
extern const ifn_backend_desc fake_simd;     /* "simd": leaf; asks for scratch and for granules */
extern const ifn_backend_desc fake_mine;     /* "mine": leaf with the op add, usable if cpu != 0 */
extern const ifn_backend_desc fake_parallel; /* "parallel": wrapper, lanes = threads or 4 */
extern const ifn_backend_desc fake_trace;    /* "trace": wrapper of add with a state */
extern const ifn_backend_desc fake_split;    /* "split": as fake_parallel; tells its threads */
extern const ifn_backend_desc fake_check;    /* "check": wrapper of nothing */

/* All of them but fake_mine, as a registry. */
extern const ifn_registry fake_registry;

/* The log of open and close of the fake wrappers and of fake_trace's add, one line each: "open trace 4
 * [options]", "close trace", "add trace". */
extern char fake_journal[512];
void fake_journal_clear(void);

/* The status that stateful fakes fail to open with; IFN_OK: they open. */
extern ifn_status fake_open_status;

#define FAKE_SIMD_SCRATCH 100
#define FAKE_SIMD_GRANULE 32

#endif
