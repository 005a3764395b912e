/*
 * Reads forward through untrusted bytes. Before it reads, every take checks `n > bytes - at`, which
 * cannot wrap around.
 */
#include "gguf_priv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "bytes.h"
#include "checked.h"

/* The name is in brackets so that the analyser's macro of the same name does not expand. */
ifn_status(ifn_gguf_fail)(const ifn_gguf_cursor *c, ifn_error *err, uint64_t offset,
                          const char *format, ...)
{
    char reason[160];
    va_list args;
    va_start(args, format);
    if (vsnprintf(reason, sizeof reason, format, args) < 0)
        reason[0] = '\0';
    va_end(args);
    const int shown = c->where.bytes < 64 ? (int)c->where.bytes : 64;
    return ifn_fail_at(err, IFN_ERR_FORMAT, offset, "%s: %.*s%s%s", c->label, shown,
                       shown ? c->where.data : "", shown ? ": " : "", reason);
}

ifn_status ifn_gguf_take(ifn_gguf_cursor *c, uint64_t bytes, const char *what, const uint8_t **out,
                         ifn_error *err)
{
    *out = NULL;
    const uint64_t left = c->bytes - c->at;
    if (bytes > left)
        return ifn_gguf_fail(c, err, c->at,
                             "truncated: found %" PRIu64 " bytes at byte %" PRIu64
                             ", expected %s of %" PRIu64,
                             left, c->at, what, bytes);
    *out = c->data + c->at;
    c->at += bytes;
    return IFN_OK;
}

ifn_status ifn_gguf_take_u32(ifn_gguf_cursor *c, const char *what, uint32_t *out, ifn_error *err)
{
    const uint8_t *p;
    IFN_TRY(ifn_gguf_take(c, sizeof *out, what, &p, err));
    *out = ifn_load_u32le(p);
    return IFN_OK;
}

ifn_status ifn_gguf_take_u64(ifn_gguf_cursor *c, const char *what, uint64_t *out, ifn_error *err)
{
    const uint8_t *p;
    IFN_TRY(ifn_gguf_take(c, sizeof *out, what, &p, err));
    *out = ifn_load_u64le(p);
    return IFN_OK;
}

ifn_status ifn_gguf_take_length(ifn_gguf_cursor *c, const char *what, uint64_t *out, ifn_error *err)
{
    if (c->length_bytes == 8)
        return ifn_gguf_take_u64(c, what, out, err);
    uint32_t narrow;
    IFN_TRY(ifn_gguf_take_u32(c, what, &narrow, err));
    *out = narrow;
    return IFN_OK;
}

ifn_status ifn_gguf_take_string(ifn_gguf_cursor *c, const char *what, ifn_string *out,
                                ifn_error *err)
{
    uint64_t bytes;
    const uint8_t *p;
    IFN_TRY(ifn_gguf_take_length(c, what, &bytes, err));
    IFN_TRY(ifn_gguf_take(c, bytes, what, &p, err));
    *out = (ifn_string){(const char *)p, (size_t)bytes};
    return IFN_OK;
}

ifn_status ifn_gguf_take_type(ifn_gguf_cursor *c, ifn_gguf_type *out, ifn_error *err)
{
    uint32_t number;
    IFN_TRY(ifn_gguf_take_u32(c, "a value type", &number, err));
    if (!ifn_gguf_is_value_type(number))
        return ifn_gguf_fail(c, err, c->at - sizeof number,
                             "value type: found %" PRIu32 ", expected 0 to %d", number,
                             (int)IFN_GGUF_FLOAT64);
    *out = (ifn_gguf_type)number;
    return IFN_OK;
}

static ifn_status skip_scalars(ifn_gguf_cursor *c, ifn_gguf_type type, uint64_t count,
                               ifn_error *err)
{
    uint64_t bytes;
    const uint8_t *p;
    if (!ifn_mul_u64(count, ifn_gguf_value_bytes(type), &bytes))
        bytes = UINT64_MAX;
    IFN_TRY(ifn_gguf_take(c, bytes, "values", &p, err));
    /* The format forbids any other byte, and in C a bool with another value is undefined behaviour. */
    for (uint64_t i = 0; type == IFN_GGUF_BOOL && i < count; i++)
        if (p[i] > 1)
            return ifn_gguf_fail(c, err, c->at - count + i, "bool: found %d, expected 0 or 1",
                                 p[i]);
    return IFN_OK;
}

static ifn_status skip_array(ifn_gguf_cursor *c, int depth, ifn_error *err)
{
    ifn_gguf_type type = IFN_GGUF_UINT8;
    uint64_t count;
    if (depth == 0)
        return ifn_gguf_fail(c, err, c->at, "arrays nested deeper than %d", IFN_GGUF_MAX_DEPTH);
    IFN_TRY(ifn_gguf_take_type(c, &type, err));
    IFN_TRY(ifn_gguf_take_length(c, "an array count", &count, err));
    return ifn_gguf_skip_values(c, type, count, depth - 1, err);
}

/* A huge `count` cannot loop for long: every string and array takes at least the bytes of its length, so the
 * loop fails at the end of the file. */
ifn_status ifn_gguf_skip_values(ifn_gguf_cursor *c, ifn_gguf_type type, uint64_t count, int depth,
                                ifn_error *err)
{
    ifn_string string;
    if (type != IFN_GGUF_STRING && type != IFN_GGUF_ARRAY)
        return skip_scalars(c, type, count, err);
    for (uint64_t i = 0; i < count; i++) {
        if (type == IFN_GGUF_STRING)
            IFN_TRY(ifn_gguf_take_string(c, "a string", &string, err));
        else
            IFN_TRY(skip_array(c, depth, err));
    }
    return IFN_OK;
}
