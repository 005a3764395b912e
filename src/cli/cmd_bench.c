/* bench: times ops (bench_ops.c), matrix products (bench_products.c) and models (bench_model.c). */
#include <stdbool.h>
#include <string.h>

#include <inferno/context.h>

#include "args.h"
#include "bench_chart.h"
#include "bench_model.h"
#include "bench_ops.h"
#include "bench_products.h"
#include "commands.h"
#include "generate_options.h"
#include "messages.h"
#include "page_sizes.h"
#include "team.h"

typedef struct bench_options {
    const char *op, *shape, *dtypes, *chart;
    arg_list backends;
    /* of ops, as they were typed */
    const char *sizes, *level, *openblas, *against;
    /* of a MODEL */
    const char *prompts, *decodes, *depths, *threads, *batches, *sequences, *compare, *cache;
    int64_t n_runs, n_pages;
    int page_size;
    int output, kv;
    bool wall, json, quiet;
} bench_options;

enum { MAX_EXTENT = 1 << 16, MAX_THREADS = 1024 };

/* In the order of bench_format. */
static const char *const formats[] = {"md", "csv", "json", NULL};

#define AT(member) offsetof(bench_options, member)
static const arg_option bench_table[] = {
    {.name = "--op",
     .kind = ARG_STRING,
     .value = "OP",
     .at = AT(op),
     .help = "time this op, several with commas between them, or all; of `ops`: this product "
             "only"},
    {.name = "--shape",
     .kind = ARG_STRING,
     .value = "rows=1,n=9",
     .at = AT(shape),
     .help = "sizes of the calls of --op, by the names that case ids have; others are a "
             "model's"},
    {.name = "--dtype",
     .kind = ARG_STRING,
     .value = "T,...",
     .at = AT(dtypes),
     .help = "dtypes of weights, tables, caches or what is written, for --op"},
    {.name = "--sizes",
     .kind = ARG_STRING,
     .value = "MxNxP,...",
     .at = AT(sizes),
     .help = "rows, depth and columns of the products of `ops`; 256 is 256x256x256"},
    {.name = "--level",
     .kind = ARG_STRING,
     .value = "LEVEL",
     .at = AT(level),
     .help = "this level of the simd backend only, of `ops`"},
    {.name = "--openblas",
     .kind = ARG_STRING,
     .value = "MxNxP",
     .at = AT(openblas),
     .help = "print how long OpenBLAS needs for one product, in units of the loop of "
             "multiplications and additions, and nothing else"},
    {.name = "--against",
     .kind = ARG_STRING,
     .value = "EXPR",
     .at = AT(against),
     .help = "time this backend, too, on one thread and weights as they lie in a file, in turn "
             "with each kernel; weights then stay in a cache, also for few rows"},
    {.name = "--backend",
     .kind = ARG_LIST,
     .value = "EXPR",
     .at = AT(backends),
     .help = "what is timed, plugins too, may be repeated; default: the best there is, of `ops` "
             "each level of simd"},
    {.name = "-p",
     .alias = "--prompt",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(prompts),
     .help = "tokens of a MODEL's prompt, 0 for no such test; default: 512"},
    {.name = "-n",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(decodes),
     .help = "tokens a MODEL decodes one by one, 0 for no such test; default: 128"},
    {.name = "-d",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(depths),
     .help = "tokens in the context before each test; default: 0"},
    {.name = "-t",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(threads),
     .help = "threads; default: one for each processor, of --op and `ops` one"},
    {.name = "-b",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(batches),
     .help = "tokens of a prompt in one pass; default: 512"},
    {.name = "--batch",
     .kind = ARG_STRING,
     .value = "N,...",
     .at = AT(sequences),
     .help = "sequences that are decoded together, each -n tokens, all of which count; default: 1"},
    {.name = "--kv",
     .kind = ARG_CHOICE,
     .at = AT(kv),
     .choices = generate_kv_words + IFN_KV_F32,
     .help = "the KV cache of a MODEL; default: basic (f32)"},
    {.name = "--page-rows",
     .kind = ARG_CHOICE,
     .value = "N",
     .at = AT(page_size),
     .choices = page_size_words,
     .help = "the KV cache of a MODEL in pages of 16, 32, 64, 128 or 256 rows; default: none"},
    {.name = "--pages",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(n_pages),
     .int_range = {1, INT32_MAX},
     .help =
         "with --page-rows: so many pages in all; default: as many as the sequences could fill"},
    GENERATE_OPTION_CACHE(bench_options),
    {.name = "-r",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(n_runs),
     .int_range = {1, BENCH_MAX_RUNS},
     .help = "runs of each test of a MODEL, after one that does not count; default: 5"},
    {.name = "--wall",
     .kind = ARG_FLAG,
     .at = AT(wall),
     .help = "the wall clock for one thread, too, as for several"},
    {.name = "-o",
     .kind = ARG_CHOICE,
     .at = AT(output),
     .choices = formats,
     .help = "how results are printed; default: md, a table in Markdown"},
    {.name = "--chart",
     .kind = ARG_STRING,
     .value = "FILE.svg",
     .at = AT(chart),
     .help = "draw the ops under their roofs, or a MODEL's tokens per second over depth and "
             "threads; -: in characters, below the table"},
    {.name = "--compare",
     .kind = ARG_STRING,
     .value = "OLD.json",
     .at = AT(compare),
     .help = "an older result of a MODEL's tests, to say what is faster and what is slower"},
    ARG_JSON(bench_options),
    ARG_QUIET(bench_options),
};
#undef AT

static const char *const bench_words[] = {"ops", NULL};

const arg_command bench_command = {
    .program = INFERNO,
    .name = "bench",
    .positionals = "[ops|MODEL...]",
    .min_positionals = 0,
    .max_positionals = ARGS_ANY_NUMBER,
    .summary = "--op times calls as a model in use makes them, beside scalar and simd and what\n"
               "the machine allows, measured in the same run: operations, or bytes from where\n"
               "they lie; what comes out of a cache has no share of the memory's speed. ops\n"
               "times the products of every level, matmul in turn with OpenBLAS and oneDNN\n"
               "where they are installed. A MODEL reads prompts (pp) and decodes single tokens\n"
               "(tg), for all combinations of -p, -n, -d, -t and -b, as llama-bench does, and\n"
               "each --batch. One thread is timed in its own processor time, which others do\n"
               "not spoil, several, and a device, by the wall clock. A kernel that fails its\n"
               "conformance cases has no speed.",
    .brief = "how fast ops on any backend and whole models are",
    .examples = "inferno bench model.gguf -p 16 -n 4\n"
                "inferno bench --op rms_norm --backend scalar",
    .words = bench_words,
    .options = bench_table,
    .n_options = sizeof bench_table / sizeof *bench_table,
};

/* Parses the lists, so that wrong ones are refused before any model is opened. */
static ifn_status read_lists(const bench_options *o, bench_model *out, ifn_error *err)
{
    IFN_TRY(bench_list_read("-p", o->prompts, 0, MAX_EXTENT, &out->prompts, err));
    IFN_TRY(bench_list_read("-n", o->decodes, 0, MAX_EXTENT, &out->decodes, err));
    IFN_TRY(bench_list_read("-d", o->depths, 0, 1 << 20, &out->depths, err));
    IFN_TRY(bench_list_read("-b", o->batches, 1, MAX_EXTENT, &out->batches, err));
    IFN_TRY(bench_list_read("--batch", o->sequences, 1, BENCH_MAX_SEQUENCES, &out->sequences, err));
    out->threads = (bench_list){.n = 1};
    if (o->threads)
        IFN_TRY(bench_list_read("-t", o->threads, 1, MAX_THREADS, &out->threads, err));
    return bench_list_largest(&out->prompts) + bench_list_largest(&out->decodes) > 0
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_ARGUMENT, "bench: -p 0 and -n 0: nothing is to be timed");
}

static bench_format format_of(const bench_options *o)
{
    return o->json ? BENCH_JSON : (bench_format)o->output;
}

static ifn_status measure_models(const bench_options *o, char **paths, int n_paths, ifn_error *err)
{
    bench_model model = {.paths = paths,
                         .n_paths = n_paths,
                         .backends = o->backends,
                         .n_runs = o->n_runs,
                         .kv = IFN_KV_F32 + o->kv,
                         .page_rows = page_size_of(o->page_size),
                         .n_pages = o->n_pages,
                         .is_wall = o->wall,
                         .is_quiet = o->quiet,
                         .format = format_of(o),
                         .old = o->compare,
                         .cache = o->cache,
                         .chart = o->chart};
    if (o->n_pages && !o->page_size)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "bench: --pages without --page-rows, expected both");
    IFN_TRY(read_lists(o, &model, err));
    return bench_model_run(&model, err);
}

static ifn_status measure_ops(const bench_options *o, ifn_error *err)
{
    bench_ops ops = {.op = o->op,
                     .shape = o->shape,
                     .dtypes = o->dtypes,
                     .backends = o->backends,
                     .chart = o->chart,
                     .format = format_of(o),
                     .is_wall = o->wall,
                     .is_quiet = o->quiet};
    if (!o->op)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "bench: found nothing to time, expected --op, ops or a MODEL");
    if (o->threads)
        IFN_TRY(args_int("-t", o->threads, 1, TEAM_MAX, &ops.n_threads, err));
    IFN_TRY(bench_chart_check(o->chart, ops.format, err));
    return bench_ops_run(&ops, err);
}

static ifn_status measure_products(const bench_options *o, int n_positionals, char **argv,
                                   ifn_error *err)
{
    bench_products products = {.op = o->op,
                               .sizes = o->sizes,
                               .level = o->level,
                               .openblas = o->openblas,
                               .against = o->against,
                               .backend = o->backends.n ? o->backends.items[0] : NULL,
                               .json = o->json};
    if (n_positionals > 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "bench ops: found %s, expected nothing after ops",
                        argv[1]);
    if (o->threads)
        IFN_TRY(args_int("-t", o->threads, 1, TEAM_MAX, &products.n_threads, err));
    return o->openblas ? bench_products_openblas(&products, err)
                       : bench_products_run(&products, err);
}

int cmd_bench(int argc, char **argv)
{
    bench_options options = {.prompts = "512",
                             .decodes = "128",
                             .depths = "0",
                             .batches = "512",
                             .sequences = "1",
                             .n_runs = 5};
    ifn_error err;
    int n = 0;
    const int done = args_begin(&bench_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    const ifn_status status = n == 0 ? measure_ops(&options, &err)
                              : strcmp(argv[0], "ops") == 0
                                  ? measure_products(&options, n, argv, &err)
                                  : measure_models(&options, argv, n, &err);
    return status == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
}
