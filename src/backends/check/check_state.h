/* The state of the wrapper `check`: one record per lane, which only the thread that runs a call on the lane writes. */
#ifndef IFN_CHECK_STATE_H
#define IFN_CHECK_STATE_H

#include <stdbool.h>

#include <inferno/check.h>

enum { CHECK_WEIGHT_BYTES = 64 };

typedef struct check_lane {
    _Alignas(64) uint64_t n_calls;
    char weight[CHECK_WEIGHT_BYTES]; /* the last named tensor that was read; "": none yet */
    bool has_why, has_finding;
    ifn_error why;       /* why the last call failed */
    ifn_error finding;   /* the first result that was not finite */
    uint64_t finding_ns; /* ifn_clock_ns */
} check_lane;

typedef struct check_state {
    const ifn_allocator *alloc;
    int32_t n_lanes;
    int stops; /* check=stop */
    check_lane *lanes;
} check_state;

/* Errors  IFN_ERR_NOMEM */
ifn_status ifn_check_state_open(int32_t n_lanes, int stops, const ifn_allocator *alloc,
                                check_state **out, ifn_error *err);
void ifn_check_state_close(check_state *self); /* NULL is fine */

/* Called before each call: returns the status of ifn_op_check, or refuses an unknown lane. `device`: the device
 * whose buffers the call uses, NULL for host memory. */
ifn_status ifn_check_state_before(check_state *self, ifn_backend *device, ifn_op op,
                                  const ifn_call *args);

/* Called after each call that succeeded: scans its results. `inner`: the name of the backend that ran it; `device` as
 * above. */
ifn_status ifn_check_state_after(check_state *self, const char *inner, ifn_backend *device,
                                 ifn_op op, const ifn_call *args);

/* Explains why a call failed, once per failure; and returns the earliest finding of all lanes, with its time. Both
 * return 1, or 0 if there is none. */
int ifn_check_state_explain(check_state *self, ifn_error *err);
int ifn_check_state_finding(const check_state *self, ifn_error *out, uint64_t *when_ns);

extern const ifn_backend_desc ifn_backend_check;

#endif
