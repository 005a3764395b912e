/* The legal calls of opslist on a device: the same tensors in its buffers. */
#ifndef IFN_DEVICE_CALLS_H
#define IFN_DEVICE_CALLS_H

#include <inferno/backend.h>

#include "legal_calls.h"
#include "test.h"

/* All tensors of legal calls lie in these. */
enum { N_MEM = N_OF(mem), N_PLACES = N_MEM + 1 };

typedef struct device {
    ifn_backend *backend;
    void *place[N_PLACES]; /* a buffer for each of mem, and for legal_ids */
} device;

device open_device(const char *expression);
void close_device(device *d);

/* Numbers for every tensor; what is read as blocks may be anything. */
void fill_memory(uint64_t seed);

/* All memory of the host into the buffers. */
void all_in(const device *d);

/* A legal call, and the same call with its tensors in buffers. */
ifn_args call_of(ifn_op op);
ifn_args moved(const device *d, ifn_op op, const ifn_args *host);

/* On both, from the same memory: the same status, and the same bits in all of it. */
void run_both(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host);

/* Or floats that differ by `tolerance` times 1 + |what scalar has|, and no more. */
void run_near(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
              float tolerance);

/* The same with a call on the device that is not just the host's call, moved. */
void run_moved(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
               const ifn_args *there, float tolerance);

#endif
