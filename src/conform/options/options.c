#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/cpu.h>
#include <inferno/nearest.h>

#include "args.h"
#include "build.h"
#include "jobs.h"
#include "subcommands.h"

static ifn_status bad(const char *option, const char *found, const char *expected, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%.60s', expected %s", option, found,
                    expected);
}

static ifn_status too_many(const char *option, int most, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: given more than %d times", option, most);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What was found, with the name that may have been meant. */
static ifn_status misspelt(const char *option, const ifn_nearest *near, const char *expected,
                           ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%.60s', expected %s%s", option, near->word,
                    expected, ifn_nearest_hint(near, hint));
}

static ifn_status add_backend(conform_options *o, const char *text, ifn_error *err)
{
    if (o->n_backends == CONFORM_MAX_TESTED)
        return too_many("--backend", CONFORM_MAX_TESTED, err);
    o->backends[o->n_backends++] = text;
    return IFN_OK;
}

/* The expressions of the levels of simd that this processor has. */
static ifn_status add_levels(conform_options *o, ifn_error *err)
{
    static const struct {
        const char *expression;
        uint64_t features;
    } levels[] = {
#define X(NAME, text) {"simd=" text, IFN_CPU_LEVEL_##NAME},
        IFN_CPU_LEVELS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (ifn_cpu_has(ifn_cpu_detect(), levels[i].features))
            IFN_TRY(add_backend(o, levels[i].expression, err));
    return IFN_OK;
}

static ifn_status set_backend(void *values, const char *text, ifn_error *err)
{
    return strcmp(text, "simd=*") == 0 ? add_levels(values, err) : add_backend(values, text, err);
}

static ifn_status set_op(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    ifn_op op;
    ifn_nearest near = {.word = text};
    for (int i = 0; i < IFN_OP_COUNT; i++)
        ifn_nearest_offer(&near, ifn_op_name((ifn_op)i));
    if (!ifn_op_from_name(text, &op))
        return misspelt("--op", &near, "the name of an op, as in matmul", err);
    if (o->n_ops == IFN_OP_COUNT)
        return too_many("--op", IFN_OP_COUNT, err);
    o->ops[o->n_ops++] = op;
    return IFN_OK;
}

static ifn_status set_dtype(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    ifn_dtype dtype;
    ifn_nearest near = {.word = text};
    for (int i = 0; i < IFN_DTYPE_COUNT; i++)
        ifn_nearest_offer(&near, ifn_dtype_name((ifn_dtype)i));
    if (!ifn_dtype_from_name(text, &dtype))
        return misspelt("--dtype", &near, "a dtype, as in Q4_K", err);
    if (o->filter.n_dtypes == SPEC_MAX_DTYPES)
        return too_many("--dtype", SPEC_MAX_DTYPES, err);
    o->filter.dtypes[o->filter.n_dtypes++] = dtype;
    return IFN_OK;
}

/* "m=3,n=17": which dimensions these are is known once the op is. */
static ifn_status set_shape(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    while (*text) {
        const size_t name = strcspn(text, "="), whole = strcspn(text, ",");
        char number[24] = "";
        if (name == 0 || name >= whole || name >= SPEC_NAME_BYTES || whole - name > 20 ||
            o->n_shape == OPTIONS_MAX_SHAPE)
            return bad("--shape", text, "name=number, as in m=3,n=17", err);
        memcpy(number, text + name + 1, whole - name - 1);
        memcpy(o->shape[o->n_shape].name, text, name);
        IFN_TRY(args_int("--shape", number, 0, (int64_t)1 << 40, &o->shape[o->n_shape].size, err));
        o->n_shape++;
        text += whole + (text[whole] == ',');
    }
    return IFN_OK;
}

static ifn_status set_format(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    o->tap = strcmp(text, "tap") == 0;
    o->github = strcmp(text, "github") == 0;
    if (!o->tap && !o->github && strcmp(text, "text") != 0)
        return bad("--format", text, "text, tap or github", err);
    return IFN_OK;
}

static ifn_status set_seed(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    char *end;
    errno = 0;
    o->filter.seed = strtoull(text, &end, 10);
    if (!is_digit(*text) || *end || errno)
        return bad("--seed", text, "a number 0 .. 18446744073709551615", err);
    return IFN_OK;
}

/* "2/8": the third of eight. */
static ifn_status set_shard(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    char index[24] = "";
    const size_t n = strcspn(text, "/");
    if (text[n] != '/' || n >= sizeof index)
        return bad("--shard", text, "i/n with i from 0 on", err);
    memcpy(index, text, n);
    IFN_TRY(args_int("--shard", text + n + 1, 1, 1 << 20, &o->filter.n_shards, err));
    return args_int("--shard", index, 0, o->filter.n_shards - 1, &o->filter.shard, err);
}

static ifn_status set_repeat(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    o->repeat = REPEAT_UNTIL;
    if (strcmp(text, "until") == 0)
        return IFN_OK;
    return args_int("--repeat", text, 1, 1000000000, &o->repeat, err);
}

static ifn_status set_patience(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    int64_t seconds = 0;
    IFN_TRY(args_int("--patience", text, 1, 3600, &seconds, err));
    o->patience = (double)seconds;
    return IFN_OK;
}

/* "90s", "30m", "8h" */
static ifn_status set_for(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    static const struct {
        char name;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    char *end;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is_digit(*text) && !errno && n > 0 && n < 1000000 && *end == units[i].name && !end[1]) {
            o->seconds = (double)n * units[i].seconds;
            return IFN_OK;
        }
    return bad("--for", text, "a time, as in 90s, 30m or 8h", err);
}

static const char *const profiles[] = {
#define X(NAME, name, cases, stratum, model, work, sweep) name,
    CONFORM_PROFILES(X)
#undef X
        NULL};

#define AT(member)           .at = offsetof(conform_options, member)
#define CALL(word, what, fn) .name = word, .kind = ARG_CALL, .value = what, .set = fn
#define TEXT(word, what, to) .name = word, .kind = ARG_STRING, .value = what, AT(to)
#define FLAG(word, to)       .name = word, .kind = ARG_FLAG, AT(to)
#define COUNT(word, what, to, most)                                                                \
    .name = word, .kind = ARG_INT, .value = what, AT(to), .int_range = {1, most}
#define ELSEWHERE(word, what) .name = word, .kind = ARG_ELSEWHERE, .value = what

/* Those from elsewhere are read by museum.c and e2e_words.c, which take them out of the words. */
static const arg_option options[] = {
    {CALL("--backend", "EXPR", set_backend),
     .help = "what to judge; again for more, simd=* for each level (default: the best there is)"},
    {CALL("--op", "OP", set_op), .help = "this op only; again for more"},
    {CALL("--dtype", "T", set_dtype),
     .help = "this dtype of weights, cache or output only; again for more"},
    {CALL("--shape", "m=3,n=17", set_shape), .help = "these sizes only"},
    {TEXT("--spec", "PATH", spec),
     .help = "where ops/<op>.yaml are; or a file: one op's spec, or cases"},
    {.name = "--profile",
     .kind = ARG_CHOICE,
     .value = "P",
     AT(filter.profile),
     .choices = profiles,
     .help = "smoke, ci or nightly (default: smoke)"},
    {COUNT("--cases", "N", filter.n_cases, 1000000000), .help = "drawn cases per op"},
    {FLAG("--exhaustive", filter.is_exhaustive),
     .help = "every value where there are finitely many, and nothing else"},
    {CALL("--seed", "S", set_seed), .help = "another set of cases"},
    {CALL("--for", "TIME", set_for),
     .help = "one seed after another, for 90s, 30m or 8h; Ctrl-C ends it well"},
    {TEXT("--resume", "F", resume), .help = "go on after the last seed of this --json report"},
    {CALL("--shard", "i/n", set_shard), .help = "the i-th of n parts, from 0 on"},
    {TEXT("--case", "ID", id), .help = "exactly this case; or a file of cases"},
    {TEXT("--values", "V", values),
     .help = "inputs of that case, as in 'a: [[1, 2]], b: [[3], [4]]'"},
    {CALL("--repeat", "N", set_repeat),
     .help = "run that case so often; or \"until\" it fails, for a minute at most"},
    {COUNT("--jobs", "N", n_jobs, CONFORM_MAX_JOBS),
     .help = "processes at a time (default: one per processor)"},
    {CALL("--patience", "S", set_patience),
     .help = "seconds one call may take, without waits for a processor (default: 10)"},
    {TEXT("--json", "F", json), .help = "report for programs; - is standard output"},
    {TEXT("--junit", "F", junit), .help = "report for CI systems"},
    {TEXT("--html", "F", html), .help = "report as a page"},
    {TEXT("--baseline", "F", baseline), .help = "an earlier --json report, to be no worse than"},
    {TEXT("--shrunk", "F", shrunk), .help = "smallest failing cases, for --case"},
    {FLAG("--fail-fast", fail_fast),
     .help = "cheapest cases first, up to the first failure, not shrunk"},
    {FLAG("--in-process", in_process),
     .help = "no worker process: for a debugger; what is printed goes where it always does"},
    {FLAG("--all", all), .help = "every failure that was kept, not one of each cause"},
    {CALL("--format", "NAME", set_format),
     .help =
         "text, tap or github (annotations of GitHub Actions) on standard output (default: text)"},
    {FLAG("--tap", tap), .help = "the same as --format tap"},
    {FLAG("--reach", reach), .help = "every class of cases that was promised and not reached"},
    {FLAG("--quiet", quiet), .help = "no progress"},
    {ELSEWHERE("--museum", "PLUGIN.so"),
     .help = "planted faults instead, and which check kills each; PLUGIN.so may be missing"},
    {ELSEWHERE("--fault", "NAME"), .help = "of the museum: this fault only"},
    {ELSEWHERE("--lone-killers", NULL), .help = "of the museum: which faults a single check finds"},
    {ELSEWHERE("--every-killer", NULL), .help = "of the museum: all checks that find each fault"},
    {ELSEWHERE("--e2e", "MODEL.gguf"),
     .help = "whole models instead of ops; the word shipped is the project's own; again for more"},
    {ELSEWHERE("--runs", "N"), .help = "of whole models: so many runs in all"},
    {ELSEWHERE("--company", NULL),
     .help =
         "of whole models: random batches of sequences, each of which has the bits it has alone"},
    {ELSEWHERE("--explain", NULL), .help = "of whole models: look for the first bad call at once"},
};

enum { N_OPTIONS = sizeof options / sizeof *options };

const char *const conform_subcommand_words[] = {
#define X(name) #name,
    CONFORM_SUBCOMMANDS(X)
#undef X
        NULL};

static void note(void *values, const arg_option *option, const char *value);

static const arg_command command = {
    .program = "inferno",
    .name = "conform",
    .positionals = "",
    .max_positionals = ARGS_ANY_NUMBER,
    .brief = "whether a backend does what the specs say",
    .summary = "Runs every op of a backend against its contract. merge joins reports, level\n"
               "ranks them, export and judge prove kernels that are no plugin: --help after\n"
               "each of these words tells more.",
    .examples = "inferno conform --op rms_norm\n"
                "inferno conform --backend ./mine.so --op add --profile ci\n"
                "inferno conform --op matmul --shape m=3,n=17 --json matmul.json\n"
                "inferno conform --museum --fault finite_mask",
    .words = conform_subcommand_words,
    .options = options,
    .n_options = N_OPTIONS,
    .heard = note,
};

manual conform_options_manual(void)
{
    manual page = args_manual(&command);
    page.forms = "[options]\nmerge A.json B.json ... [options]\nlevel A.json ...\n"
                 "diff A.json B.json [--html F]\ndebug CASE [options]\nexport DIR [options]\njudge "
                 "DIR [options]\n"
                 "museum [PLUGIN.so] [options]\ne2e MODEL.gguf ... [options]";
    page.is_optioned = 0;
    return page;
}

int conform_options_tell(const conform_options *o)
{
    const manual page = conform_options_manual();
    if (o->help)
        manual_help(&page, stdout);
    else if (o->version)
        build_print(page.program, stdout);
    return o->help || o->version;
}

/* What leaves cases out of a run, or brings other ones. */
static int is_filter(const char *name)
{
    static const char *const filters[] = {"--op",    "--dtype",      "--shape", "--spec",
                                          "--cases", "--exhaustive", "--case"};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i], name) == 0)
            return 1;
    return 0;
}

static void note(void *values, const arg_option *option, const char *value)
{
    conform_options *const o = values;
    const size_t used = strlen(o->filters);
    o->given |= UINT64_C(1) << (option - options);
    if (is_filter(option->name))
        snprintf(o->filters + used, sizeof o->filters - used, "%s%s%s%s", used ? " " : "",
                 option->name, value ? " " : "", value ? value : "");
}

int conform_options_is(const char *word, const char *option)
{
    const size_t n = strlen(option);
    return strncmp(word, option, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

static ifn_status no_option(const char *word, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = word};
    ifn_nearest_offer_all(&near, conform_subcommand_words);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "found '%.60s', expected an option%s%s", word,
                    near.name ? "" : "; --help lists them", ifn_nearest_hint(&near, hint));
}

/* Two documents on one stream are none. */
static ifn_status check_streams(const conform_options *o, ifn_error *err)
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
        if (!reports[i].path || strcmp(reports[i].path, "-") != 0)
            continue;
        if (first)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "%s and %s: both go to standard output, expected one of them", first,
                            reports[i].name);
        first = reports[i].name;
    }
    return IFN_OK;
}

/* What another seed does not change would be run over and over. */
static ifn_status check_rounds(const conform_options *o, ifn_error *err)
{
    const char *const rounds = o->seconds > 0 ? "--for" : o->resume ? "--resume" : NULL;
    const char *const same = o->id ? "--case" : o->filter.is_exhaustive ? "--exhaustive" : NULL;
    return rounds && same ? ifn_fail(err, IFN_ERR_ARGUMENT,
                                     "%s and %s: the cases are the same for every seed, expected "
                                     "one of them",
                                     rounds, same)
                          : IFN_OK;
}

const char *conform_options_beside(const conform_options *o, const char *const *allowed)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        int is_allowed = 0;
        for (const char *const *name = allowed; *name; name++)
            is_allowed |= strcmp(*name, options[i].name) == 0;
        if (o->given >> i & 1 && !is_allowed)
            return options[i].name;
    }
    return NULL;
}

ifn_status conform_options_parse(conform_options *out, int argc, char **argv, ifn_error *err)
{
    int n_words;
    args_request request;
    *out = (conform_options){.patience = PATIENCE_USUAL,
                             .filter = {.profile = PROFILE_SMOKE, .seed = 1}};
    IFN_TRY(args_parse(&command, argc, argv, out, &n_words, &request, err));
    out->help = request == ARGS_HELP;
    out->version = request == ARGS_VERSION;
    if (request != ARGS_RUN)
        return IFN_OK;
    if (n_words > 0)
        return no_option(argv[0], err);
    IFN_TRY(check_rounds(out, err));
    if (out->repeat && !out->id)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--repeat: found no --case, expected one beside it");
    return check_streams(out, err);
}
