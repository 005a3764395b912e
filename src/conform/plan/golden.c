#include "golden.h"
#include "case_call.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arg_fields.h"

static int find_tensor(const conform_layout *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->t[i].name, name) == 0)
            return i;
    return -1;
}

static int find_dim(const conform_module *m, const char *name)
{
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        if (strcmp(m->dim_names[i], name) == 0)
            return i;
    return -1;
}

/* The dtype that the entry gives for `name`, or `otherwise`. */
static ifn_dtype named_dtype(const spec_entry *entry, const char *name, ifn_dtype otherwise)
{
    const spec_values *v = spec_find_values(entry, name);
    ifn_dtype dtype;
    return v && ifn_dtype_from_name(v->text, &dtype) ? dtype : otherwise;
}

static void set_once(const conform_module *m, const char *name, int64_t size, bool *is_set,
                     conform_case *c)
{
    const int dim = find_dim(m, name);
    if (dim < 0 || is_set[dim])
        return;
    c->dim[dim] = size;
    is_set[dim] = 1;
}

/* True if the value can be a size: one whole number of at most 53 bits. Scalars of an op may be anything. */
static bool is_size(const spec_values *v)
{
    return v->kind == SPEC_NUMBERS && v->n == 1 && fabs(v->values[0]) <= 0x1p53 &&
           v->values[0] == floor(v->values[0]);
}

/* Sizes that the entry names come first, then those that follow from lists nested as deep as the arg's shape. */
static void infer_dims(const conform_module *m, const spec_op *spec, const spec_entry *entry,
                       conform_case *c)
{
    bool is_set[CONFORM_MAX_DIMS] = {0};
    for (int i = 0; i < entry->n_values; i++)
        if (is_size(&entry->values[i]))
            set_once(m, entry->values[i].name, (int64_t)entry->values[i].values[0], is_set, c);
    for (int i = 0; i < entry->n_values; i++) {
        const spec_values *v = &entry->values[i];
        const spec_arg *arg = spec_find_arg(spec, v->name);
        if (!arg || v->kind != SPEC_NUMBERS || v->depth == 0 || v->depth != arg->n_shape)
            continue;
        for (int j = 0; j < v->depth; j++)
            set_once(m, arg->shape[j], v->extent[j], is_set, c);
    }
}

/* The number of values that the entry must hold: elements, or bytes of blocks. */
static int64_t count_of(const conform_tensor *t, const spec_values *v)
{
    return v->kind == SPEC_BYTES ? (int64_t)t->bytes : t->rows * t->cols;
}

static ifn_status expect_count(const conform_tensor *t, const spec_values *v, ifn_error *err)
{
    const int64_t n = count_of(t, v);
    if (v->n == n)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT, "%s in line %d: %lld values, expected %lld", v->name,
                    v->line, (long long)v->n, (long long)n);
}

static bool is_integer_in(double x, double low, double high)
{
    return x >= low && x <= high && x == floor(x);
}

static ifn_status expect_integers(const conform_tensor *t, const spec_values *v, ifn_error *err)
{
    const double low = t->element == ELEMENT_I32 ? INT32_MIN : 0;
    const double high = t->element == ELEMENT_I32 ? INT32_MAX : UINT8_MAX;
    for (int64_t i = 0; i < v->n; i++)
        if (!is_integer_in(spec_value_at(v, i), low, high))
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s in line %d: %g, expected an integer of its size", v->name, v->line,
                            spec_value_at(v, i));
    return IFN_OK;
}

/* Checks that the values can be stored in the tensor: numbers as elements of four bytes or as bytes; blocks as
 * bytes. */
static ifn_status expect_writable(const conform_tensor *t, const spec_values *v, ifn_error *err)
{
    if (t->element == ELEMENT_I32 || t->element == ELEMENT_BYTES)
        IFN_TRY(expect_integers(t, v, err));
    const bool is_block = t->element == ELEMENT_BLOCKS && t->dtype != IFN_DTYPE_F32;
    if (is_block && v->kind != SPEC_BYTES)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s in line %d: numbers, expected bytes of %s",
                        v->name, v->line, ifn_dtype_name(t->dtype));
    return expect_count(t, v, err);
}

/* Cases count entries from 1, as ids omit an index of 0. */
static const spec_entry *entry_of(const spec_entry *entries, int n, uint32_t index)
{
    return index >= 1 && index <= (uint32_t)n ? &entries[index - 1] : NULL;
}

ifn_status conform_golden_case(const spec_op *spec, uint32_t index, conform_case *out,
                               ifn_error *err)
{
    const spec_entry *entry = entry_of(spec->golden, spec->n_golden, index);
    conform_layout l = {0};
    if (!entry)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: golden entry %u, the spec has %d",
                        ifn_op_name(spec->op), (unsigned)index, spec->n_golden);
    *out = (conform_case){.op = spec->op,
                          .dtype = named_dtype(entry, "dtype", IFN_DTYPE_F32),
                          .out_dtype = named_dtype(entry, "out_dtype", IFN_DTYPE_F32),
                          .tier = TIER_GOLDEN,
                          .family = FAMILY_WRITTEN,
                          .index = index};
    infer_dims(conform_module_of(spec->op), spec, entry, out);
    if (conform_case_layout(out, &l) != IFN_OK)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: golden '%s': its sizes do not fit each other",
                        ifn_op_name(spec->op), entry->name);
    for (int i = 0; i < entry->n_values; i++) {
        const int at = find_tensor(&l, entry->values[i].name);
        if (at >= 0)
            IFN_TRY(expect_writable(&l.t[at], &entry->values[i], err));
    }
    return IFN_OK;
}

/* The byte offset of element i of a tensor, with its stride. */
static size_t offset_of(const conform_tensor *t, int64_t i)
{
    const size_t bytes = t->element == ELEMENT_BYTES ? 1 : 4;
    return (size_t)(i / t->cols * t->stride + i % t->cols) * bytes;
}

/* Writes value i as an element of the tensor. Returns the number of bytes. */
static size_t encode(const conform_tensor *t, const spec_values *v, int64_t i, unsigned char out[4])
{
    const double x = spec_value_at(v, i);
    const float f32 = (float)x;
    if (v->kind == SPEC_BYTES || t->element == ELEMENT_BYTES) {
        out[0] = (unsigned char)x;
        return 1;
    }
    if (t->element == ELEMENT_I32) {
        const int32_t i32 = (int32_t)x;
        memcpy(out, &i32, sizeof i32);
        return sizeof i32;
    }
    memcpy(out, &f32, sizeof f32);
    return sizeof f32;
}

static ifn_status put_values(const conform_tensor *t, const spec_values *v, void *data,
                             ifn_error *err)
{
    IFN_TRY(expect_writable(t, v, err));
    for (int64_t i = 0; i < v->n; i++) {
        unsigned char bytes[4];
        const size_t n = encode(t, v, i, bytes);
        const size_t at = v->kind == SPEC_BYTES ? (size_t)i : offset_of(t, i);
        memcpy((unsigned char *)data + at, bytes, n);
    }
    return IFN_OK;
}

ifn_status conform_golden_fill(const conform_layout *l, const spec_entry *entry, void *const *data,
                               ifn_error *err)
{
    for (int i = 0; i < l->n; i++) {
        const conform_tensor *t = &l->t[i];
        const spec_values *v = spec_find_values(entry, t->name);
        if (t->absent || t->role == ROLE_OUT || t->role == ROLE_BETWEEN)
            continue;
        if (!v)
            return ifn_fail(err, IFN_ERR_FORMAT, "golden '%s': no values for %s", entry->name,
                            t->name);
        IFN_TRY(put_values(t, v, data[i], err));
    }
    return IFN_OK;
}

const spec_values *conform_golden_want(const conform_layout *l, int i, const spec_entry *entry)
{
    char after[2 * SPEC_NAME_BYTES];
    const conform_tensor *t = &l->t[i];
    if (t->role == ROLE_OUT)
        return spec_find_values(entry, t->name);
    snprintf(after, sizeof after, "%s_after", t->name);
    return spec_find_values(entry, after);
}

#define DECIMALS 0x1p-46 /* relative error of values rounded to the digits of a spec */

static bool is_close(double got, double want, double bound)
{
    if (isnan(want))
        return isnan(got);
    if (isinf(want))
        return got == want;
    return fabs(got - want) <= bound + fabs(want) * DECIMALS;
}

static bool is_same(const unsigned char *got, const unsigned char *want, size_t n, double value)
{
    float f32;
    if (n == sizeof f32 && isnan(value)) {
        memcpy(&f32, got, sizeof f32);
        return isnan(f32);
    }
    return memcmp(got, want, n) == 0;
}

static int holds_at(const conform_tensor *t, const spec_values *want, int64_t i,
                    const unsigned char *got, const conform_truth *truth, bool may_skip)
{
    unsigned char bytes[4];
    const size_t n = encode(t, want, i, bytes);
    got += want->kind == SPEC_BYTES ? (size_t)i : offset_of(t, i);
    if (truth && truth->class == CLASS_BOUND && want->kind == SPEC_NUMBERS) {
        float f32;
        memcpy(&f32, got, sizeof f32);
        return (may_skip && truth->skip && truth->skip[i]) ||
               is_close((double)f32, want->values[i], truth->bound[i]);
    }
    return is_same(got, bytes, n, spec_value_at(want, i));
}

int conform_golden_holds(const conform_tensor *t, const spec_values *want, const void *got,
                         const conform_truth *truth, bool may_skip, ifn_error *err)
{
    if (expect_writable(t, want, err) != IFN_OK)
        return 0;
    for (int64_t i = 0; i < want->n; i++) {
        if (holds_at(t, want, i, got, truth, may_skip))
            continue;
        (void)ifn_fail(err, IFN_ERR_FORMAT, "%s in line %d: value %lld is not %.17g", want->name,
                       want->line, (long long)i, spec_value_at(want, i));
        return 0;
    }
    return 1;
}

/* Compares element i of a truth with the written value. Values written as bytes are compared only with the backend's
 * bytes and pass here, unless the truth is CLASS_RAW. */
static int confirms_at(const conform_tensor *t, const spec_values *want, int64_t i,
                       const conform_truth *truth)
{
    switch (truth->class) {
    case CLASS_RAW:
        return holds_at(t, want, i, truth->raw, NULL, false);
    case CLASS_BITS:
        if (want->kind == SPEC_BYTES)
            return 1;
        return is_close(truth->want[i], (double)(float)want->values[i], 0);
    case CLASS_BOUND:
        if (want->kind == SPEC_BYTES)
            return 1;
        return (truth->skip && truth->skip[i]) || is_close(truth->want[i], want->values[i], 0);
    default:
        return 1;
    }
}

int conform_golden_confirms(const conform_tensor *t, const spec_values *want,
                            const conform_truth *truth, ifn_error *err)
{
    if (expect_writable(t, want, err) != IFN_OK)
        return 0;
    for (int64_t i = 0; i < want->n; i++) {
        if (confirms_at(t, want, i, truth))
            continue;
        (void)ifn_fail(err, IFN_ERR_FORMAT, "%s in line %d: value %lld is %.17g, the oracle's not",
                       want->name, want->line, (long long)i, want->values[i]);
        return 0;
    }
    return 1;
}

conform_case conform_refuse_case(const spec_op *spec, uint32_t index)
{
    conform_case c = {.op = spec->op,
                      .dtype = spec->legal_dtype,
                      .out_dtype = spec->legal_out_dtype,
                      .tier = TIER_REFUSE,
                      .family = FAMILY_NORMAL,
                      .index = index,
                      .seed = 1};
    memcpy(c.dim, spec->legal, sizeof c.dim);
    return c;
}

/* Applies a change to the case, the buffers or their contents, before the call is bound. */
static ifn_status change_before(const conform_module *m, const spec_values *v,
                                const conform_layout *l, conform_case *c, void **data,
                                ifn_error *err)
{
    const int tensor = find_tensor(l, v->name), dim = find_dim(m, v->name);
    if (conform_has_field(m->op, v->name) || conform_is_weight_field(v->name))
        return IFN_OK;
    if (dim >= 0) {
        c->dim[dim] = (int64_t)v->values[0];
    } else if (tensor >= 0 && v->kind == SPEC_NULL) {
        data[tensor] = NULL;
    } else if (tensor >= 0 && v->kind == SPEC_NAMED && find_tensor(l, v->text) >= 0) {
        data[tensor] = data[find_tensor(l, v->text)];
    } else if (tensor >= 0 && v->kind != SPEC_NAMED) {
        return put_values(&l->t[tensor], v, data[tensor], err);
    } else if (strncmp(v->name, "part", 4) != 0 && !strstr(v->name, "dtype")) {
        return ifn_fail(err, IFN_ERR_FORMAT, "%s in line %d: the call has nothing of that name",
                        v->name, v->line);
    }
    return IFN_OK;
}

static ifn_status change_after(ifn_op op, const spec_values *v, conform_call *call, ifn_error *err)
{
    const bool is_part = strcmp(v->name, "part") == 0, is_part2 = strcmp(v->name, "part2") == 0;
    if (is_part || is_part2)
        ifn_op_set_part(op, &call->args.call, is_part2, (int64_t)v->values[0],
                        (int64_t)v->values[1]);
    else if (conform_is_weight_field(v->name) &&
             !conform_set_weight_field(call->weights, v->name, v->values, v->n))
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%s in line %d: no weight of the call has %lld of these", v->name, v->line,
                        (long long)v->n);
    else if (v->kind == SPEC_NUMBERS)
        (void)conform_set_field(op, &call->args, v->name, v->values[0]);
    return IFN_OK;
}

/* Sets the dtypes that the entry names; `beside` >= 0 replaces the one that it names. */
static void change_dtypes(const spec_entry *entry, int beside, conform_case *c)
{
    c->dtype = named_dtype(entry, "dtype", c->dtype);
    c->out_dtype = named_dtype(entry, "out_dtype", c->out_dtype);
    if (beside >= 0 && spec_find_values(entry, "dtype"))
        c->dtype = (ifn_dtype)beside;
    else if (beside >= 0 && spec_find_values(entry, "out_dtype"))
        c->out_dtype = (ifn_dtype)beside;
}

ifn_status conform_refuse_bind_beside(const spec_op *spec, const conform_case *legal,
                                      const conform_beside *beside, const conform_layout *l,
                                      void *const *data, conform_call *call, ifn_error *err)
{
    const conform_module *const m = conform_module_of(spec->op);
    const spec_entry *const entries[] = {entry_of(spec->refuse, spec->n_refuse, legal->index),
                                         entry_of(spec->refuse, spec->n_refuse, beside->entry)};
    conform_case c = *legal;
    void *changed[CONFORM_MAX_TENSORS];
    if (!entries[0])
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: refuse entry %u, the spec has %d",
                        ifn_op_name(spec->op), (unsigned)legal->index, spec->n_refuse);
    memcpy(changed, data, (size_t)l->n * sizeof *changed);
    for (int e = 1; e >= 0; e--) {
        if (!entries[e])
            continue;
        change_dtypes(entries[e], e ? -1 : beside->dtype, &c);
        for (int i = 0; i < entries[e]->n_values; i++)
            IFN_TRY(change_before(m, &entries[e]->values[i], l, &c, changed, err));
    }
    if (beside->dim >= 0)
        c.dim[beside->dim] = beside->size;
    conform_case_bind(&c, l, changed, call);
    for (int e = 1; e >= 0; e--)
        for (int i = 0; entries[e] && i < entries[e]->n_values; i++)
            IFN_TRY(change_after(spec->op, &entries[e]->values[i], call, err));
    if (beside->dim >= 0)
        (void)conform_set_field(spec->op, &call->args, m->dim_names[beside->dim],
                                (double)beside->size);
    return IFN_OK;
}

ifn_status conform_refuse_bind(const spec_op *spec, const conform_case *legal,
                               const conform_layout *l, void *const *data, conform_call *call,
                               ifn_error *err)
{
    const conform_beside nothing = {.dim = -1, .dtype = -1};
    return conform_refuse_bind_beside(spec, legal, &nothing, l, data, call, err);
}
