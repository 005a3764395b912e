/* inspect: shows the contents of a GGUF file, whether it would run, and how another file differs. */
#include <inttypes.h>
#include <stdbool.h>

#include "args.h"
#include "commands.h"
#include "file_diff.h"
#include "inspection.h"
#include "messages.h"
#include "signals.h"

typedef struct inspect_options {
    const char *tensors, *diff;
    bool check, stats, json, quiet;
} inspect_options;

static const arg_option inspect_table[] = {
    {.name = "--tensors",
     .kind = ARG_STRING,
     .value = "GLOB",
     .at = offsetof(inspect_options, tensors),
     .help = "only tensors whose names fit: 'blk.0.*', '*norm*'"},
    {.name = "--stats",
     .kind = ARG_FLAG,
     .at = offsetof(inspect_options, stats),
     .help = "minimum, maximum, mean, root mean square, zeros and NaN of each tensor"},
    {.name = "--diff",
     .kind = ARG_STRING,
     .value = "OTHER.gguf",
     .at = offsetof(inspect_options, diff),
     .help = "print how that file differs instead, in metadata and in values; exit status 1 if it "
             "does"},
    {.name = "--check",
     .kind = ARG_FLAG,
     .at = offsetof(inspect_options, check),
     .help = "look at all weights, too: exit status 1 if one is not a finite number"},
    ARG_JSON(inspect_options),
    ARG_QUIET(inspect_options),
};

const arg_command inspect_command = {
    .program = INFERNO,
    .name = "inspect",
    .positionals = "FILE.gguf",
    .min_positionals = 1,
    .max_positionals = 1,
    .summary = "Prints header, metadata, tensors and sizes of a GGUF file, and what would keep\n"
               "it from running. Dimensions stand as they lie in memory: rows first, the columns\n"
               "of a row side by side (GGUF itself lists the columns first). Exit status 1 if\n"
               "the file is malformed.",
    .brief = "what is inside a GGUF file, and whether it would run",
    .examples = "inferno inspect model.gguf\n"
                "inferno inspect model.gguf --tensors 'blk.0.*' --stats",
    .options = inspect_table,
    .n_options = sizeof inspect_table / sizeof *inspect_table,
};

static void begin_reading(progress *bar, const char *what, bool quiet)
{
    progress_init(bar, what, progress_terminal(quiet));
    progress_hold_back(bar);
}

static ifn_status check_weights(inspection *self, bool quiet, ifn_error *err)
{
    progress bar;
    begin_reading(&bar, "checking weights", quiet);
    self->is_checked = true;
    const ifn_status status = tensor_check_run(&self->check, self->gguf, &bar, err);
    progress_clear(&bar);
    return status;
}

static ifn_status find_stats(inspection *self, bool quiet, ifn_error *err)
{
    progress bar;
    begin_reading(&bar, "reading weights", quiet);
    const ifn_status status = inspection_find_stats(self, &bar, err);
    progress_clear(&bar);
    return status;
}

static ifn_status inspect(const inspect_options *options, inspection *self, ifn_error *err)
{
    inspection_find_problems(self);
    if (options->stats)
        IFN_TRY(find_stats(self, options->quiet, err));
    if (options->check)
        IFN_TRY(check_weights(self, options->quiet, err));
    if (options->json)
        inspection_json(self, stdout);
    else
        inspection_print(self, stdout);
    return self->check.n == 0
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_FORMAT,
                          "%s: %zu of %" PRIu64 " tensors are not all right, the first %s",
                          ifn_gguf_path(self->gguf), self->check.n, ifn_gguf_n_tensors(self->gguf),
                          self->check.findings[0].tensor->view.name);
}

static ifn_status compare(const inspect_options *options, const inspection *self,
                          const ifn_gguf *other, bool *is_same, ifn_error *err)
{
    progress bar;
    file_diff diff;
    begin_reading(&bar, "comparing weights", options->quiet);
    const ifn_status status = file_diff_run(&diff, self, other, &bar, err);
    progress_clear(&bar);
    *is_same = file_diff_is_empty(&diff);
    if (status == IFN_OK && options->json)
        file_diff_json(&diff, stdout);
    else if (status == IFN_OK)
        file_diff_print(&diff, stdout);
    file_diff_free(&diff);
    return status;
}

static ifn_status compare_with(const inspect_options *options, const inspection *self,
                               bool *is_same, ifn_error *err)
{
    ifn_gguf *other;
    IFN_TRY(ifn_gguf_open(options->diff, NULL, &other, err));
    ifn_status status = inspection_refuse_nested(other, err);
    if (status == IFN_OK)
        status = compare(options, self, other, is_same, err);
    ifn_gguf_close(other);
    return status;
}

int cmd_inspect(int argc, char **argv)
{
    inspect_options options = {0};
    int n = 0;
    const int done = args_begin(&inspect_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    ifn_gguf *gguf;
    ifn_error err;
    bool is_same = true;
    ifn_status status = ifn_gguf_open(argv[0], NULL, &gguf, &err);
    inspection r = {.gguf = gguf, .glob = options.tensors};
    signals_mapped(gguf);
    if (status == IFN_OK)
        status = inspection_find(&r, &err);
    if (status == IFN_OK)
        status =
            options.diff ? compare_with(&options, &r, &is_same, &err) : inspect(&options, &r, &err);
    inspection_free(&r);
    signals_mapped(NULL);
    ifn_gguf_close(gguf);
    if (status != IFN_OK)
        return message_error(INFERNO, &err);
    return is_same ? EXIT_DONE : EXIT_NO;
}
