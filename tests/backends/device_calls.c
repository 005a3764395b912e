#include "device_calls.h"

#include <math.h>
#include <string.h>

#include <inferno/signature_values.h>

static void *host_of(int i, size_t *bytes)
{
    *bytes = i < N_MEM ? sizeof mem[0] : sizeof legal_ids;
    return i < N_MEM ? (void *)mem[i] : (void *)legal_ids;
}

device open_device(const char *expression)
{
    device d;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &d.backend, &err), err);
    for (int i = 0; i < N_PLACES; i++) {
        size_t bytes;
        (void)host_of(i, &bytes);
        d.place[i] = d.backend->buffers->alloc(d.backend->buffers->cookie, bytes, 64);
        assert_non_null(d.place[i]);
    }
    return d;
}

void close_device(device *d)
{
    for (int i = 0; i < N_PLACES; i++) {
        size_t bytes;
        (void)host_of(i, &bytes);
        d->backend->buffers->free(d->backend->buffers->cookie, d->place[i], bytes);
    }
    ifn_backend_close(d->backend);
}

void all_in(const device *d)
{
    for (int i = 0; i < N_PLACES; i++) {
        ifn_copy_in_args a = IFN_ARGS(copy_in, .out = d->place[i]);
        a.host = host_of(i, &a.bytes);
        assert_int_equal(ifn_copy_in(d->backend, &a), IFN_OK);
    }
}

/* Expects the contents of the host's memory in the device's buffers: the same bits, or floats within `tolerance`. */
static void expect_near(const device *d, ifn_op op, float tolerance)
{
    static float got[MEM_FLOATS];
    for (int i = 0; i < N_PLACES; i++) {
        ifn_copy_out_args a = IFN_ARGS(copy_out, .host = got, .x = d->place[i]);
        const float *const want = host_of(i, &a.bytes);
        assert_int_equal(ifn_copy_out(d->backend, &a), IFN_OK);
        for (size_t k = 0; k < a.bytes / sizeof *got; k++)
            assert_that(memcmp(&got[k], &want[k], sizeof *got) == 0 ||
                            fabsf(got[k] - want[k]) <= tolerance * (1.0f + fabsf(want[k])),
                        "%s: buffer %d is not as on the host, which has %a at %zu, not %a",
                        ifn_op_name(op), i, (double)want[k], k, (double)got[k]);
    }
}

static const void *on_device(const device *d, const void *host)
{
    for (int i = 0; i < N_PLACES; i++) {
        size_t bytes;
        const char *const begin = host_of(i, &bytes);
        if ((const char *)host >= begin && (const char *)host < begin + bytes)
            return (char *)d->place[i] + ((const char *)host - begin);
    }
    return host;
}

/* The same call, its tensors in buffers. */
ifn_args moved(const device *d, ifn_op op, const ifn_args *host)
{
    ifn_args out = *host;
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; k < s.args[i].count; k++) {
            const size_t at = s.args[i].offset + (size_t)k * sizeof(void *);
            const void *p;
            if (!ifn_arg_is_tensor(&s.args[i]) || s.args[i].is_host)
                continue;
            p = on_device(d, ifn_arg_pointer(&s.args[i], &host->call, k));
            memcpy(out.room + at, &p, sizeof p);
        }
    return out;
}

/* Writes floats to all of `mem`; the bytes of blocks may be anything. */
void fill_memory(uint64_t seed)
{
    for (int i = 0; i < N_MEM; i++)
        for (int k = 0; k < MEM_FLOATS; k++)
            mem[i][k] = (float)((int)(seed = seed * 6364136223846793005u + 1442695040888963407u,
                                      seed >> 40) -
                                (1 << 23)) *
                        0x1p-23f;
}

ifn_args call_of(ifn_op op)
{
    ifn_args args = legal_call(op);
    if (op == IFN_OP_ATTENTION)
        args.attention.scale = 0.25f;
    return args;
}

void run_moved(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
               const ifn_args *there, float tolerance)
{
    all_in(d);
    const ifn_status want = ifn_op_run(scalar, op, &host->call);
    assert_int_equal(ifn_op_run(d->backend, op, &there->call), want);
    expect_near(d, op, tolerance);
}

void run_near(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host,
              float tolerance)
{
    const ifn_args there = moved(d, op, host);
    run_moved(d, scalar, op, host, &there, tolerance);
}

void run_both(const device *d, ifn_backend *scalar, ifn_op op, const ifn_args *host)
{
    run_near(d, scalar, op, host, 0.0f);
}
