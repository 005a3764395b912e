#include "entry.h"

#include <string.h>

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

/* Every tensor the entry writes down has as many values as the layout wants. */
static int entry_fits(const conform_module *m, const spec_entry *e, const conform_case *c)
{
    conform_layout l = {0};
    if (m->layout(c, &l) != IFN_OK)
        return 0;
    for (int i = 0; i < e->n_values; i++) {
        const spec_values *v = &e->values[i];
        const int at = find_tensor(&l, v->name);
        if (at < 0 && v->kind != SPEC_NAMED && find_dim(m, v->name) < 0)
            return 0;
        if (at < 0)
            continue;
        const conform_tensor *t = &l.t[at];
        if (v->kind == SPEC_BYTES ? t->bytes != (size_t)v->n : t->rows * t->cols != v->n)
            return 0;
        if (t->rows > 1 && v->rows > 1 && t->rows != v->rows)
            return 0;
    }
    return 1;
}

enum { MAX_CANDIDATES = 24 };

typedef struct candidates {
    int n;
    int64_t size[MAX_CANDIDATES];
} candidates;

static void add_candidate(candidates *c, int64_t size)
{
    for (int i = 0; i < c->n; i++)
        if (c->size[i] == size)
            return;
    if (c->n < MAX_CANDIDATES)
        c->size[c->n++] = size;
}

/* Sizes that occur in the entry; a dimension the entry names has that size alone. */
static candidates candidates_of(const conform_module *m, const spec_entry *e, int dim)
{
    candidates c = {0};
    const spec_values *named = spec_find_values(e, m->dim_names[dim]);
    if (named && named->n == 1) {
        add_candidate(&c, (int64_t)named->values[0]);
        return c;
    }
    for (int i = 0; i < e->n_values; i++) {
        add_candidate(&c, e->values[i].rows);
        add_candidate(&c, e->values[i].cols);
        add_candidate(&c, e->values[i].n);
    }
    add_candidate(&c, 0);
    add_candidate(&c, 1);
    add_candidate(&c, 2);
    return c;
}

/* "dtype" and "out_dtype" of an entry. Returns 0 if it is neither. */
static int set_dtype(conform_case *c, const spec_values *v)
{
    if (strcmp(v->name, "dtype") == 0)
        return ifn_dtype_from_name(v->text, &c->dtype);
    if (strcmp(v->name, "out_dtype") == 0)
        return ifn_dtype_from_name(v->text, &c->out_dtype);
    return 0;
}

static void take_dtypes(const spec_entry *e, conform_case *c)
{
    for (int i = 0; i < e->n_values; i++)
        if (e->values[i].kind == SPEC_NAMED)
            (void)set_dtype(c, &e->values[i]);
}

static int search_dims(const conform_module *m, const spec_entry *e, int dim, conform_case *c)
{
    if (dim == CONFORM_MAX_DIMS || !m->dim_names[dim])
        return entry_fits(m, e, c);
    const candidates sizes = candidates_of(m, e, dim);
    for (int i = 0; i < sizes.n; i++) {
        c->dim[dim] = sizes.size[i];
        if (search_dims(m, e, dim + 1, c))
            return 1;
    }
    return 0;
}

int conform_entry_dims(const conform_module *m, const spec_op *spec, const spec_entry *entry,
                       conform_case *c, ifn_error *err)
{
    take_dtypes(entry, c);
    if (search_dims(m, entry, 0, c))
        return 1;
    (void)ifn_fail(err, IFN_ERR_FORMAT, "%s: golden '%s': no sizes fit its tensors",
                   ifn_op_name(spec->op), entry->name);
    return 0;
}

static ifn_status put_values(const conform_tensor *t, const spec_values *v, void *out,
                             ifn_error *err)
{
    if (v->kind == SPEC_BYTES && t->bytes == (size_t)v->n) {
        for (int64_t i = 0; i < v->n; i++)
            ((unsigned char *)out)[i] = (unsigned char)v->values[i];
        return IFN_OK;
    }
    if (t->rows * t->cols != v->n || t->element == ELEMENT_BLOCKS)
        return ifn_fail(err, IFN_ERR_FORMAT, "entry: %s has %lld values, expected %lld", v->name,
                        (long long)v->n, (long long)(t->rows * t->cols));
    for (int64_t i = 0; i < v->n; i++) {
        const int64_t at = i / t->cols * t->stride + i % t->cols;
        if (t->element == ELEMENT_F32)
            ((float *)out)[at] = (float)v->values[i];
        else if (t->element == ELEMENT_I32)
            ((int32_t *)out)[at] = (int32_t)v->values[i];
        else
            ((unsigned char *)out)[at] = (unsigned char)v->values[i];
    }
    return IFN_OK;
}

static ifn_status change(conform_slot *s, const conform_module *m, const spec_values *v,
                         ifn_error *err)
{
    const int tensor = find_tensor(&s->layout, v->name), dim = find_dim(m, v->name);
    const int under = v->kind == SPEC_NAMED ? find_tensor(&s->layout, v->text) : -1;
    if (v->kind == SPEC_NAMED && set_dtype(&s->bound, v))
        return IFN_OK;
    if (dim >= 0 && v->n == 1)
        s->bound.dim[dim] = (int64_t)v->values[0];
    else if (tensor >= 0 && v->kind == SPEC_NULL)
        s->is_null[tensor] = 1;
    else if (tensor >= 0 && under >= 0)
        s->laid_over[tensor] = under;
    else if (tensor >= 0)
        return put_values(&s->layout.t[tensor], v, s->before[tensor], err);
    else
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: refuse '%s': no dimension or tensor named '%s'",
                        ifn_op_name(s->c.op), s->entry->name, v->name);
    return IFN_OK;
}

ifn_status conform_entry_inputs(conform_slot *s, const spec_op *spec, ifn_error *err)
{
    const conform_module *m = conform_module_of(s->c.op);
    const int refuse = s->c.tier == TIER_REFUSE;
    if (!refuse && s->c.tier != TIER_GOLDEN)
        return IFN_OK;
    const int n = !spec ? 0 : refuse ? spec->n_refuse : spec->n_golden;
    if (s->c.index < 1 || s->c.index > (uint32_t)n)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: entry %u of the spec, which has %d",
                        ifn_op_name(s->c.op), (unsigned)s->c.index, n);
    s->entry = refuse ? &spec->refuse[s->c.index - 1] : &spec->golden[s->c.index - 1];
    s->expected = refuse ? s->entry->status : IFN_OK;
    for (int i = 0; i < s->entry->n_values; i++) {
        const spec_values *v = &s->entry->values[i];
        const int tensor = find_tensor(&s->layout, v->name);
        if (refuse)
            IFN_TRY(change(s, m, v, err));
        else if (tensor >= 0 && s->layout.t[tensor].role != ROLE_OUT)
            IFN_TRY(put_values(&s->layout.t[tensor], v, s->before[tensor], err));
    }
    return IFN_OK;
}

/* An INOUT tensor is written down twice: "x" before, "x_after" afterwards. */
static const spec_values *result_of(const spec_entry *e, const conform_tensor *t)
{
    char after[40];
    if (t->role == ROLE_OUT)
        return spec_find_values(e, t->name);
    const size_t n = strlen(t->name);
    memcpy(after, t->name, n < 30 ? n : 30);
    memcpy(after + (n < 30 ? n : 30), "_after", sizeof "_after");
    return spec_find_values(e, after);
}

ifn_status conform_entry_truth(conform_slot *s, ifn_error *err)
{
    if (s->c.tier != TIER_GOLDEN)
        return IFN_OK;
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        conform_truth *truth = &s->truth[i];
        const spec_values *v = result_of(s->entry, t);
        if (!v || (!truth->want && !truth->raw))
            continue;
        if (truth->class == CLASS_RAW)
            IFN_TRY(put_values(t, v, truth->raw, err));
        else
            for (int64_t j = 0; j < v->n && j < t->rows * t->cols; j++)
                truth->want[j] =
                    truth->class == CLASS_BITS ? (double)(float)v->values[j] : v->values[j];
    }
    return IFN_OK;
}
