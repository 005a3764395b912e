/* bench ops: how fast the products of a level are, beside what the machine could do and OpenBLAS
 * does. A kernel that fails its conformance cases has no speed. bench MODEL: bench_model.c. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/nearest.h>

#include "args.h"
#include "bench.h"
#include "bench_case.h"
#include "bench_model.h"
#include "bench_report.h"
#include "commands.h"
#include "json_writer.h"
#include "messages.h"
#include "plugin_watch.h"

typedef struct bench_options {
    const char *op, *sizes, *level, *openblas, *against;
    /* of a MODEL, as they were typed */
    const char *backend, *prompts, *decodes, *depths, *threads, *batches, *sequences, *compare;
    int64_t n_runs;
    int output;
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
     .help = "matmul, linear or linear_q8 only"},
    {.name = "--sizes",
     .kind = ARG_STRING,
     .value = "MxNxP,...",
     .at = AT(sizes),
     .help = "rows, depth and columns of the products; 256 is 256x256x256"},
    {.name = "--level",
     .kind = ARG_STRING,
     .value = "LEVEL",
     .at = AT(level),
     .help = "this level of the simd backend only"},
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
     .kind = ARG_STRING,
     .value = "EXPR",
     .at = AT(backend),
     .help = "what runs the ops; default: the best there is, for ops each level of simd"},
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
     .help = "threads of a MODEL's tests; default: one for each processor"},
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
     .help = "how a MODEL's tests are printed; default: md, a table in Markdown"},
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
    .positionals = "ops|MODEL...",
    .min_positionals = 1,
    .max_positionals = ARGS_ANY_NUMBER,
    .summary = "ops times the products of every level on one thread, in processor time: the\n"
               "median and the tenths of many runs, and per cent of what was measured in the\n"
               "same run. A MODEL reads prompts (pp) and decodes single tokens (tg), for all\n"
               "combinations of -p, -n, -d, -t and -b, as llama-bench does, and for each\n"
               "--batch. One thread is timed in its own processor time, which others do not\n"
               "spoil, several by the wall clock.",
    .brief = "how fast the products of every level and whole models are",
    .examples = "inferno bench model.gguf -p 16 -n 4",
    .words = bench_words,
    .options = bench_table,
    .n_options = sizeof bench_table / sizeof *bench_table,
};

static const struct {
    const char *name;
    uint64_t features;
} levels[] = {
#define X(NAME, text) {text, IFN_CPU_LEVEL_##NAME},
    IFN_CPU_LEVELS(X)
#undef X
};

/* What is measured where nothing else is asked for. */
static const struct {
    ifn_op op;
    ifn_dtype dtype;
    bool is_packed;
    const char *sizes;
} standard[] = {
#define PRODUCTS "1x1024x3072,8x1024x3072,512x1024x3072"
    {IFN_OP_MATMUL, IFN_DTYPE_F32, 0, "16,32,64,128,256,512,1024,2048,1x1024x3072"},
    {IFN_OP_LINEAR, IFN_DTYPE_F32, 0, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F32, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F16, 0, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F16, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_BF16, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_Q8_0, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q8_0, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q8_0, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_0, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_K, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_K, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q6_K, 1, PRODUCTS},
#undef PRODUCTS
};

enum { N_LEVELS = sizeof levels / sizeof *levels, N_STANDARD = sizeof standard / sizeof *standard };

typedef struct bench_run_state {
    const bench_options *options;
    uint64_t features;    /* of the level */
    ifn_backend *against; /* or NULL */
    double read;          /* bytes per second */
    json_writer json;
} bench_run_state;

/* Reads one size and steps over the comma after it. */
static ifn_status next_shape(const char **text, bench_shape *out, ifn_error *err)
{
    const char *const from = *text, *const comma = strchr(from, ',');
    const size_t length = comma ? (size_t)(comma - from) : strlen(from);
    int64_t extents[3];
    int n = 0;
    const char *at = from;
    while (n < 3) {
        char number[16];
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits >= sizeof number)
            break;
        memcpy(number, at, digits);
        number[digits] = '\0';
        IFN_TRY(args_int("--sizes", number, 1, MAX_EXTENT, &extents[n], err));
        n++;
        at += digits;
        if (*at != 'x')
            break;
        at++;
    }
    if ((n != 1 && n != 3) || at != from + length)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--sizes: found %.*s, expected N or MxNxP, numbers 1 .. %d", (int)length,
                        from, (int)MAX_EXTENT);
    *out = n == 1 ? (bench_shape){extents[0], extents[0], extents[0]}
                  : (bench_shape){extents[0], extents[1], extents[2]};
    *text = comma ? comma + 1 : from + length;
    return IFN_OK;
}

/* The kernel in turn with the peak of the level, another backend where one is given and, for
 * matmul, OpenBLAS. */
static void take_times(const bench_run_state *s, bench_case *c, bench_case *against,
                       bench_measurement *m)
{
    enum { OWN, PEAK, PEER, OTHER, N_ENTRIES };
    const bench_shape shape = c->shape;
    const bool has_peer = c->op == IFN_OP_MATMUL;
    bench_openblas *const peer = has_peer ? bench_openblas_open(shape.m, shape.n, shape.p) : NULL;
    double flops;
    bench_entry entries[N_ENTRIES] = {
        [OWN] = {.fn = bench_case_run, .cookie = c},
        [PEAK] = bench_case_ceiling(c, s->features, &flops),
        [PEER] = {.fn = peer ? bench_openblas_run : NULL, .cookie = peer},
        [OTHER] = {.fn = against->backend ? bench_case_run : NULL, .cookie = against}};
    bench_run(entries, N_ENTRIES);
    const double peak_seconds = bench_time_of(&entries[PEAK]).median;
    m->time = bench_time_of(&entries[OWN]);
    m->peak = peak_seconds > 0.0 ? flops / peak_seconds : 0.0;
    if (against->backend)
        m->against = bench_time_of(&entries[OTHER]).median;
    if (peer) {
        m->openblas = bench_time_of(&entries[PEER]).median;
        m->openblas_skylakex =
            peak_seconds * bench_openblas_as("SkylakeX", m->level, shape.m, shape.n, shape.p);
    }
    bench_openblas_close(peer);
}

static ifn_status measure(bench_run_state *s, const char *level, bench_case *c, ifn_error *err)
{
    bench_case against = {.backend = s->against,
                          .op = c->op,
                          .dtype = c->dtype,
                          .shape = c->shape,
                          .is_hot = c->is_hot};
    bench_measurement m = {.level = level, .c = c, .read = s->read};
    ifn_status status = bench_case_open(c, err);
    if (status == IFN_OK && against.backend)
        status = bench_case_open(&against, err);
    if (status == IFN_OK) {
        take_times(s, c, &against, &m);
        if (s->options->json)
            bench_report_json(&s->json, &m);
        else
            bench_report_print(&m);
    }
    if (against.backend)
        bench_case_close(&against);
    bench_case_close(c);
    return status;
}

/* Everything of one level. */
static ifn_status measure_level(bench_run_state *s, const char *level, ifn_backend *backend,
                                ifn_error *err)
{
    int judged[IFN_OP_COUNT] = {0}; /* 1: conformant */
    for (int i = 0; i < N_STANDARD; i++) {
        const ifn_op op = standard[i].op;
        if ((s->options->op && strcmp(s->options->op, ifn_op_name(op)) != 0) ||
            !ifn_backend_implements(backend, op))
            continue;
        if (judged[op] == 0)
            judged[op] = bench_is_conformant(ifn_backend_expression(backend), op);
        if (judged[op] != 1)
            return ifn_fail(err, judged[op] < 0 ? IFN_ERR_IO : IFN_ERR_UNSUPPORTED,
                            "bench: %s of %s %s: it has no speed", ifn_op_name(op),
                            ifn_backend_expression(backend),
                            judged[op] < 0 ? "could not be judged by its conformance cases"
                                           : "fails its conformance cases");
        for (const char *at = s->options->sizes ? s->options->sizes : standard[i].sizes; *at;) {
            bench_case c = {.backend = backend,
                            .op = op,
                            .dtype = standard[i].dtype,
                            .is_packed = standard[i].is_packed,
                            .is_hot = s->against != NULL};
            IFN_TRY(next_shape(&at, &c.shape, err));
            const int64_t row = op == IFN_OP_MATMUL ? c.shape.p : c.shape.n;
            if (row % ifn_dtype_block_elements(c.dtype) == 0)
                IFN_TRY(measure(s, level, &c, err));
        }
    }
    return IFN_OK;
}

static ifn_status open_level(const char *level, ifn_backend **out, ifn_error *err)
{
    char expression[40];
    snprintf(expression, sizeof expression, "simd=%s", level);
    return ifn_backend_open(expression, NULL, out, err);
}

/* A time is the processor's time of one thread: that of others would not be counted. */
static const ifn_backend_options one_thread = {.bytes = sizeof(ifn_backend_options),
                                               .n_threads = 1};

/* The levels of this processor, or the one that was asked for, or any backend. */
static ifn_status measure_all(bench_run_state *s, ifn_error *err)
{
    const char *const expression = s->options->backend;
    for (int i = 0; i < (expression ? 1 : N_LEVELS); i++) {
        const char *const level = expression ? expression : levels[i].name;
        ifn_backend *backend;
        if (expression)
            IFN_TRY(plugin_watch_open(expression, &one_thread, &backend, err));
        else if ((s->options->level && strcmp(s->options->level, level) != 0) ||
                 open_level(level, &backend, NULL) != IFN_OK)
            continue;
        s->features = expression ? ifn_cpu_detect() : levels[i].features;
        const ifn_status status = measure_level(s, level, backend, err);
        plugin_watch_close(backend);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

/* What a peer in a process of its own prints for its parent: its time as a multiple of the loop's,
 * for clocks differ from moment to moment. */
static int print_openblas(const char *size, const char *level, ifn_error *err)
{
    bench_shape shape;
    double flops;
    uint64_t features = 0;
    if (level)
        (void)ifn_cpu_level_mask(level, &features);
    if (next_shape(&size, &shape, err) != IFN_OK)
        return message_error(INFERNO, err);
    bench_openblas *const peer = bench_openblas_open(shape.m, shape.n, shape.p);
    bench_entry entries[] = {{.fn = peer ? bench_openblas_run : NULL, .cookie = peer},
                             bench_peak(features & ifn_cpu_detect(), &flops)};
    if (peer && entries[1].fn) {
        bench_run(entries, 2);
        printf("%.9g\n", bench_time_of(&entries[0]).median / bench_time_of(&entries[1]).median);
    }
    bench_openblas_close(peer);
    return EXIT_DONE;
}

/* Wrong options are refused before anything is measured. */
static ifn_status check_options(const bench_options *o, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = o->op ? o->op : ""};
    int known = !o->op;
    for (int i = 0; i < N_STANDARD && !known; i++) {
        known = strcmp(o->op, ifn_op_name(standard[i].op)) == 0;
        ifn_nearest_offer(&near, ifn_op_name(standard[i].op));
    }
    if (!known)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--op: found %s, expected matmul, linear or linear_q8%s", o->op,
                        ifn_nearest_hint(&near, hint));
    for (const char *at = o->sizes; at && *at;) {
        bench_shape shape;
        IFN_TRY(next_shape(&at, &shape, err));
    }
    if (o->level) {
        ifn_backend *backend;
        IFN_TRY(open_level(o->level, &backend, err));
        ifn_backend_close(backend);
    }
    return IFN_OK;
}

static ifn_status measure_ops(const bench_options *options, ifn_error *err)
{
    bench_run_state s = {.options = options, .json = {.out = stdout}};
    IFN_TRY(check_options(options, err));
    if (options->against)
        IFN_TRY(plugin_watch_open(options->against, &one_thread, &s.against, err));
    s.read = bench_read_bytes(1);
    if (options->json)
        json_begin_array(&s.json);
    else
        bench_report_head(s.read, options->against);
    const ifn_status status = measure_all(&s, err);
    if (options->json) {
        json_end_array(&s.json);
        json_finish(&s.json);
    }
    plugin_watch_close(s.against);
    return status;
}

/* Lists are read, and wrong ones refused, before any model is opened. */
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

static ifn_status measure_models(const bench_options *o, char **paths, int n_paths, ifn_error *err)
{
    bench_model model = {.paths = paths,
                         .n_paths = n_paths,
                         .backend = o->backend,
                         .n_runs = o->n_runs,
                         .is_wall = o->wall,
                         .is_quiet = o->quiet,
                         .format = o->json ? BENCH_JSON : (bench_format)o->output,
                         .old = o->compare};
    IFN_TRY(read_lists(o, &model, err));
    return bench_model_run(&model, err);
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
    int n_positionals = 0;
    const int done = args_begin(&bench_command, argc, argv, &options, &n_positionals);
    if (done >= 0)
        return done;
    if (strcmp(argv[0], "ops") != 0) {
        const ifn_status status = measure_models(&options, argv, n_positionals, &err);
        return status == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
    }
    if (n_positionals > 1) {
        (void)ifn_fail(&err, IFN_ERR_ARGUMENT, "bench ops: found %s, expected nothing after ops",
                       argv[1]);
        return message_error(INFERNO, &err);
    }
    if (options.openblas)
        return print_openblas(options.openblas, options.level, &err);
    return measure_ops(&options, &err) == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
}
