#include "subcommands.h"

#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "option_values.h"

const char *const conform_subcommand_words[] = {
#define X(name) #name,
    CONFORM_SUBCOMMANDS(X)
#undef X
        NULL};

static const char *const profiles[] = {
#define X(NAME, name, cases, stratum, model, work, sweep) name,
    CONFORM_PROFILES(X)
#undef X
        NULL};

/* Names in the order of IFN_ROUND_*. */
static const char *const products[] = {"f32", "tf32", "bf16", "f16", NULL};

#define AT(member)           .at = offsetof(conform_options, member)
#define CALL(word, what, fn) .name = word, .kind = ARG_CALL, .value = what, .set = fn
#define TEXT(word, what, to) .name = word, .kind = ARG_STRING, .value = what, AT(to)
#define FLAG(word, to)       .name = word, .kind = ARG_FLAG, AT(to)
#define COUNT(word, what, to, most)                                                                \
    .name = word, .kind = ARG_INT, .value = what, AT(to), .int_range = {1, most}
/* Bits of the commands that accept an option. */
enum {
    OPS = 1 << SUBCOMMAND_COUNT,
    E2E = 1 << SUBCOMMAND_e2e,
    MUSEUM = 1 << SUBCOMMAND_museum,
    DEBUG = 1 << SUBCOMMAND_debug,
    EXPORT = 1 << SUBCOMMAND_export,
    JUDGE = 1 << SUBCOMMAND_judge,
    MERGE = 1 << SUBCOMMAND_merge,
    DIFF = 1 << SUBCOMMAND_diff
};
#define IN(bits) .commands = (bits)

static const arg_option rows[] = {
    {CALL("--backend", "EXPR", conform_set_backend), IN(OPS | E2E | MUSEUM | DEBUG),
     .help = "what to judge; again for more, simd=* for each level (default: the best there is)"},
    {CALL("--op", "OP", conform_set_op), IN(OPS | MUSEUM | EXPORT),
     .help = "this op only; again for more"},
    {CALL("--dtype", "T", conform_set_dtype), IN(OPS | EXPORT),
     .help = "this dtype of weights, cache or output only; again for more"},
    {CALL("--shape", "m=3,n=17", conform_set_shape), IN(OPS | EXPORT), .help = "these sizes only"},
    {TEXT("--spec", "PATH", spec), IN(OPS | E2E | MUSEUM | DEBUG | EXPORT | JUDGE),
     .help = "where ops/<op>.yaml are; or a file: one op's spec, or cases"},
    {.name = "--profile",
     .kind = ARG_CHOICE,
     .value = "P",
     AT(filter.profile),
     IN(OPS | E2E | MUSEUM | EXPORT),
     .choices = profiles,
     .help = "smoke, ci or nightly (default: smoke)"},
    {.name = "--products",
     .kind = ARG_CHOICE,
     .value = "T",
     AT(products),
     IN(EXPORT),
     .choices = products,
     .help = "f32, tf32, bf16 or f16: what both factors of a product may be rounded to (default: "
             "f32)"},
    {FLAG("--ftz", ftz), IN(EXPORT), .help = "subnormals may be flushed"},
    {COUNT("--cases", "N", filter.n_cases, 1000000000), IN(OPS | MUSEUM | EXPORT),
     .help = "drawn cases per op"},
    {FLAG("--exhaustive", filter.is_exhaustive), IN(OPS),
     .help = "every value where there are finitely many, and nothing else"},
    {CALL("--seed", "S", conform_set_seed), IN(OPS | E2E | MUSEUM | EXPORT),
     .help = "another set of cases"},
    {CALL("--for", "TIME", conform_set_for), IN(OPS),
     .help = "one seed after another, for 90s, 30m or 8h; Ctrl-C ends it well"},
    {TEXT("--resume", "F", resume), IN(OPS),
     .help = "go on after the last seed of this --json report"},
    {CALL("--shard", "i/n", conform_set_shard), IN(OPS | EXPORT),
     .help = "the i-th of n parts, from 0 on"},
    {TEXT("--case", "ID", id), IN(OPS), .help = "exactly this case; or a file of cases"},
    {TEXT("--values", "V", values), IN(OPS | DEBUG),
     .help = "inputs of that case, as in 'a: [[1, 2]], b: [[3], [4]]'"},
    {CALL("--repeat", "N", conform_set_repeat), IN(OPS),
     .help = "run that case so often; or \"until\" it fails, for a minute at most"},
    {COUNT("--jobs", "N", n_jobs, CONFORM_MAX_JOBS), IN(OPS | MUSEUM),
     .help = "processes at a time (default: one per processor)"},
    {CALL("--patience", "S", conform_set_patience), IN(OPS | E2E | MUSEUM | DEBUG),
     .help = "seconds one call may take, without waits for a processor (default: 10)"},
    {TEXT("--json", "F", json), IN(OPS | E2E | MUSEUM | MERGE),
     .help = "report for programs; - is standard output"},
    {TEXT("--junit", "F", junit), IN(OPS | MERGE), .help = "report for CI systems"},
    {TEXT("--html", "F", html), IN(OPS | MUSEUM | MERGE | DIFF), .help = "report as a page"},
    {TEXT("--baseline", "F", baseline), IN(OPS),
     .help = "an earlier --json report, to be no worse than"},
    {TEXT("--shrunk", "F", shrunk), IN(OPS | E2E), .help = "smallest failing cases, for --case"},
    {FLAG("--fail-fast", fail_fast), IN(OPS),
     .help = "cheapest cases first, up to the first failure, not shrunk"},
    {FLAG("--in-process", in_process), IN(OPS | E2E),
     .help = "no worker process: for a debugger; what is printed goes where it always does"},
    {FLAG("--all", all), IN(OPS), .help = "every failure that was kept, not one of each cause"},
    {CALL("--format", "NAME", conform_set_format), IN(OPS | MERGE),
     .help =
         "text, tap or github (annotations of GitHub Actions) on standard output (default: text)"},
    {FLAG("--tap", tap), IN(OPS | MERGE), .help = "the same as --format tap"},
    {FLAG("--reach", reach), IN(OPS),
     .help = "every class of cases that was promised and not reached"},
    {FLAG("--quiet", quiet), IN(OPS | E2E | MUSEUM), .help = "no progress"},
    {.name = "--museum",
     .kind = ARG_OPTIONAL_STRING,
     .value = "PLUGIN.so",
     AT(museum),
     IN(OPS),
     .help = "planted faults instead, and which check kills each; PLUGIN.so may be missing"},
    {TEXT("--fault", "NAME", fault), IN(MUSEUM), .help = "of the museum: this fault only"},
    {FLAG("--lone-killers", lone_killers), IN(MUSEUM),
     .help = "of the museum: which faults a single check finds"},
    {FLAG("--every-killer", every_killer), IN(MUSEUM),
     .help = "of the museum: all checks that find each fault"},
    {CALL("--e2e", "MODEL.gguf", conform_set_model), IN(OPS),
     .help = "whole models instead of ops; the word shipped is the project's own; again for more"},
    {COUNT("--runs", "N", n_runs, 1000000), IN(E2E),
     .help = "of whole models: so many runs in all; with --company batches in each mode"},
    {FLAG("--company", company), IN(E2E),
     .help =
         "of whole models: random batches of sequences, each of which has the bits it has alone"},
    {FLAG("--explain", explain), IN(E2E),
     .help = "of whole models: look for the first bad call at once"},
    {TEXT("--dir", "DIR", dir), IN(DEBUG), .help = "write all of it there, as .npy files"},
    {FLAG("--gdb", gdb), IN(DEBUG), .help = "start a debugger that stops at the call"},
};

/* Returns true for an option that leaves cases out of a run, or adds other ones. */
static bool is_filter(const char *name)
{
    static const char *const filters[] = {"--op",    "--dtype",      "--shape", "--spec",
                                          "--cases", "--exhaustive", "--case"};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i], name) == 0)
            return true;
    return false;
}

static void note(void *values, const arg_option *option, const char *value)
{
    conform_options *const o = values;
    const size_t used = strlen(o->filters);
    o->given |= UINT64_C(1) << (option - rows);
    if (is_filter(option->name))
        snprintf(o->filters + used, sizeof o->filters - used, "%s%s%s%s", used ? " " : "",
                 option->name, value ? " " : "", value ? value : "");
}

uint64_t conform_option_bit(const char *name)
{
    size_t i = 0;
    while (strcmp(rows[i].name, name) != 0)
        i++;
    return UINT64_C(1) << i;
}

#define COMMAND(word, most)                                                                        \
    .program = "inferno", .name = word, .max_positionals = most, .options = rows,                  \
    .n_options = sizeof rows / sizeof *rows, .heard = note
#define SUBCOMMAND(word, least, most)                                                              \
    COMMAND("conform " #word, most), .min_positionals = least, .bits = 1 << SUBCOMMAND_##word

const arg_command conform_commands[SUBCOMMAND_COUNT + 1] = {
    [SUBCOMMAND_COUNT] =
        {COMMAND("conform", 0),
         .bits = 1 << SUBCOMMAND_COUNT | 1 << SUBCOMMAND_e2e | 1 << SUBCOMMAND_museum,
         .positionals = "", .brief = "whether a backend does what the specs say",
         .summary = "Runs every op of a backend against its contract. merge joins reports, level\n"
                    "ranks them, export and judge prove kernels that are no plugin: --help after\n"
                    "each of these words tells more.",
         .examples = "inferno conform --op rms_norm\n"
                     "inferno conform --backend ./mine.so --op add --profile ci\n"
                     "inferno conform --op matmul --shape m=3,n=17 --json matmul.json\n"
                     "inferno conform --museum --fault finite_mask",
         .words = conform_subcommand_words},
    [SUBCOMMAND_merge] =
        {SUBCOMMAND(merge, 1, ARGS_ANY_NUMBER), .positionals = "A.json B.json ...",
         .brief = "the reports of shards as one",
         .summary =
             "Joins the reports of shards, and says whether all of it is conformant. Reports\n"
             "of other programs, plugins, profiles, seeds or filters are refused; so is a\n"
             "shard given twice. A shard that is missing is named, and what remains is not\n"
             "conformant.",
         .examples = "inferno conform --op add --shard 0/2 --json 0.json --quiet >0.txt\n"
                     "inferno conform --op add --shard 1/2 --json 1.json --quiet >1.txt\n"
                     "inferno conform merge 0.json 1.json --html page.html"},
    [SUBCOMMAND_level] = {SUBCOMMAND(level, 1, ARGS_ANY_NUMBER), .positionals = "A.json ...",
                          .brief = "the rank of each backend of reports",
                          .summary = "The rank of each backend, from the counts of its reports.",
                          .examples = "inferno conform level report.json"},
    [SUBCOMMAND_export] = {SUBCOMMAND(export, 1, 1), .positionals = "DIR",
                           .brief = "inputs, truth and bounds as files",
                           .summary =
                               "Writes inputs, truth and bounds as .npy files with an index.",
                           .examples = "inferno conform export cases --op copy_in --cases 4"},
    [SUBCOMMAND_judge] =
        {SUBCOMMAND(judge, 1, 1), .positionals = "DIR",
         .brief = "outputs that lie beside what was exported",
         .summary =
             "Judges the outputs that were put beside what export has written: of every case\n"
             "of its plan, or it is not conformant.",
         .examples = "inferno conform judge cases"},
    [SUBCOMMAND_debug] =
        {SUBCOMMAND(debug, 1, 1), .positionals = "CASE",
         .brief = "one case: its id in words, inputs, truth and results",
         .summary =
             "Says what the id of a case means, runs it on a backend in this process, and\n"
             "shows inputs, truth, results and errors, of large tensors what lies around the\n"
             "worst element.",
         .examples = "inferno conform debug add/F32/n=3/T1/normal/raw/0/1 --backend scalar"},
    [SUBCOMMAND_diff] =
        {SUBCOMMAND(diff, 2, 2), .positionals = "A.json B.json",
         .brief = "what is new, gone, better or worse",
         .summary =
             "Compares two reports, op by op and backend by backend. 1 where B is worse than\n"
             "A: more failures, a new problem, a lower rank.",
         .examples = "inferno conform --op add --json a.json --quiet >a.txt\n"
                     "inferno conform --op add --json b.json --seed 2 --quiet >b.txt\n"
                     "inferno conform diff a.json b.json"},
    [SUBCOMMAND_e2e] =
        {SUBCOMMAND(e2e, 1, ARGS_ANY_NUMBER), .positionals = "MODEL.gguf ...",
         .brief = "whole models against a pass in double precision",
         .summary =
             "Runs models on a backend, prompts whole and in chunks, with every cache, against\n"
             "an f64 pass; where one fails, the first op that breaks its contract is named.\n"
             "The word shipped is the project's own model. `inferno conform --e2e MODEL` is\n"
             "the same.",
         .examples = "inferno conform e2e shipped --runs 1 --backend scalar"},
    [SUBCOMMAND_museum] =
        {SUBCOMMAND(museum, 0, 1), .positionals = "[PLUGIN.so]",
         .brief = "planted faults, and which check finds each",
         .summary =
             "Judges every fault of a plugin of planted ones, the project's own where none is\n"
             "named: each must be found. `inferno conform --museum` is the same.",
         .examples = "inferno conform museum --fault finite_mask"},
};

/* Returns the forms of `inferno conform`, one per line. */
static const char *all_forms(void)
{
    static char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "[options]");
    for (int i = 0; i < SUBCOMMAND_COUNT && used < sizeof text; i++) {
        const manual page = args_manual(&conform_commands[i]);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n%s%s %s",
                                 conform_subcommand_words[i], page.is_optioned ? " [options]" : "",
                                 page.forms);
    }
    return text;
}

manual conform_command_manual(conform_subcommand command)
{
    manual page = args_manual(&conform_commands[command]);
    if (command == SUBCOMMAND_COUNT) {
        page.forms = all_forms();
        page.is_optioned = false;
    }
    return page;
}
