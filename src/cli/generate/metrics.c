#include "metrics.h"

#include <inttypes.h>

static double to_ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

void metrics_add(metrics *self, uint64_t forward_ns)
{
    if (self->n == 0)
        self->first_ns = self->min_ns = forward_ns;
    if (forward_ns < self->min_ns)
        self->min_ns = forward_ns;
    if (forward_ns > self->max_ns)
        self->max_ns = forward_ns;
    self->sum_ns += forward_ns;
    self->n++;
}

double metrics_first_ms(const metrics *self)
{
    return to_ms(self->first_ns);
}

double metrics_decode_rate(const metrics *self)
{
    const uint64_t decode_ns = self->sum_ns - self->first_ns;
    return decode_ns > 0 ? (double)(self->n - 1) * 1e9 / (double)decode_ns : 0.0;
}

double metrics_mean_ms(const metrics *self)
{
    return self->n > 0 ? to_ms(self->sum_ns) / (double)self->n : 0.0;
}

void metrics_print(const metrics *self, FILE *out)
{
    fprintf(out,
            "metrics:\n"
            "  time_to_first_token_ms: %.3f\n"
            "  decode_tokens_per_second: %.3f\n"
            "  per_forward_ms: min %.3f max %.3f mean %.3f (n=%" PRId64 ")\n",
            metrics_first_ms(self), metrics_decode_rate(self), to_ms(self->min_ns),
            to_ms(self->max_ns), metrics_mean_ms(self), self->n);
}

void metrics_json(const metrics *self, json_writer *out)
{
    json_key(out, "time_to_first_token_ms");
    json_put_double(out, metrics_first_ms(self));
    json_key(out, "decode_tokens_per_second");
    json_put_double(out, metrics_decode_rate(self));
    json_key(out, "per_forward_ms");
    json_begin_object(out);
    json_key(out, "min");
    json_put_double(out, to_ms(self->min_ns));
    json_key(out, "max");
    json_put_double(out, to_ms(self->max_ns));
    json_key(out, "mean");
    json_put_double(out, metrics_mean_ms(self));
    json_key(out, "n");
    json_put_int(out, self->n);
    json_end_object(out);
}
