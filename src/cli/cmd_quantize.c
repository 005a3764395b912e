/* quantize: writes a model with weights in another type, with a few rows in memory at a time. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "args.h"
#include "block_reader.h"
#include "commands.h"
#include "imatrix.h"
#include "messages.h"
#include "model_output.h"
#include "output_path.h"
#include "progress.h"
#include "quantize_keys.h"
#include "quantize_summary.h"
#include "row_coder.h"
#include "row_finite.h"
#include "row_writer.h"
#include "session.h"
#include "signals.h"
#include "team.h"
#include "tensor_dims.h"
#include "tensor_types.h"

typedef struct quantize_options {
    const char *in, *out;
    const file_type *wanted;
    int64_t threads;
    const char *imatrix;
    bool pure, dry, force, quiet;
} quantize_options;

static const arg_option quantize_table[] = {
    {.name = "--pure",
     .kind = ARG_FLAG,
     .at = offsetof(quantize_options, pure),
     .help = "one type for all matrices: no mix, no exception for the output"},
    {.name = "-t",
     .kind = ARG_INT,
     .value = "N",
     .at = offsetof(quantize_options, threads),
     .int_range = {1, TEAM_MAX},
     .help = "threads, which make no difference to the file; default: one for each processor"},
    {.name = "--threads",
     .kind = ARG_INT,
     .value = "N",
     .at = offsetof(quantize_options, threads),
     .int_range = {1, TEAM_MAX},
     .help = "the same"},
    {.name = "--imatrix",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = offsetof(quantize_options, imatrix),
     .help = "an importance matrix of llama-imatrix, GGUF or .dat: errors of columns that matter "
             "count for more in the search for scales"},
    {.name = "--dry-run",
     .kind = ARG_FLAG,
     .at = offsetof(quantize_options, dry),
     .help = "print the type each tensor would get, and the sizes; write nothing"},
    ARG_FORCE(quantize_options),
    ARG_QUIET(quantize_options),
};

const arg_command quantize_command = {
    .program = INFERNO,
    .name = "quantize",
    .positionals = "IN.gguf [OUT.gguf] TYPE",
    .min_positionals = 2,
    .max_positionals = 3,
    .summary = "Writes the model with its matrices in another type, chosen as llama-quantize\n"
               "does. Vectors keep theirs. The output matrix gets Q6_K for every type below\n"
               "Q8_0; the mixes (S, M, L; Q2_K) give attn_v, ffn_down and attn_output of some\n"
               "layers a better type. Rows that do not fit the blocks of a type get a simpler\n"
               "one, and a note says so. What was chosen, old and new size and the time are\n"
               "printed. --dry-run does without OUT.gguf.\n" FILE_TYPE_USAGE,
    .brief = "the same model with weights in another type",
    .examples = "inferno quantize model.gguf smaller.gguf Q8_0 --force\n"
                "inferno quantize model.gguf Q4_K_M --dry-run",
    .options = quantize_table,
    .n_options = sizeof quantize_table / sizeof *quantize_table,
};

/* The state of a run. */
typedef struct run {
    const quantize_options *options;
    ifn_gguf *in;
    ifn_gguf_writer *out;
    type_rules rules;
    imatrix importance;
    quantize_summary summary;
    block_reader reader;
    row_coder coder;
    progress bar;
    uint64_t done_bytes; /* of the input */
    bool is_writing;     /* errors from now on are write errors */
} run;

static type_choice target_type(const run *r, const ifn_tensor *view)
{
    if (!type_may_change(view->name, view->n_dims))
        return (type_choice){view->dtype, view->dtype};
    return type_of_matrix(&r->rules, view->name, tensor_row_length(view));
}

static void note_fall_back(const ifn_tensor *view, type_choice choice)
{
    message_note(INFERNO,
                 "%s: rows of %" PRId64 " do not fit the blocks of %s, %" PRId64 ": written as %s",
                 view->name, tensor_row_length(view), ifn_dtype_name(choice.meant),
                 ifn_dtype_block_elements(choice.meant), ifn_dtype_name(choice.dtype));
}

/* Finds the importance entry of a tensor, and checks that it has values for each of its matrices. */
static ifn_status find_importance(const run *r, const ifn_tensor *view, const imatrix_entry **out,
                                  ifn_error *err)
{
    const imatrix_entry *const e = imatrix_find(&r->importance, view->name);
    const int64_t cols = tensor_row_length(view),
                  n_matrices = view->n_dims > 2 ? view->shape[0] : 1;
    *out = e;
    if (!e || (int64_t)e->n == cols * n_matrices)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%s: %s: found %zu values, expected %" PRId64 ", one for each column",
                    r->options->imatrix, view->name, e->n, cols * n_matrices);
}

/* Returns true for dtypes whose encoder searches for the best scale. */
static bool is_searched(ifn_dtype dtype)
{
    return ifn_dtype_is_quantized(dtype) && dtype != IFN_DTYPE_Q8_0;
}

/* Chooses the types of all tensors and counts them. Prints a line for each to `list`, unless that is NULL. */
static ifn_status choose_types(run *r, FILE *list, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(r->in); i++) {
        const ifn_gguf_tensor *const tensor = ifn_gguf_tensor_at(r->in, i);
        const imatrix_entry *e;
        if (!tensor->known)
            return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                            "%s: %s: found type %s, which cannot be read here", r->options->in,
                            tensor->view.name, tensor->type_name);
        const type_choice choice = target_type(r, &tensor->view);
        IFN_TRY(find_importance(r, &tensor->view, &e, err));
        const bool is_weighted =
            e && choice.dtype != tensor->view.dtype && is_searched(choice.dtype);
        if (choice.dtype != choice.meant && !r->options->quiet)
            note_fall_back(&tensor->view, choice);
        quantize_summary_add(&r->summary, tensor, choice.dtype, is_weighted, list);
    }
    return IFN_OK;
}

static ifn_status declare_tensors(run *r, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(r->in); i++) {
        const ifn_gguf_tensor *tensor = ifn_gguf_tensor_at(r->in, i);
        const ifn_tensor *view = &tensor->view;
        const type_choice choice = target_type(r, view);
        IFN_TRY(ifn_gguf_writer_declare_tensor(r->out, view->name, choice.dtype, view->n_dims,
                                               view->shape, err));
    }
    return IFN_OK;
}

static void show_progress(run *r, uint64_t bytes)
{
    r->done_bytes += bytes;
    progress_step(&r->bar, (int64_t)r->done_bytes, (int64_t)ifn_gguf_file_bytes(r->in));
}

/* Copies rows of a tensor that keeps its type bit by bit, and only checks that values are finite. */
static ifn_status copy_rows(run *r, const ifn_tensor *view, float *values, int64_t first_row,
                            size_t bytes, ifn_error *err)
{
    const size_t row_bytes = ifn_dtype_row_bytes(view->dtype, tensor_row_length(view));
    row_place place = {r->options->in, view->name, first_row};
    for (size_t at = 0; at < bytes; at += row_bytes, place.row++) {
        IFN_TRY(row_decode(&r->coder, view->dtype, r->reader.data + at, values,
                           tensor_row_length(view)));
        IFN_TRY(row_check_finite(&place, values, tensor_row_length(view), err));
    }
    IFN_TRY(ifn_gguf_writer_write_data(r->out, r->reader.data, bytes, err));
    show_progress(r, bytes);
    return IFN_OK;
}

static ifn_status copy_tensor(run *r, const ifn_gguf_tensor *tensor, ifn_error *err)
{
    enum { PIECE_BYTES = 1 << 20 };
    const ifn_tensor *view = &tensor->view;
    const size_t row_bytes = ifn_dtype_row_bytes(view->dtype, tensor_row_length(view));
    const size_t piece = row_bytes < PIECE_BYTES ? PIECE_BYTES / row_bytes * row_bytes : row_bytes;
    float *values = malloc((size_t)tensor_row_length(view) * sizeof *values);
    if (!values)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", view->name);
    ifn_status status = IFN_OK;
    for (uint64_t at = 0; status == IFN_OK && at < tensor->bytes; at += piece) {
        const size_t bytes = tensor->bytes - at < piece ? (size_t)(tensor->bytes - at) : piece;
        status = block_reader_read(&r->reader, tensor->offset + at, bytes, err);
        if (status == IFN_OK)
            status = copy_rows(r, view, values, (int64_t)(at / row_bytes), bytes, err);
    }
    free(values);
    return status;
}

/* The rows of one tensor, as a row_source. */
typedef struct conversion {
    run *run;
    const ifn_gguf_tensor *tensor;
    size_t row_bytes;
    int64_t first; /* the first row in the reader's buffer */
} conversion;

static ifn_status read_stretch(void *cookie, int64_t first, int64_t n, ifn_error *err)
{
    conversion *c = cookie;
    c->first = first;
    return block_reader_read(&c->run->reader, c->tensor->offset + (uint64_t)first * c->row_bytes,
                             (size_t)n * c->row_bytes, err);
}

static ifn_status decode_row(void *cookie, int64_t row, float *out)
{
    const conversion *c = cookie;
    const ifn_tensor *view = &c->tensor->view;
    const uint8_t *data = c->run->reader.data + (size_t)(row - c->first) * c->row_bytes;
    return row_decode(&c->run->coder, view->dtype, data, out, tensor_row_length(view));
}

static void count_rows(void *cookie, int64_t n)
{
    const conversion *c = cookie;
    show_progress(c->run, (uint64_t)n * c->row_bytes);
}

static ifn_status write_tensor(run *r, const ifn_gguf_tensor *tensor, ifn_error *err)
{
    const ifn_tensor *view = &tensor->view;
    const ifn_dtype dtype = target_type(r, view).dtype;
    if (tensor->bytes == 0)
        return IFN_OK;
    if (dtype == view->dtype)
        return copy_tensor(r, tensor, err);
    conversion c = {.run = r,
                    .tensor = tensor,
                    .row_bytes = ifn_dtype_row_bytes(view->dtype, tensor_row_length(view))};
    const row_source source = {
        .cookie = &c, .begin = read_stretch, .row = decode_row, .written = count_rows};
    const imatrix_entry *e;
    IFN_TRY(find_importance(r, view, &e, err));
    const row_target target = {.coder = &r->coder,
                               .file = r->out,
                               .input = r->options->in,
                               .tensor = view->name,
                               .dtype = dtype,
                               .rows = (int64_t)(tensor->bytes / c.row_bytes),
                               .cols = tensor_row_length(view),
                               .columns = e ? e->values : NULL,
                               .n_matrices = view->n_dims > 2 ? view->shape[0] : 1};
    return row_write_all(&target, &source, err);
}

static ifn_status refuse_nested(const run *r, ifn_error *err)
{
    const ifn_gguf_kv *nested = ifn_gguf_first_nested_array(r->in);
    if (!nested)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%s: %.*s: found an array of arrays, expected plain values", r->options->in,
                    nested->key.bytes < 100 ? (int)nested->key.bytes : 100, nested->key.data);
}

/* Opens everything that is only read. */
static ifn_status open_input(run *r, ifn_error *err)
{
    const quantize_options *o = r->options;
    if (!o->dry)
        IFN_TRY(output_path_check(o->out, o->in, o->force, err));
    IFN_TRY(row_coder_open(&r->coder, o->threads, err));
    IFN_TRY(ifn_gguf_open(o->in, NULL, &r->in, err));
    signals_mapped(r->in);
    IFN_TRY(refuse_nested(r, err));
    IFN_TRY(block_reader_open(&r->reader, o->in, err));
    if (o->imatrix)
        IFN_TRY(imatrix_open(&r->importance, o->imatrix, err));
    r->rules =
        (type_rules){.wanted = o->wanted, .pure = o->pure, .has_imatrix = o->imatrix != NULL};
    type_rules_read(&r->rules, r->in);
    IFN_TRY(choose_types(r, o->dry ? stdout : NULL, err));
    if (o->imatrix && r->summary.n_weighted == 0 && !o->quiet)
        message_note(INFERNO, "%s: says nothing of any tensor whose scales are searched",
                     o->imatrix);
    return IFN_OK;
}

static ifn_status write_output(run *r, ifn_error *err)
{
    const quantize_options *o = r->options;
    r->is_writing = true;
    IFN_TRY(model_output_open(o->out, o->in, (uint32_t)ifn_gguf_alignment(r->in), &r->out, err));
    IFN_TRY(quantize_put_keys(r->in, o->wanted, &r->importance, o->imatrix, r->out, err));
    IFN_TRY(declare_tensors(r, err));
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(r->in); i++)
        IFN_TRY(write_tensor(r, ifn_gguf_tensor_at(r->in, i), err));
    return ifn_gguf_writer_finish(r->out, err);
}

static ifn_status quantize(run *r, ifn_error *err)
{
    const uint64_t start = ifn_clock_ns();
    const quantize_options *o = r->options;
    IFN_TRY(open_input(r, err));
    if (!o->dry)
        IFN_TRY(write_output(r, err));
    progress_clear(&r->bar);
    /* nothing else is printed to standard output if the file goes there */
    if (o->dry)
        quantize_summary_print(&r->summary, 0.0, stdout);
    else if (!o->quiet && strcmp(o->out, "-") != 0)
        quantize_summary_print(&r->summary, 1e-9 * (double)(ifn_clock_ns() - start), stdout);
    return IFN_OK;
}

/* Reads the arguments: IN OUT TYPE, or IN TYPE if nothing is written. */
static ifn_status read_positionals(quantize_options *o, int n, char **argv, ifn_error *err)
{
    o->in = argv[0];
    o->out = n > 2 ? argv[1] : NULL;
    if (!o->out && !o->dry)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "quantize: found 2 words, expected IN.gguf OUT.gguf TYPE, or --dry-run");
    return file_type_parse("TYPE", argv[n - 1], &o->wanted, err);
}

int cmd_quantize(int argc, char **argv)
{
    quantize_options options = {0};
    ifn_error err;
    int n = 0;
    const int done = args_begin(&quantize_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    if (read_positionals(&options, n, argv, &err) != IFN_OK)
        return message_error(INFERNO, &err);
    run r = {.options = &options, .reader.fd = -1};
    progress_init(&r.bar, "quantizing", progress_terminal(options.quiet));
    const ifn_status status = quantize(&r, &err);
    progress_clear(&r.bar);
    block_reader_close(&r.reader);
    row_coder_close(&r.coder);
    imatrix_close(&r.importance);
    model_output_close(r.out);
    signals_mapped(NULL);
    ifn_gguf_close(r.in);
    if (status == IFN_OK)
        return EXIT_DONE;
    return r.is_writing ? message_unwritten(INFERNO, &err) : message_error(INFERNO, &err);
}
