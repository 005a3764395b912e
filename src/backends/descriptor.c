/* The handshake. It accepts the version fields before it reads anything after them. */
#include "descriptor.h"

#include <stdbool.h>
#include <string.h>

/* The members up to `fill` have been there from the first version on. */
#define DESC_BYTES_MIN offsetof(ifn_backend_desc, usable)

static ifn_status accept_version(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    if (d->abi != IFN_BACKEND_ABI)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "backend '%s': built for ABI %u, this library has %u", label,
                        (unsigned)d->abi, IFN_BACKEND_ABI);
    if (d->abi_minor > IFN_BACKEND_ABI_MINOR)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "backend '%s': needs a newer host: ABI %u.%u, this library has %u.%u",
                        label, (unsigned)d->abi, (unsigned)d->abi_minor, IFN_BACKEND_ABI,
                        IFN_BACKEND_ABI_MINOR);
    if (d->call_bytes < sizeof(uint32_t) * 4) /* earlier layouts had their flags here */
        return ifn_fail(
            err, IFN_ERR_UNSUPPORTED,
            "backend '%s': built with headers from before ABI 2.0 was settled, build it "
            "with those of this library",
            label);
    return IFN_OK;
}

static ifn_status accept_sizes(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    const size_t slot = sizeof(void (*)(void));
    /* Members of later versions are callbacks: the size must hold whole pointers. */
    if (d->desc_bytes < DESC_BYTES_MIN || d->desc_bytes > sizeof *d || d->desc_bytes % slot)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': a descriptor of %u bytes, expected %zu to %zu in steps of "
                        "%zu",
                        label, (unsigned)d->desc_bytes, DESC_BYTES_MIN, sizeof *d, slot);
    if (d->table_bytes < slot || d->table_bytes > sizeof(ifn_op_table) || d->table_bytes % slot)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': a table of %u bytes, expected slots of %zu, %zu at most",
                        label, (unsigned)d->table_bytes, slot, sizeof(ifn_op_table));
    return IFN_OK;
}

/* Refuses a backend that knows larger structs than this library: it was not built with the version it states. */
static ifn_status accept_known(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    if (d->call_bytes > IFN_CALL_BYTES || !d->args_bytes)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': knows %u bytes of a call and %s of arguments, expected %u "
                        "at most, and a table",
                        label, (unsigned)d->call_bytes, d->args_bytes ? "a table" : "no table",
                        (unsigned)IFN_CALL_BYTES);
    for (size_t op = 0; op < d->table_bytes / sizeof(void (*)(void)); op++) {
        const size_t most = ifn_op_args_bytes((ifn_op)op);
        if (d->args_bytes[op] < sizeof(ifn_call) || d->args_bytes[op] > most)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "backend '%s': knows %u bytes of the arguments of %s, expected %zu to "
                            "%zu",
                            label, (unsigned)d->args_bytes[op], ifn_op_name((ifn_op)op),
                            sizeof(ifn_call), most);
    }
    return IFN_OK;
}

static ifn_status accept_name(const char *name, const char *label, ifn_error *err)
{
    if (!name || !*name)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': its descriptor has no name", label);
    if (strpbrk(name, ":="))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': ':' and '=' cannot be in a name",
                        name);
    return IFN_OK;
}

static ifn_status accept_flags(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    if (d->flags & ~(uint32_t)(IFN_BACKEND_WRAPPER | IFN_BACKEND_DEVICE))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend '%s': unknown flags %#x", label,
                        (unsigned)d->flags);
    if (ifn_desc_is_wrapper(d) && ifn_desc_is_device(d))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': is a wrapper and a device, expected one of both", label);
    return IFN_OK;
}

static ifn_status accept_callbacks(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    if (!d->fill)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': fill is NULL", label);
    if (!d->prepare != !d->release)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': %s is NULL, expected prepare and release together", label,
                        d->prepare ? "release" : "prepare");
    if (!d->layout != !d->image || !d->layout != !d->adopt || (d->layout && !d->prepare))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': %s is NULL, expected layout, image, adopt and prepare "
                        "together",
                        label,
                        !d->layout  ? "layout"
                        : !d->image ? "image"
                        : !d->adopt ? "adopt"
                                    : "prepare");
    if (ifn_desc_is_device(d) && !d->buffers)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': a device without buffers", label);
    if (d->synchronize && !ifn_desc_is_device(d))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': has synchronize and is no device, whose calls alone may "
                        "return before they have run",
                        label);
    if (!d->begin != !d->end || (d->begin && !d->synchronize))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': %s is NULL, expected begin, end and synchronize together",
                        label,
                        !d->begin ? "begin"
                        : !d->end ? "end"
                                  : "synchronize");
    return IFN_OK;
}

/* The largest declarations that spec/numerics.md 9 knows. */
static const float most_exp_ulp = 4, most_rsqrt_rel = 0x1p-22f;

static ifn_status accept_estimates(const ifn_manifest *m, const char *label, ifn_error *err)
{
    if (!(m->exp_ulp >= 0 && m->exp_ulp <= most_exp_ulp))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': its manifest declares exp_ulp %g, expected 0 to %g", label,
                        (double)m->exp_ulp, (double)most_exp_ulp);
    if (!(m->rsqrt_rel >= 0 && m->rsqrt_rel <= most_rsqrt_rel))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': its manifest declares rsqrt_rel %g, expected 0 to %g (4u)",
                        label, (double)m->rsqrt_rel, (double)most_rsqrt_rel);
    return IFN_OK;
}

/* Checks that the manifest declares only formats of numerics 9.2, for each op and dtype of this host. */
static ifn_status accept_arithmetic(const ifn_manifest *m, const char *label, ifn_error *err)
{
    for (int i = 0; m->arithmetic && i < IFN_OP_COUNT * IFN_DTYPE_COUNT; i++) {
        const ifn_op op = (ifn_op)(i / IFN_DTYPE_COUNT);
        ifn_arithmetic a = {.arithmetic_bytes = sizeof a};
        m->arithmetic(op, (ifn_dtype)(i % IFN_DTYPE_COUNT), &a);
        const bool is_known = a.inputs <= IFN_ROUND_F16 &&
                              (a.sums == IFN_ROUND_NONE || a.sums == IFN_ROUND_F16) &&
                              a.output <= IFN_ROUND_F16 && a.output != IFN_ROUND_TF32;
        if (!is_known)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "backend '%s': its manifest declares inputs %u, sums %u, output %u of "
                            "%s, expected 0 to 3, 0 or 3, and 0, 2 or 3 (IFN_ROUND_*)",
                            label, (unsigned)a.inputs, (unsigned)a.sums, (unsigned)a.output,
                            ifn_op_name(op));
    }
    return IFN_OK;
}

static ifn_status accept_manifest(const ifn_backend_desc *d, const char *label, ifn_error *err)
{
    if (!d->manifest)
        return IFN_OK;
    const ifn_manifest m = ifn_manifest_of(d);
    if (m.manifest_bytes < sizeof m.manifest_bytes)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': its manifest has manifest_bytes %u, expected %zu", label,
                        (unsigned)m.manifest_bytes, sizeof m);
    if (m.max_overread > IFN_MAX_OVERREAD)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': its manifest declares max_overread %u, expected 0 to %d",
                        label, (unsigned)m.max_overread, IFN_MAX_OVERREAD);
    IFN_TRY(accept_arithmetic(&m, label, err));
    return accept_estimates(&m, label, err);
}

ifn_status ifn_desc_accept(const ifn_backend_desc *given, const char *label, ifn_backend_desc *out,
                           ifn_error *err)
{
    IFN_TRY(accept_version(given, label, err));
    IFN_TRY(accept_sizes(given, label, err));
    IFN_TRY(accept_known(given, label, err));
    IFN_TRY(accept_name(given->name, label, err));
    *out = (ifn_backend_desc){0};
    memcpy(out, given, given->desc_bytes);
    IFN_TRY(accept_flags(out, out->name, err));
    IFN_TRY(accept_callbacks(out, out->name, err));
    return accept_manifest(out, out->name, err);
}
