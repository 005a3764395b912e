#include "tensor_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "row_finite.h"
#include "tensor_scan.h"

static void count_row(void *cookie, int64_t row, const float *values, int64_t cols)
{
    tensor_finding *const f = cookie;
    const int64_t first = row_first_not_finite(values, cols);
    if (first < 0)
        return;
    if (f->n_rows++ == 0) {
        f->row = row;
        f->element = first;
        f->value = values[first];
    }
    for (int64_t i = first; i < cols; i++)
        f->n_values += !isfinite(values[i]);
}

static ifn_status scan_all(tensor_check *self, tensor_scan *s, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++) {
        tensor_finding *const f = &self->findings[self->n];
        *f = (tensor_finding){.tensor = ifn_gguf_tensor_at(self->gguf, i)};
        if (f->tensor->known)
            IFN_TRY(tensor_scan_rows(s, f->tensor, count_row, f, err));
        self->n += f->n_rows > 0 || !f->tensor->known;
    }
    return IFN_OK;
}

ifn_status tensor_check_run(tensor_check *self, const ifn_gguf *gguf, progress *bar, ifn_error *err)
{
    const uint64_t n = ifn_gguf_n_tensors(gguf);
    tensor_scan s;
    *self = (tensor_check){.gguf = gguf, .findings = calloc(n ? n : 1, sizeof *self->findings)};
    if (!self->findings)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for %" PRIu64 " tensors",
                        ifn_gguf_path(gguf), n);
    ifn_status status = tensor_scan_open(&s, gguf, bar, err);
    if (status == IFN_OK)
        status = scan_all(self, &s, err);
    tensor_scan_close(&s);
    return status;
}

void tensor_check_free(tensor_check *self)
{
    free(self->findings);
    *self = (tensor_check){0};
}

static const char *word_for(float value)
{
    return isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

static void print_finding(const tensor_finding *f, FILE *out)
{
    const char *const name = f->tensor->view.name;
    fputs("  ", out);
    escape_terminal(out, name, strlen(name));
    if (!f->tensor->known)
        fprintf(out, ": type %s cannot be decoded here\n", f->tensor->type_name);
    else
        fprintf(out,
                ": row %" PRId64 ", element %" PRId64 " is %s; not finite are %" PRIu64
                " values in %" PRIu64 " rows\n",
                f->row, f->element, word_for(f->value), f->n_values, f->n_rows);
}

void tensor_check_print(const tensor_check *self, FILE *out)
{
    const uint64_t n = ifn_gguf_n_tensors(self->gguf);
    fprintf(out, "weights: %" PRIu64 " tensors checked, %s\n", n,
            self->n ? "not all right:" : "all values finite");
    for (size_t i = 0; i < self->n; i++)
        print_finding(&self->findings[i], out);
}

static void json_not_finite(const tensor_finding *f, json_writer *json)
{
    json_begin_object(json);
    json_key(json, "tensor");
    json_put_string(json, f->tensor->view.name);
    json_key(json, "row");
    json_put_int(json, f->row);
    json_key(json, "element");
    json_put_int(json, f->element);
    json_key(json, "value");
    json_put_string(json, word_for(f->value));
    json_key(json, "values");
    json_put_uint(json, f->n_values);
    json_key(json, "rows");
    json_put_uint(json, f->n_rows);
    json_end_object(json);
}

void tensor_check_json(const tensor_check *self, json_writer *json)
{
    json_begin_object(json);
    json_key(json, "tensors");
    json_put_uint(json, ifn_gguf_n_tensors(self->gguf));
    json_key(json, "not_finite");
    json_begin_array(json);
    for (size_t i = 0; i < self->n; i++)
        if (self->findings[i].tensor->known)
            json_not_finite(&self->findings[i], json);
    json_end_array(json);
    json_key(json, "not_decoded");
    json_begin_array(json);
    for (size_t i = 0; i < self->n; i++)
        if (!self->findings[i].tensor->known)
            json_put_string(json, self->findings[i].tensor->view.name);
    json_end_array(json);
    json_end_object(json);
}
