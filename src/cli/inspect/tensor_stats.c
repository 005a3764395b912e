#include "tensor_stats.h"

#include <inttypes.h>
#include <math.h>

static void count_row(void *cookie, int64_t row, const float *values, int64_t cols)
{
    tensor_stats *const s = cookie;
    double sum = 0.0, squares = 0.0;
    (void)row;
    for (int64_t i = 0; i < cols; i++) {
        const double x = (double)values[i];
        if (isnan(x)) {
            s->n_nan++;
            continue;
        }
        s->least = x < s->least ? x : s->least;
        s->most = x > s->most ? x : s->most;
        s->n_zero += x == 0.0;
        if (isinf(x)) {
            s->n_infinite++;
            continue;
        }
        sum += x;
        squares += x * x;
    }
    s->n += (uint64_t)cols;
    s->sum += sum;
    s->squares += squares;
}

ifn_status tensor_stats_of(tensor_scan *scan, const ifn_gguf_tensor *tensor, tensor_stats *out,
                           ifn_error *err)
{
    *out = (tensor_stats){
        .is_known = tensor->known, .least = (double)INFINITY, .most = -(double)INFINITY};
    if (!tensor->known)
        return IFN_OK;
    IFN_TRY(tensor_scan_rows(scan, tensor, count_row, out, err));
    const double n = (double)(out->n - out->n_nan - out->n_infinite);
    out->mean = n > 0 ? out->sum / n : 0.0;
    out->rms = n > 0 ? sqrt(out->squares / n) : 0.0;
    return IFN_OK;
}

static bool has_values(const tensor_stats *self)
{
    return self->is_known && self->n > self->n_nan;
}

void tensor_stats_print(const tensor_stats *self, FILE *out)
{
    if (!self->is_known) {
        fputs("cannot be decoded here", out);
        return;
    }
    if (has_values(self))
        fprintf(out, "min %.4g, max %.4g, mean %.4g, rms %.4g, ", self->least, self->most,
                self->mean, self->rms);
    fprintf(out, "zeros %" PRIu64 ", NaN %" PRIu64, self->n_zero, self->n_nan);
    if (self->n_infinite)
        fprintf(out, ", infinite %" PRIu64, self->n_infinite);
}

static void put_number(json_writer *json, const char *key, bool is_there, double value)
{
    json_key(json, key);
    json_put_double(json, is_there ? value : (double)NAN);
}

static void put_count(json_writer *json, const char *key, uint64_t n)
{
    json_key(json, key);
    json_put_uint(json, n);
}

void tensor_stats_json(const tensor_stats *self, json_writer *json)
{
    const bool is_there = has_values(self);
    if (!self->is_known) {
        json_put_string(json, NULL);
        return;
    }
    json_begin_object(json);
    put_number(json, "min", is_there, self->least);
    put_number(json, "max", is_there, self->most);
    put_number(json, "mean", is_there, self->mean);
    put_number(json, "rms", is_there, self->rms);
    put_count(json, "zeros", self->n_zero);
    put_count(json, "nan", self->n_nan);
    put_count(json, "infinite", self->n_infinite);
    json_end_object(json);
}
