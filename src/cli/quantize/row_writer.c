#include "row_writer.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "row_finite.h"
#include "team.h"

/* Elements encoded between two writes: enough work for several threads, in little memory. */
enum { STRETCH_ELEMENTS = 1 << 18 };

/* The private data of one thread. */
typedef struct member {
    float *values, *decoded; /* [cols] */
    ifn_status status;
    int64_t row; /* the row that failed, if status is not IFN_OK */
    ifn_error err;
} member;

/* A tensor while it is written, one stretch of rows at a time. */
typedef struct writing {
    const row_target *target;
    const row_source *source;
    int n_members;
    int64_t stretch;      /* rows at most */
    int64_t first, n;     /* the rows of this stretch */
    _Atomic int64_t next; /* the first row that no thread has taken */
    uint8_t *encoded;     /* [stretch] rows */
    size_t row_bytes;
    float *scratch; /* values and decoded of every member */
    member members[TEAM_MAX];
} writing;

/* Checks that an encoded row decodes to finite values: a large finite value may overflow an f16 or an f16 scale. */
static ifn_status check_encoded(const row_target *t, const row_place *at, member *m,
                                const uint8_t *encoded)
{
    char why[40];
    IFN_TRY(row_decode(t->coder, t->dtype, encoded, m->decoded, t->cols));
    const int64_t i = row_first_not_finite(m->decoded, t->cols);
    if (i < 0)
        return IFN_OK;
    snprintf(why, sizeof why, "too large for %s", ifn_dtype_name(t->dtype));
    return row_fail(at, i, m->values[i], why, &m->err);
}

/* Returns the importance of the columns of a row; NULL: all are equal. */
static const float *columns_of(const row_target *t, int64_t row)
{
    return t->columns ? t->columns + row / (t->rows / t->n_matrices) * t->cols : NULL;
}

static ifn_status encode_row(writing *self, member *m, int64_t row)
{
    const row_target *t = self->target;
    const row_place at = {t->input, t->tensor, row};
    uint8_t *encoded = self->encoded + (size_t)(row - self->first) * self->row_bytes;
    if (self->source->row(self->source->cookie, row, m->values) != IFN_OK)
        return ifn_fail(&m->err, IFN_ERR_SHAPE, "%s: row %" PRId64 " cannot be read", t->tensor,
                        row);
    IFN_TRY(row_check_finite(&at, m->values, t->cols, &m->err));
    if (row_encode(t->coder, t->dtype, m->values, columns_of(t, row), encoded, t->cols) != IFN_OK)
        return ifn_fail(&m->err, IFN_ERR_SHAPE, "%s: rows of %" PRId64 " do not fit %s", t->tensor,
                        t->cols, ifn_dtype_name(t->dtype));
    return t->dtype == IFN_DTYPE_F32 ? IFN_OK : check_encoded(t, &at, m, encoded);
}

/* Encodes rows until none is left. Threads take rows one at a time, so a slower thread does fewer. */
static void encode_rows(void *cookie, int i)
{
    writing *self = cookie;
    member *m = &self->members[i];
    m->status = IFN_OK;
    while (m->status == IFN_OK) {
        m->row = atomic_fetch_add(&self->next, 1);
        if (m->row >= self->first + self->n)
            return;
        m->status = encode_row(self, m, m->row);
    }
}

/* Returns the failure with the lowest row; NULL: none. Rows are taken in order and every taken row is finished, so
 * this is the first bad row of the tensor. */
static const member *first_failure(const writing *self)
{
    const member *first = NULL;
    for (int i = 0; i < self->n_members; i++) {
        const member *const m = &self->members[i];
        if (m->status != IFN_OK && (!first || m->row < first->row))
            first = m;
    }
    return first;
}

static ifn_status write_stretch(writing *self, ifn_error *err)
{
    const row_source *s = self->source;
    if (s->begin)
        IFN_TRY(s->begin(s->cookie, self->first, self->n, err));
    atomic_store(&self->next, self->first);
    team_run(self->n_members, encode_rows, self);
    const member *const failed = first_failure(self);
    if (failed) {
        *err = failed->err;
        return failed->status;
    }
    IFN_TRY(ifn_gguf_writer_write_data(self->target->file, self->encoded,
                                       (size_t)self->n * self->row_bytes, err));
    if (s->written)
        s->written(s->cookie, self->n);
    return IFN_OK;
}

static ifn_status prepare(writing *self, ifn_error *err)
{
    const row_target *t = self->target;
    const int64_t cols = t->cols > 0 ? t->cols : 1;
    self->n_members = t->coder->n_threads;
    self->stretch = (STRETCH_ELEMENTS + cols - 1) / cols;
    if (self->stretch > t->rows)
        self->stretch = t->rows;
    if (self->n_members > self->stretch)
        self->n_members = (int)self->stretch;
    self->row_bytes = ifn_dtype_row_bytes(t->dtype, t->cols);
    self->encoded = calloc((size_t)self->stretch, self->row_bytes);
    self->scratch = calloc((size_t)self->n_members * 2, (size_t)cols * sizeof(float));
    if (!self->encoded || !self->scratch)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for rows of %" PRId64, t->tensor,
                        cols);
    for (int i = 0; i < self->n_members; i++) {
        self->members[i].values = self->scratch + 2 * i * cols;
        self->members[i].decoded = self->members[i].values + cols;
    }
    return IFN_OK;
}

ifn_status row_write_all(const row_target *target, const row_source *source, ifn_error *err)
{
    writing w = {.target = target, .source = source};
    if (target->rows == 0 || target->cols == 0)
        return IFN_OK;
    ifn_status status = prepare(&w, err);
    for (; status == IFN_OK && w.first < target->rows; w.first += w.n) {
        const int64_t left = target->rows - w.first;
        w.n = left < w.stretch ? left : w.stretch;
        status = write_stretch(&w, err);
    }
    free(w.encoded);
    free(w.scratch);
    return status;
}
