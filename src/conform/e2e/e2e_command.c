#include "e2e_command.h"

#include <string.h>

#include <inferno/clock.h>

#include "complain.h"
#include "e2e_opening.h"
#include "e2e_report.h"
#include "e2e_session.h"
#include "first_bad.h"
#include "messages.h"
#include "output_file.h"
#include "outputs.h"
#include "seconds.h"

/* The longest path of --shrunk that still fits a finding with ".<number>" appended. */
enum { FILE_CHARS = FIRST_BAD_PATH_BYTES - 16 };

static ifn_status check_options(const conform_options *o, ifn_error *err)
{
    const char *const file = o->shrunk;
    if (o->company && (o->explain || file))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--company: found %s beside it, which does not apply",
                        o->explain ? "--explain" : "--shrunk");
    if (file && (conform_output_is_stream(file) || strlen(file) > FILE_CHARS))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--shrunk: found '%.60s', expected a path of at most %d characters", file,
                        FILE_CHARS);
    return IFN_OK;
}

/* Opens every backend once. One that cannot be opened is wrong usage, not a failed run. */
static ifn_status name_tested(e2e_session *s, ifn_error *err)
{
    conform_options *const o = &s->options;
    if (o->n_backends == 0)
        o->backends[o->n_backends++] = NULL;
    for (int i = 0; i < o->n_backends; i++) {
        static e2e_opening opened;
        IFN_TRY(e2e_opening_learn(&opened, e2e_session_backend, o->backends[i], o->in_process,
                                  e2e_session_seconds(o), err));
        s->declared[i] = opened.declared;
        s->group[i] = e2e_opening_group(s->declared, i);
        if (!o->backends[i]) {
            snprintf(s->best, sizeof s->best, "%s", opened.expression);
            o->backends[i] = s->best;
        }
        snprintf(s->report.label[i], sizeof s->report.label[i], "%s", o->backends[i]);
        report_binary_fill(&s->report.binary[i], o->backends[i]);
        e2e_opening_report(&opened, &s->report, i);
    }
    return IFN_OK;
}

static ifn_status write_reports(const e2e_session *s, ifn_error *err)
{
    const char *const json = s->options.json;
    if (json)
        IFN_TRY(conform_write_file(json, conform_report_json, &s->report, err));
    if (conform_output_is_stream(json))
        return IFN_OK;
    e2e_report_text(&s->report, stdout);
    e2e_report_verdict(&s->report, stdout);
    return IFN_OK;
}

static ifn_status run_session(e2e_session *s, ifn_error *err)
{
    const conform_options *const o = &s->options;
    const uint64_t start = ifn_clock_ns();
    IFN_TRY(conform_check_output(o->json, err));
    IFN_TRY(conform_spec_dir(o->spec, s->spec_dir, err));
    IFN_TRY(name_tested(s, err));
    s->report.n_tested = o->n_backends;
    s->n_files = 0;
    s->report.seed = o->filter.seed;
    s->report.is_in_process = o->in_process;
    snprintf(s->report.profile, sizeof s->report.profile, "%s",
             conform_profile_name(o->filter.profile));
    progress_init(&s->progress, "conform", progress_terminal(o->quiet));
    ifn_status status = IFN_OK;
    for (int i = 0; i < s->options.n_models && status == IFN_OK; i++)
        status = e2e_session_try(s, s->options.models[i], err);
    progress_clear(&s->progress);
    IFN_TRY(status);
    s->report.seconds = seconds_since(start);
    conform_report_account(&s->report);
    conform_report_check_files(&s->report);
    s->is_writing = true;
    return write_reports(s, err);
}

int conform_e2e_main(const conform_options *options)
{
    static e2e_session s;
    ifn_error err = {0};
    int exit_status;
    s.options = *options;
    s.is_writing = false;
    conform_report_open(&s.report, 0);
    report_origin_fill(&s.report.origin, options->argc, options->argv);
    if (check_options(options, &err) != IFN_OK || run_session(&s, &err) != IFN_OK)
        exit_status = conform_complain("conform e2e", &err, s.is_writing);
    else
        exit_status = conform_report_is_conformant(&s.report) ? EXIT_DONE : EXIT_NO;
    conform_report_close(&s.report);
    return exit_status;
}
