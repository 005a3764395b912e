/* The legal calls of opslist on a device, with their tensors copied to its buffers. */
#ifndef IFN_DEVICE_CALLS_H
#define IFN_DEVICE_CALLS_H

#include <inferno/backend.h>

#include "legal_calls.h"
#include "test.h"

/* The memories that hold all tensors of legal calls: those of `mem`, and legal_ids. */
enum { N_MEM = N_OF(mem), N_PLACES = N_MEM + 1 };

typedef struct device {
    ifn_backend *backend;
    void *place[N_PLACES]; /* a buffer for each of mem, and for legal_ids */
} device;

device open_device(const char *expression);
void close_device(device *d);

/* Fills `mem` with numbers for every tensor; the bytes of blocks may be anything. */
void fill_memory(uint64_t seed);

/* Copies all of `mem` and legal_ids to the buffers. */
void all_in(const device *d);

/* A legal call, and the same call with its tensors in buffers. */
ifn_args call_of(ifn_op op);
ifn_args moved(const device *d, ifn_op op, const ifn_args *host);

/* Runs a call on both from the same memory; expects the same status, and the same bits in all memory afterwards. */
void run_both(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host);

/* The same, but floats may differ by `tolerance` times (1 + |scalar's result|). */
void run_near(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
              float tolerance);

/* The same with a call on the device, `there`, that is more than the host's call with its tensors moved. */
void run_moved(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
               const ifn_args *there, float tolerance);

#endif
