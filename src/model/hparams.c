#include "hparams.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_BYTES = 128 };

/* Larger than any real model, small enough that a product of two never overflows. */
#define MAX_EXTENT ((uint64_t)1 << 30)

typedef struct reader {
    const ifn_gguf *gguf;
    const char *prefix;
    ifn_error *err;
} reader;

static const char *full_key(const reader *r, const char *key, char out[KEY_BYTES])
{
    snprintf(out, KEY_BYTES, "%s.%s", r->prefix, key);
    return out;
}

static int has(const reader *r, const char *key)
{
    char full[KEY_BYTES];
    return ifn_gguf_find(r->gguf, full_key(r, key, full)) != NULL;
}

/* Reads a count that must be present and at least 1. */
static ifn_status read_extent(const reader *r, const char *key, int64_t *out)
{
    char full[KEY_BYTES];
    uint64_t value;
    IFN_TRY(ifn_gguf_get_uint(r->gguf, full_key(r, key, full), UINT32_MAX, &value, r->err));
    if (value < 1 || (value > MAX_EXTENT && strcmp(key, "context_length") != 0))
        return ifn_fail(r->err, IFN_ERR_FORMAT, "%s: %s: found %llu, expected 1 .. %llu",
                        ifn_gguf_path(r->gguf), full, (unsigned long long)value,
                        (unsigned long long)MAX_EXTENT);
    *out = (int64_t)value;
    return IFN_OK;
}

static ifn_status read_extent_or(const reader *r, const char *key, int64_t fallback, int64_t *out)
{
    *out = fallback;
    return has(r, key) ? read_extent(r, key, out) : IFN_OK;
}

static ifn_status read_positive(const reader *r, const char *key, int zero_is_fine, double *out)
{
    char full[KEY_BYTES];
    IFN_TRY(ifn_gguf_get_float(r->gguf, full_key(r, key, full), out, r->err));
    if (!isfinite(*out) || *out < 0 || (*out == 0 && !zero_is_fine))
        return ifn_fail(r->err, IFN_ERR_FORMAT, "%s: %s: found %g, expected a positive number",
                        ifn_gguf_path(r->gguf), full, *out);
    return IFN_OK;
}

static ifn_status expect_equal(const reader *r, const char *key, int64_t found, int64_t expected)
{
    if (found == expected)
        return IFN_OK;
    return ifn_fail(r->err, IFN_ERR_UNSUPPORTED, "%s: %s.%s: found %lld, expected %lld",
                    ifn_gguf_path(r->gguf), r->prefix, key, (long long)found, (long long)expected);
}

static ifn_status read_shapes(const reader *r, ifn_hparams *h)
{
    int64_t value_length, rope_dims;
    IFN_TRY(read_extent(r, "context_length", &h->n_ctx_train));
    IFN_TRY(read_extent(r, "embedding_length", &h->n_embd));
    IFN_TRY(read_extent(r, "feed_forward_length", &h->n_ff));
    IFN_TRY(read_extent(r, "block_count", &h->n_layers));
    IFN_TRY(read_extent(r, "attention.head_count", &h->n_heads));
    IFN_TRY(read_extent_or(r, "attention.head_count_kv", h->n_heads, &h->n_kv_heads));
    if (h->n_heads % h->n_kv_heads != 0)
        return ifn_fail(r->err, IFN_ERR_FORMAT,
                        "%s: %s.attention.head_count_kv: found %lld, expected a divisor of "
                        "head_count %lld",
                        ifn_gguf_path(r->gguf), r->prefix, (long long)h->n_kv_heads,
                        (long long)h->n_heads);
    if (!has(r, "attention.key_length") && h->n_embd % h->n_heads != 0)
        return ifn_fail(r->err, IFN_ERR_FORMAT,
                        "%s: %s.attention.head_count: found %lld, expected a divisor of "
                        "embedding_length %lld",
                        ifn_gguf_path(r->gguf), r->prefix, (long long)h->n_heads,
                        (long long)h->n_embd);
    IFN_TRY(read_extent_or(r, "attention.key_length", h->n_embd / h->n_heads, &h->head_dim));
    IFN_TRY(read_extent_or(r, "attention.value_length", h->head_dim, &value_length));
    IFN_TRY(expect_equal(r, "attention.value_length", value_length, h->head_dim));
    IFN_TRY(read_extent_or(r, "rope.dimension_count", h->head_dim, &rope_dims));
    IFN_TRY(expect_equal(r, "rope.dimension_count", rope_dims, h->head_dim));
    if (h->head_dim % 2 != 0)
        return ifn_fail(r->err, IFN_ERR_UNSUPPORTED,
                        "%s: %s.attention.key_length: found %lld, expected an even number",
                        ifn_gguf_path(r->gguf), r->prefix, (long long)h->head_dim);
    return IFN_OK;
}

/* Refuses, by name, scaling methods that would change every angle: ignoring one would give wrong results. */
static ifn_status refuse_rope_scaling(const reader *r)
{
    char full[KEY_BYTES];
    if (has(r, "rope.scaling.type")) {
        ifn_string type;
        IFN_TRY(
            ifn_gguf_get_string(r->gguf, full_key(r, "rope.scaling.type", full), &type, r->err));
        if (!(type.bytes == 4 && memcmp(type.data, "none", 4) == 0))
            return ifn_fail(r->err, IFN_ERR_UNSUPPORTED,
                            "%s: %s: found '%.*s', expected none (scaled positions are not "
                            "implemented)",
                            ifn_gguf_path(r->gguf), full, (int)(type.bytes < 40 ? type.bytes : 40),
                            type.data);
    }
    if (has(r, "rope.scale_linear")) {
        double factor;
        IFN_TRY(read_positive(r, "rope.scale_linear", 0, &factor));
        if (factor != 1.0)
            return ifn_fail(r->err, IFN_ERR_UNSUPPORTED,
                            "%s: %s.rope.scale_linear: found %g, expected 1 (scaled positions are "
                            "not implemented)",
                            ifn_gguf_path(r->gguf), r->prefix, factor);
    }
    return IFN_OK;
}

static ifn_status refuse_experts(const reader *r)
{
    char full[KEY_BYTES];
    uint64_t n = 0;
    if (!has(r, "expert_count"))
        return IFN_OK;
    IFN_TRY(ifn_gguf_get_uint(r->gguf, full_key(r, "expert_count", full), UINT32_MAX, &n, r->err));
    if (n > 0)
        return ifn_fail(r->err, IFN_ERR_UNSUPPORTED,
                        "%s: %s: found %llu, expected 0 (mixtures of experts are not implemented)",
                        ifn_gguf_path(r->gguf), full, (unsigned long long)n);
    return IFN_OK;
}

static ifn_status read_arch(const ifn_gguf *gguf, const ifn_arch **arch, ifn_error *err)
{
    ifn_string name;
    IFN_TRY(ifn_gguf_get_string(gguf, "general.architecture", &name, err));
    *arch = ifn_arch_find(name);
    if (!*arch)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "%s: general.architecture: found '%.*s', expected one of: %s",
                        ifn_gguf_path(gguf), (int)(name.bytes < 40 ? name.bytes : 40), name.data,
                        ifn_arch_names());
    return IFN_OK;
}

ifn_status ifn_hparams_read(const ifn_gguf *gguf, const ifn_arch **arch, ifn_hparams *out,
                            ifn_error *err)
{
    double eps;
    IFN_TRY(read_arch(gguf, arch, err));
    const reader r = {gguf, (*arch)->name, err};
    *out = (ifn_hparams){
        .arch = (*arch)->name, .rope_theta = 10000.0, .rope_pairing = (*arch)->rope_pairing};
    IFN_TRY(refuse_experts(&r));
    IFN_TRY(read_shapes(&r, out));
    IFN_TRY(refuse_rope_scaling(&r));
    IFN_TRY(read_positive(&r, "attention.layer_norm_rms_epsilon", 1, &eps));
    out->rms_eps = (float)eps;
    return has(&r, "rope.freq_base") ? read_positive(&r, "rope.freq_base", 0, &out->rope_theta)
                                     : IFN_OK;
}
