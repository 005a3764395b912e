#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/nearest.h>

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

/* A whole number in [low, high], low >= 0. */
static ifn_status read_number(const char *option, const char *text, int64_t low, int64_t high,
                              int64_t *out, ifn_error *err)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (!is_digit(*text) || *end || errno || value < low || value > high)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%.60s', expected a number %lld .. %lld",
                        option, text, (long long)low, (long long)high);
    *out = value;
    return IFN_OK;
}

/* The same, with the name that may have been meant. */
static ifn_status misspelt(const char *option, const ifn_nearest *near, const char *expected,
                           ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%.60s', expected %s%s", option, near->word,
                    expected, ifn_nearest_hint(near, hint));
}

static ifn_status set_backend(conform_options *o, const char *text, ifn_error *err)
{
    if (o->n_backends == CONFORM_MAX_SUBJECTS)
        return too_many("--backend", CONFORM_MAX_SUBJECTS, err);
    o->backends[o->n_backends++] = text;
    return IFN_OK;
}

static ifn_status set_op(conform_options *o, const char *text, ifn_error *err)
{
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

static ifn_status set_dtype(conform_options *o, const char *text, ifn_error *err)
{
    ifn_dtype dtype;
    ifn_nearest near = {.word = text};
    for (int i = 0; i < IFN_DTYPE_COUNT; i++)
        ifn_nearest_offer(&near, ifn_dtype_name((ifn_dtype)i));
    if (!ifn_dtype_from_name(text, &dtype))
        return misspelt("--dtype", &near, "a dtype, as in Q4_K", err);
    if (o->wish.n_dtypes == SPEC_MAX_DTYPES)
        return too_many("--dtype", SPEC_MAX_DTYPES, err);
    o->wish.dtypes[o->wish.n_dtypes++] = dtype;
    return IFN_OK;
}

/* "m=3,n=17": which dimensions these are is known once the op is. */
static ifn_status set_shape(conform_options *o, const char *text, ifn_error *err)
{
    while (*text) {
        const size_t name = strcspn(text, "="), whole = strcspn(text, ",");
        char number[24] = "";
        if (name == 0 || name >= whole || name >= SPEC_NAME_BYTES || whole - name > 20 ||
            o->n_shape == OPTIONS_MAX_SHAPE)
            return bad("--shape", text, "name=number, as in m=3,n=17", err);
        memcpy(number, text + name + 1, whole - name - 1);
        memcpy(o->shape[o->n_shape].name, text, name);
        IFN_TRY(
            read_number("--shape", number, 0, (int64_t)1 << 40, &o->shape[o->n_shape].size, err));
        o->n_shape++;
        text += whole + (text[whole] == ',');
    }
    return IFN_OK;
}

static ifn_status set_spec(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->spec = text;
    return IFN_OK;
}

static ifn_status set_profile(conform_options *o, const char *text, ifn_error *err)
{
    ifn_nearest near = {.word = text};
    for (int i = 0; i < PROFILE_COUNT; i++)
        ifn_nearest_offer(&near, conform_profile_name((conform_profile)i));
    if (!conform_profile_from_name(text, &o->wish.profile))
        return misspelt("--profile", &near, "smoke, ci or nightly", err);
    return IFN_OK;
}

static ifn_status set_cases(conform_options *o, const char *text, ifn_error *err)
{
    return read_number("--cases", text, 1, 1000000000, &o->wish.n_cases, err);
}

static ifn_status set_seed(conform_options *o, const char *text, ifn_error *err)
{
    char *end;
    errno = 0;
    o->wish.seed = strtoull(text, &end, 10);
    if (!is_digit(*text) || *end || errno)
        return bad("--seed", text, "a number 0 .. 18446744073709551615", err);
    return IFN_OK;
}

/* "2/8": the third of eight. */
static ifn_status set_shard(conform_options *o, const char *text, ifn_error *err)
{
    char index[24] = "";
    const size_t n = strcspn(text, "/");
    if (text[n] != '/' || n >= sizeof index)
        return bad("--shard", text, "i/n with i from 0 on", err);
    memcpy(index, text, n);
    IFN_TRY(read_number("--shard", text + n + 1, 1, 1 << 20, &o->wish.n_shards, err));
    return read_number("--shard", index, 0, o->wish.n_shards - 1, &o->wish.shard, err);
}

static ifn_status set_case(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->id = text;
    return IFN_OK;
}

static ifn_status set_values(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->values = text;
    return IFN_OK;
}

static ifn_status set_repeat(conform_options *o, const char *text, ifn_error *err)
{
    o->repeat = REPEAT_UNTIL;
    if (strcmp(text, "until") == 0)
        return IFN_OK;
    return read_number("--repeat", text, 1, 1000000000, &o->repeat, err);
}

static ifn_status set_jobs(conform_options *o, const char *text, ifn_error *err)
{
    return read_number("--jobs", text, 1, CONFORM_MAX_JOBS, &o->n_jobs, err);
}

static ifn_status set_patience(conform_options *o, const char *text, ifn_error *err)
{
    int64_t seconds = 0;
    IFN_TRY(read_number("--patience", text, 1, 3600, &seconds, err));
    o->patience = (double)seconds;
    return IFN_OK;
}

/* "90s", "30m", "8h" */
static ifn_status set_for(conform_options *o, const char *text, ifn_error *err)
{
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

static ifn_status set_resume(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->resume = text;
    return IFN_OK;
}

static ifn_status set_json(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->json = text;
    return IFN_OK;
}

static ifn_status set_junit(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->junit = text;
    return IFN_OK;
}

static ifn_status set_html(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->html = text;
    return IFN_OK;
}

static ifn_status set_shrunk(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->shrunk = text;
    return IFN_OK;
}

static ifn_status set_baseline(conform_options *o, const char *text, ifn_error *err)
{
    (void)err;
    o->baseline = text;
    return IFN_OK;
}

static void set_exhaustive(conform_options *o)
{
    o->wish.is_exhaustive = 1;
}

static void set_in_process(conform_options *o)
{
    o->in_process = 1;
}

static void set_tap(conform_options *o)
{
    o->tap = 1;
}

static void set_quiet(conform_options *o)
{
    o->quiet = 1;
}

static void set_fail_fast(conform_options *o)
{
    o->fail_fast = 1;
}

static void set_reach(conform_options *o)
{
    o->reach = true;
}

static void set_all(conform_options *o)
{
    o->all = 1;
}

typedef struct entry {
    const char *name, *value, *help;
    ifn_status (*set)(conform_options *o, const char *text, ifn_error *err);
    void (*flag)(conform_options *o); /* instead of set, where there is no value */
} entry;

static const entry options[] = {
    {"--backend", "EXPR", "what to judge; again for more (default: the best there is)", set_backend,
     NULL},
    {"--op", "OP", "this op only; again for more", set_op, NULL},
    {"--dtype", "T", "this dtype of weights, cache or output only; again for more", set_dtype,
     NULL},
    {"--shape", "m=3,n=17", "these sizes only", set_shape, NULL},
    {"--spec", "PATH", "where ops/<op>.yaml are; or a file: one op's spec, or cases", set_spec,
     NULL},
    {"--profile", "P", "smoke, ci or nightly (default: smoke)", set_profile, NULL},
    {"--cases", "N", "drawn cases per op", set_cases, NULL},
    {"--exhaustive", NULL, "every value where there are finitely many, and nothing else", NULL,
     set_exhaustive},
    {"--seed", "S", "another set of cases", set_seed, NULL},
    {"--for", "TIME", "one seed after another, for 90s, 30m or 8h; Ctrl-C ends it well", set_for,
     NULL},
    {"--resume", "F", "go on after the last seed of this --json report", set_resume, NULL},
    {"--shard", "i/n", "the i-th of n parts, from 0 on", set_shard, NULL},
    {"--case", "ID", "exactly this case; or a file of cases", set_case, NULL},
    {"--values", "V", "inputs of that case, as in 'a: [[1, 2]], b: [[3], [4]]'", set_values, NULL},
    {"--repeat", "N", "run that case so often; or \"until\" it fails, for a minute at most",
     set_repeat, NULL},
    {"--jobs", "N", "processes at a time (default: one per processor)", set_jobs, NULL},
    {"--patience", "S", "seconds one call may take, without waits for a processor (default: 10)",
     set_patience, NULL},
    {"--json", "F", "report for programs; - is standard output", set_json, NULL},
    {"--junit", "F", "report for CI systems", set_junit, NULL},
    {"--html", "F", "report as a page", set_html, NULL},
    {"--baseline", "F", "an earlier --json report, to be no worse than", set_baseline, NULL},
    {"--shrunk", "F", "smallest failing cases, for --case", set_shrunk, NULL},
    {"--fail-fast", NULL, "cheapest cases first, up to the first failure, not shrunk", NULL,
     set_fail_fast},
    {"--in-process", NULL,
     "no worker process: for a debugger; what is printed goes where it always does", NULL,
     set_in_process},
    {"--all", NULL, "every failure that was kept, not one of each cause", NULL, set_all},
    {"--tap", NULL, "TAP on standard output instead of the table", NULL, set_tap},
    {"--reach", NULL, "every class of cases that was promised and not reached", NULL, set_reach},
    {"--quiet", NULL, "no progress", NULL, set_quiet},
};

/* Read by museum.c and e2e_words.c, which take them out of the words before. */
static const entry elsewhere[] = {
    {"--museum", "PLUGIN.so",
     "planted faults instead, and which check kills each; PLUGIN.so may be missing", NULL, NULL},
    {"--fault", "NAME", "of the museum: this fault only", NULL, NULL},
    {"--lone-killers", NULL, "of the museum: which faults a single check finds", NULL, NULL},
    {"--every-killer", NULL, "of the museum: all checks that find each fault", NULL, NULL},
    {"--e2e", "MODEL.gguf",
     "whole models instead of ops; the word shipped is the project's own; again for more", NULL,
     NULL},
    {"--runs", "N", "of whole models: so many runs in all", NULL, NULL},
    {"--explain", NULL, "of whole models: look for the first bad call at once", NULL, NULL},
};

enum {
    N_OPTIONS = sizeof options / sizeof *options,
    N_ELSEWHERE = sizeof elsewhere / sizeof *elsewhere
};

static const entry *entry_at(size_t i)
{
    return i < N_OPTIONS ? &options[i] : &elsewhere[i - N_OPTIONS];
}

static manual_option option_at(const void *table, size_t i)
{
    const entry *const e = entry_at(i);
    (void)table;
    return (manual_option){.name = e->name, .value = e->value, .help = e->help};
}

const char *const conform_subcommand_words[] = {
#define X(name) #name,
    CONFORM_SUBCOMMANDS(X)
#undef X
        NULL};

manual conform_options_manual(void)
{
    return (manual){
        .program = "inferno",
        .name = "conform",
        .brief = "whether a backend does what the specs say",
        .forms = "[options]\nmerge A.json B.json ... [options]\nlevel A.json ...\n"
                 "export DIR [options]\njudge DIR [options]\n"
                 "--museum [PLUGIN.so] [options]\n--e2e MODEL.gguf [options]",
        .summary = "Runs every op of a backend against its contract. merge joins reports, level\n"
                   "ranks them, export and judge prove kernels that are no plugin: --help behind\n"
                   "each of these words tells more.",
        .examples = "inferno conform --op rms_norm\n"
                    "inferno conform --backend ./mine.so --op add --profile ci\n"
                    "inferno conform --op matmul --shape m=3,n=17 --json matmul.json\n"
                    "inferno conform --museum --fault finite_mask",
        .words = conform_subcommand_words,
        .n_options = N_OPTIONS + N_ELSEWHERE,
        .option_at = option_at,
    };
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

static void note_filter(conform_options *o, const char *name, const char *value)
{
    const size_t used = strlen(o->filters);
    if (is_filter(name))
        snprintf(o->filters + used, sizeof o->filters - used, "%s%s%s%s", used ? " " : "", name,
                 value ? " " : "", value ? value : "");
}

int conform_options_is(const char *word, const char *option)
{
    const size_t n = strlen(option);
    return strncmp(word, option, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

static int unknown(const char *word, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = word};
    for (size_t i = 0; i < N_OPTIONS + N_ELSEWHERE; i++)
        ifn_nearest_offer(&near, entry_at(i)->name);
    ifn_nearest_offer_all(&near, conform_subcommand_words);
    (void)ifn_fail(err, IFN_ERR_ARGUMENT, "found '%.60s', expected an option%s%s", word,
                   near.name ? "" : "; --help lists them", ifn_nearest_hint(&near, hint));
    return 0;
}

/* "--op=matmul" or "--op matmul". Returns how many arguments were used, 0 on failure. */
static int parse_one(conform_options *o, int argc, char **argv, ifn_error *err)
{
    const size_t n = strcspn(argv[0], "=");
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
        return o->help = 1;
    if (strcmp(argv[0], "--version") == 0)
        return o->version = 1;
    for (int i = 0; i < N_OPTIONS; i++) {
        const char *value = argv[0][n] ? argv[0] + n + 1 : argc > 1 ? argv[1] : NULL;
        if (!conform_options_is(argv[0], options[i].name))
            continue;
        o->given |= UINT64_C(1) << i;
        if (options[i].flag && argv[0][n])
            (void)bad(options[i].name, argv[0] + n, "no value", err);
        if (options[i].flag) {
            options[i].flag(o);
            note_filter(o, options[i].name, NULL);
            return argv[0][n] ? 0 : 1;
        }
        if (!value)
            (void)ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found nothing, expected %s", options[i].name,
                           options[i].value);
        if (!value || options[i].set(o, value, err) != IFN_OK)
            return 0;
        note_filter(o, options[i].name, value);
        return argv[0][n] ? 1 : 2;
    }
    return unknown(argv[0], err);
}

/* Two documents on one stream are none. */
static ifn_status check_streams(const conform_options *o, ifn_error *err)
{
    const struct {
        const char *name, *path;
    } reports[] = {{"--tap", o->tap ? "-" : NULL},
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
    const char *const same = o->id ? "--case" : o->wish.is_exhaustive ? "--exhaustive" : NULL;
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
    ifn_error local = {0};
    *out = (conform_options){.patience = PATIENCE_USUAL,
                             .wish = {.profile = PROFILE_SMOKE, .seed = 1}};
    for (int i = 1; i < argc;) {
        const int used = parse_one(out, argc - i, argv + i, &local);
        if (!used)
            return ifn_fail(err, local.status, "%s", local.text);
        i += used;
    }
    IFN_TRY(check_rounds(out, err));
    if (out->repeat && !out->id)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--repeat: found no --case, expected one beside it");
    return check_streams(out, err);
}
