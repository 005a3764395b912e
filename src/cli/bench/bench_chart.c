#include "bench_chart.h"

#include <inttypes.h>
#include <string.h>

#include "base_name.h"
#include "chart.h"
#include "output.h"

ifn_status bench_chart_check(const char *path, bench_format format, ifn_error *err)
{
    return !path || strcmp(path, "-") != 0 || format == BENCH_MD
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_ARGUMENT,
                          "--chart -: found CSV or JSON on standard output, expected a file, or "
                          "-o md");
}

static ifn_status write_charts(const char *path, const chart *charts, int n, ifn_error *err)
{
    output out;
    if (strcmp(path, "-") == 0) {
        chart_text(charts, n, stdout);
        return IFN_OK;
    }
    IFN_TRY(output_open(&out, path, err));
    chart_svg(charts, n, out.file);
    const ifn_status status = output_finish(&out, err);
    output_discard(&out);
    return status;
}

/* --- ops --- */

static ifn_status add_bound(chart *c, const char *name, double speed, double most,
                            const double ends[2], ifn_error *err)
{
    const double bend = most / speed;
    const double at[] = {ends[0], bend > ends[0] && bend < ends[1] ? bend : ends[0], ends[1]};
    for (int i = 0; i < 3; i++) {
        const chart_point p = {.x = at[i],
                               .y = (at[i] * speed < most ? at[i] * speed : most) / 1e9};
        IFN_TRY(chart_add(c, name, CHART_BOUND, &p, err));
    }
    return IFN_OK;
}

/* Adds the roofs of n_threads threads: those of each cache and that of memory. */
static ifn_status add_bounds(chart *c, bench_roof *roof, int n_threads, bool of_dots,
                             const double ends[2], ifn_error *err)
{
    const double most = bench_roof_operations(roof, n_threads, of_dots);
    const char *const what = of_dots ? "products of bytes" : "f32";
    for (int i = 0; i <= roof->caches.n; i++) {
        const bool is_memory = i == roof->caches.n;
        if (of_dots && !is_memory)
            continue;
        /* half of a cache, as other data needs some of it */
        const uint64_t bytes = is_memory ? UINT64_MAX : roof->caches.at[i].bytes / 2;
        const double speed = bench_roof_reading(roof, n_threads, bytes);
        char name[96];
        snprintf(name, sizeof name, "%s: %.0f GB/s, %s: %.0f GFLOP/s",
                 is_memory ? "memory" : roof->caches.at[i].name, speed / 1e9, what, most / 1e9);
        if (speed > 0.0)
            IFN_TRY(add_bound(c, name, speed, most, ends, err));
    }
    return IFN_OK;
}

static bool has_operations(const bench_op_result *r)
{
    return !r->problem && r->cost.flops > 0 && r->time.median > 0.0;
}

static double intensity(const bench_op_result *r)
{
    return (double)r->cost.flops / (double)r->cost.bytes;
}

static bool has_several_backends(const bench_op_results *results)
{
    for (int i = 1; i < results->n; i++)
        if (strcmp(results->at[i].backend, results->at[0].backend) != 0)
            return true;
    return false;
}

static ifn_status add_op(chart *c, const bench_op_result *r, bool with_backend, ifn_error *err)
{
    char name[160];
    chart_point p = {.x = intensity(r), .y = (double)r->cost.flops / r->time.median / 1e9};
    snprintf(name, sizeof name, "%s%s%s", ifn_op_name(r->op), with_backend ? " " : "",
             with_backend ? r->backend : "");
    snprintf(p.label, sizeof p.label, "%s %s: %.3g GFLOP/s; %.60s", ifn_op_name(r->op),
             ifn_dtype_name(r->dtype), p.y, r->sizes);
    return chart_add(c, name, CHART_POINTS, &p, err);
}

static ifn_status draw_ops(chart *c, const bench_op_results *results, bench_roof *roof,
                           ifn_error *err)
{
    double ends[2] = {0.0, 0.0};
    bool of_dots = false;
    int n_threads = 1;
    for (int i = 0; i < results->n; i++) {
        const bench_op_result *const r = &results->at[i];
        if (!has_operations(r))
            continue;
        const double x = intensity(r);
        ends[0] = ends[0] > 0.0 && ends[0] < x ? ends[0] : x;
        ends[1] = ends[1] > x ? ends[1] : x;
        of_dots |= r->op == IFN_OP_LINEAR_Q8;
        n_threads = r->threads > n_threads ? r->threads : n_threads;
    }
    ends[0] /= 1.5;
    ends[1] *= 1.5;
    if (ends[1] > 0.0)
        IFN_TRY(add_bounds(c, roof, n_threads, false, ends, err));
    if (of_dots)
        IFN_TRY(add_bounds(c, roof, n_threads, true, ends, err));
    for (int i = 0; i < results->n; i++)
        if (has_operations(&results->at[i]))
            IFN_TRY(add_op(c, &results->at[i], has_several_backends(results), err));
    return IFN_OK;
}

ifn_status bench_chart_ops(const char *path, const bench_op_results *results, bench_roof *roof,
                           ifn_error *err)
{
    chart c = {.title = "Ops under the roofs of this machine",
               .x_title = "operations for each byte",
               .y_title = "GFLOP/s",
               .note = "Ops that only move data have no operations and are in the table alone.",
               .is_log_x = true,
               .is_log_y = true};
    ifn_status status = draw_ops(&c, results, roof, err);
    if (status == IFN_OK)
        status = write_charts(path, &c, 1, err);
    chart_free(&c);
    return status;
}

/* --- models --- */

/* Returns the x coordinate of a result, depth or threads; the other of the two distinguishes series. */
static int64_t along(const bench_result *r, bool is_depth)
{
    return is_depth ? r->depth : r->threads;
}

static bool varies(const bench_result *results, int n, bool is_depth)
{
    for (int i = 1; i < n; i++)
        if (along(&results[i], is_depth) != along(&results[0], is_depth))
            return true;
    return false;
}

static ifn_status add_result(chart *c, const bench_result *r, bool is_depth, bool with_other,
                             ifn_error *err)
{
    char name[160], other[48] = "";
    chart_point p = {.x = (double)along(r, is_depth),
                     .y = bench_rate_of(r->samples, r->n_samples).median};
    if (with_other && is_depth)
        snprintf(other, sizeof other, ", %" PRId64 " thread%s", r->threads,
                 r->threads == 1 ? "" : "s");
    else if (with_other)
        snprintf(other, sizeof other, ", depth %" PRId64, r->depth);
    snprintf(name, sizeof name, "%s%" PRId64 " of %.60s, %.40s%s", r->n_prompt ? "pp" : "tg",
             r->n_prompt ? r->n_prompt : r->n, base_name(r->model), r->backend, other);
    if (r->n_prompt && r->batch < r->n_prompt) {
        const size_t used = strlen(name);
        snprintf(name + used, sizeof name - used, ", batch %" PRId64, r->batch);
    }
    snprintf(p.label, sizeof p.label, "%.4g tokens/s at %s %" PRId64, p.y,
             is_depth ? "depth" : "threads", along(r, is_depth));
    return chart_add(c, name, CHART_LINE, &p, err);
}

/* Prompts and decoding have separate charts, as prompts are many times as fast. */
static const struct {
    bool is_depth, is_prompt;
    chart words;
} panels[] = {
    {true, true, {.title = "Prompts over depth", .x_title = "tokens in the context before"}},
    {true, false, {.title = "Single tokens over depth", .x_title = "tokens in the context before"}},
    {false, true, {.title = "Prompts over threads", .x_title = "threads"}},
    {false, false, {.title = "Single tokens over threads", .x_title = "threads"}}};

enum { PANELS = sizeof panels / sizeof *panels };

static ifn_status draw_panel(chart *c, int which, const bench_result *results, int n,
                             ifn_error *err)
{
    const bool is_depth = panels[which].is_depth;
    *c = panels[which].words;
    c->y_title = "tokens per second";
    for (int i = 0; i < n; i++)
        if ((results[i].n_prompt > 0) == panels[which].is_prompt)
            IFN_TRY(add_result(c, &results[i], is_depth, varies(results, n, !is_depth), err));
    return IFN_OK;
}

ifn_status bench_chart_models(const char *path, const bench_result *results, int n, ifn_error *err)
{
    const bool is_over_threads = varies(results, n, false);
    const bool is_over_depth = varies(results, n, true) || !is_over_threads;
    chart charts[PANELS];
    int n_charts = 0;
    ifn_status status = IFN_OK;
    for (int which = 0; which < PANELS && status == IFN_OK; which++) {
        if (panels[which].is_depth ? !is_over_depth : !is_over_threads)
            continue;
        status = draw_panel(&charts[n_charts], which, results, n, err);
        n_charts += charts[n_charts].n > 0;
    }
    if (status == IFN_OK)
        status = write_charts(path, charts, n_charts, err);
    for (int i = 0; i < n_charts; i++)
        chart_free(&charts[i]);
    return status;
}
