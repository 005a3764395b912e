#include "outputs.h"

#include <string.h>
#include <unistd.h>

#include "output_file.h"
#include "progress.h"
#include "shrunk_file.h"

bool conform_output_is_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

ifn_status conform_outputs_check_streams(const conform_options *o, ifn_error *err)
{
    const struct {
        const char *name, *path;
    } reports[] = {{o->github ? "--format" : "--tap", o->tap || o->github ? "-" : NULL},
                   {"--json", o->json},
                   {"--junit", o->junit},
                   {"--html", o->html},
                   {"--shrunk", o->shrunk}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        if (!conform_output_is_stream(reports[i].path))
            continue;
        if (first)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "%s and %s: both go to standard output, expected one of them", first,
                            reports[i].name);
        first = reports[i].name;
    }
    return IFN_OK;
}

ifn_status conform_outputs_check(const conform_options *o, ifn_error *err)
{
    const char *const paths[] = {o->json, o->html, o->junit, o->shrunk};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        IFN_TRY(conform_check_output(paths[i], err));
    return IFN_OK;
}

static void put_text(const conform_report *r)
{
    const bool is_terminal = isatty(STDOUT_FILENO), colour = is_terminal && !progress_is_plain();
    (is_terminal ? conform_report_terminal : conform_report_text)(r, colour, stdout);
}

ifn_status conform_outputs_write(const conform_options *o, const conform_report *r, ifn_error *err)
{
    const struct {
        const char *path;
        void (*put)(const conform_report *r, FILE *out);
    } reports[] = {{o->json, conform_report_json},
                   {o->html, conform_report_html},
                   {o->junit, conform_report_junit},
                   {o->shrunk, conform_put_shrunk}};
    bool is_taken = o->tap || o->github;
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        if (reports[i].path)
            IFN_TRY(conform_write_file(reports[i].path, reports[i].put, r, err));
        is_taken |= conform_output_is_stream(reports[i].path);
    }
    if (o->tap)
        conform_report_tap(r, stdout);
    else if (o->github)
        conform_report_github(r, stdout);
    else if (!is_taken)
        put_text(r);
    return IFN_OK;
}
