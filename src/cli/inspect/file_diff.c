#include "file_diff.h"
#include "tensor_dims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- metadata --- */

static bool are_same_strings(const file_diff *self, const ifn_gguf_kv *a, const ifn_gguf_kv *b)
{
    uint64_t at = 0, bt = 0;
    for (uint64_t i = 0; i < a->count; i++) {
        const ifn_string x = ifn_gguf_next_string(self->a, a, &at),
                         y = ifn_gguf_next_string(self->b, b, &bt);
        if (x.bytes != y.bytes || memcmp(x.data, y.data, x.bytes) != 0)
            return false;
    }
    return true;
}

/* Compares values. Strings are compared as text, as GGUF versions encode their lengths differently. */
static bool are_same_values(const file_diff *self, const ifn_gguf_kv *a, const ifn_gguf_kv *b)
{
    if (a->type != b->type || a->element_type != b->element_type || a->count != b->count)
        return false;
    if (a->element_type == IFN_GGUF_STRING)
        return are_same_strings(self, a, b);
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
}

static const ifn_gguf_kv *find_key(const ifn_gguf *gguf, const ifn_gguf_kv *like)
{
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++) {
        const ifn_gguf_kv *const entry = ifn_gguf_kv_at(gguf, i);
        if (entry->key.bytes == like->key.bytes &&
            memcmp(entry->key.data, like->key.data, entry->key.bytes) == 0)
            return entry;
    }
    return NULL;
}

static void compare_keys(file_diff *self)
{
    for (uint64_t i = 0; i < ifn_gguf_n_kv(self->a); i++) {
        const ifn_gguf_kv *const a = ifn_gguf_kv_at(self->a, i), *const b = find_key(self->b, a);
        if (b && are_same_values(self, a, b))
            self->n_same_keys++;
        else
            self->keys[self->n_keys++] = (key_difference){a, b};
    }
    for (uint64_t i = 0; i < ifn_gguf_n_kv(self->b); i++) {
        const ifn_gguf_kv *const b = ifn_gguf_kv_at(self->b, i);
        if (!find_key(self->a, b))
            self->keys[self->n_keys++] = (key_difference){NULL, b};
    }
}

/* --- tensors --- */

/* The comparison of one tensor of both files. */
typedef struct comparison {
    tensor_difference *d;
    tensor_scan *other;
    float *values; /* a row of the other */
    ifn_status status;
    ifn_error *err;
    double squares, squares_of_a;
    uint64_t n;
} comparison;

static void compare_element(comparison *c, int64_t row, int64_t i, float x, float y)
{
    tensor_difference *const d = c->d;
    c->squares_of_a += (double)x * (double)x;
    if (memcmp(&x, &y, sizeof x) == 0 || x == y || (isnan(x) && isnan(y)))
        return;
    const double apart = fabs((double)x - (double)y);
    d->n_different++;
    c->squares += apart * apart;
    /* a NaN against a number counts as the largest difference */
    if (!isnan(d->largest) && !(apart <= d->largest)) {
        d->largest = apart;
        d->row = row;
        d->element = i;
    }
}

static void compare_row(void *cookie, int64_t row, const float *values, int64_t cols)
{
    comparison *const c = cookie;
    if (c->status != IFN_OK)
        return;
    c->status = tensor_scan_row(c->other, c->d->b, row, c->values, c->err);
    for (int64_t i = 0; c->status == IFN_OK && i < cols; i++)
        compare_element(c, row, i, values[i], c->values[i]);
    c->n += (uint64_t)cols;
}

static bool are_alike(const ifn_tensor *a, const ifn_tensor *b)
{
    return a->n_dims == b->n_dims &&
           memcmp(a->shape, b->shape, (size_t)a->n_dims * sizeof *a->shape) == 0;
}

static ifn_status compare_values(tensor_difference *d, tensor_scan *own, tensor_scan *other,
                                 ifn_error *err)
{
    const int64_t cols = tensor_row_length(&d->a->view);
    comparison c = {.d = d,
                    .other = other,
                    .values = malloc((size_t)(cols > 0 ? cols : 1) * sizeof(float)),
                    .err = err};
    if (!c.values)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for a row", d->a->view.name);
    ifn_status status = tensor_scan_rows(own, d->a, compare_row, &c, err);
    status = status == IFN_OK ? c.status : status;
    free(c.values);
    d->has_values = true;
    d->rms = c.n ? sqrt(c.squares / (double)c.n) : 0.0;
    d->rms_of_a = c.n ? sqrt(c.squares_of_a / (double)c.n) : 0.0;
    return status;
}

static ifn_status compare_tensor(file_diff *self, const ifn_gguf_tensor *a, tensor_scan *own,
                                 tensor_scan *other, ifn_error *err)
{
    tensor_difference *const d = &self->tensors[self->n_tensors];
    *d = (tensor_difference){.a = a, .b = ifn_gguf_find_tensor(self->b, a->view.name)};
    if (d->b && a->known && d->b->known && are_alike(&a->view, &d->b->view))
        IFN_TRY(compare_values(d, own, other, err));
    const bool is_same = d->has_values && d->n_different == 0 && a->gguf_type == d->b->gguf_type;
    self->n_same_tensors += is_same;
    self->n_tensors += !is_same;
    return IFN_OK;
}

static ifn_status compare_tensors(file_diff *self, const inspection *a, tensor_scan *own,
                                  tensor_scan *other, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->a); i++)
        if (inspection_shows(a, ifn_gguf_tensor_at(self->a, i)))
            IFN_TRY(compare_tensor(self, ifn_gguf_tensor_at(self->a, i), own, other, err));
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->b); i++) {
        const ifn_gguf_tensor *const b = ifn_gguf_tensor_at(self->b, i);
        if (inspection_shows(a, b) && !ifn_gguf_find_tensor(self->a, b->view.name))
            self->tensors[self->n_tensors++] = (tensor_difference){.b = b};
    }
    return IFN_OK;
}

static ifn_status scan_both(file_diff *self, const inspection *a, progress *bar, ifn_error *err)
{
    progress nobody;
    tensor_scan own, other;
    progress_init(&nobody, "", NULL);
    IFN_TRY(tensor_scan_open(&own, self->a, bar, err));
    ifn_status status = tensor_scan_open(&other, self->b, &nobody, err);
    own.all_bytes = a->tensor_bytes;
    if (status == IFN_OK)
        status = compare_tensors(self, a, &own, &other, err);
    tensor_scan_close(&own);
    tensor_scan_close(&other);
    return status;
}

ifn_status file_diff_run(file_diff *self, const inspection *a, const ifn_gguf *b, progress *bar,
                         ifn_error *err)
{
    const size_t n_keys = (size_t)(ifn_gguf_n_kv(a->gguf) + ifn_gguf_n_kv(b)),
                 n_tensors = (size_t)(ifn_gguf_n_tensors(a->gguf) + ifn_gguf_n_tensors(b));
    *self = (file_diff){.a = a->gguf,
                        .b = b,
                        .keys = calloc(n_keys + 1, sizeof *self->keys),
                        .tensors = calloc(n_tensors + 1, sizeof *self->tensors)};
    if (!self->keys || !self->tensors)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for a list of differences",
                        ifn_gguf_path(b));
    compare_keys(self);
    return scan_both(self, a, bar, err);
}

void file_diff_free(file_diff *self)
{
    free(self->keys);
    free(self->tensors);
    *self = (file_diff){0};
}

bool file_diff_is_empty(const file_diff *self)
{
    return self->n_keys == 0 && self->n_tensors == 0;
}
