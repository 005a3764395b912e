/* inspect: what is inside a GGUF file, and whether it would run. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "args.h"
#include "commands.h"
#include "escape.h"
#include "json_writer.h"
#include "messages.h"
#include "progress.h"
#include "session.h"
#include "signals.h"
#include "tensor_check.h"

enum {
    N_SHOWN = 4,    /* elements of an array */
    N_PROBLEMS = 2, /* tokenizer and model */
    N_TYPES = 64    /* different tensor types in one file */
};

typedef struct inspect_options {
    bool check, json, quiet;
} inspect_options;

static const arg_option inspect_table[] = {
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
               "it from running. Exit status 1 if the file is malformed.",
    .brief = "what is inside a GGUF file, and whether it would run",
    .examples = "inferno inspect model.gguf",
    .options = inspect_table,
    .n_options = sizeof inspect_table / sizeof *inspect_table,
};

/* All tensors of one type together. */
typedef struct type_total {
    const char *name;
    uint64_t n_tensors, bytes;
} type_total;

typedef struct report {
    const ifn_gguf *gguf;
    type_total types[N_TYPES];
    size_t n_types;
    uint64_t n_parameters, tensor_bytes;
    ifn_error problems[N_PROBLEMS];
    size_t n_problems;
    ifn_tokenizer *tokenizer; /* NULL: it is one of the problems */
    bool is_checked;
    tensor_check check;
} report;

static uint64_t count_elements(const ifn_tensor *view)
{
    uint64_t n = 1;
    for (int32_t i = 0; i < view->n_dims; i++)
        n *= (uint64_t)view->shape[i];
    return n;
}

static void add_tensor(report *self, const ifn_gguf_tensor *tensor)
{
    size_t i = 0;
    while (i < self->n_types && strcmp(self->types[i].name, tensor->type_name) != 0)
        i++;
    if (i == N_TYPES)
        return;
    if (i == self->n_types)
        self->types[self->n_types++].name = tensor->type_name;
    self->types[i].n_tensors++;
    self->types[i].bytes += tensor->bytes;
    self->n_parameters += count_elements(&tensor->view);
    self->tensor_bytes += tensor->bytes;
}

/* Goes on after a problem: a person wants to see them all. */
static void find_problems(report *self)
{
    ifn_model *model;
    ifn_error *err = self->problems;
    if (ifn_tokenizer_open(self->gguf, NULL, &self->tokenizer, err) != IFN_OK)
        err++;
    if (ifn_model_open(self->gguf, NULL, &model, err) != IFN_OK)
        err++;
    self->n_problems = (size_t)(err - self->problems);
    ifn_model_close(model);
}

/* Odd metadata that changes no answer; NULL after the last. */
static const char *warning(const report *self, int i)
{
    return self->tokenizer ? ifn_tokenizer_warning(self->tokenizer, i) : NULL;
}

static bool is_float(ifn_gguf_type type)
{
    return type == IFN_GGUF_FLOAT32 || type == IFN_GGUF_FLOAT64;
}

static bool is_unsigned(ifn_gguf_type type)
{
    return type == IFN_GGUF_UINT8 || type == IFN_GGUF_UINT16 || type == IFN_GGUF_UINT32 ||
           type == IFN_GGUF_UINT64;
}

static void print_element(const report *self, const ifn_gguf_kv *kv, uint64_t index,
                          uint64_t *cursor)
{
    if (kv->element_type == IFN_GGUF_STRING) {
        const ifn_string string = ifn_gguf_next_string(self->gguf, kv, cursor);
        putchar('"');
        escape_terminal(stdout, string.data, string.bytes);
        putchar('"');
    } else if (kv->element_type == IFN_GGUF_BOOL) {
        fputs(ifn_gguf_element_uint(kv, index) ? "true" : "false", stdout);
    } else if (is_float(kv->element_type)) {
        printf("%g", ifn_gguf_element_float(kv, index));
    } else if (is_unsigned(kv->element_type)) {
        printf("%" PRIu64, ifn_gguf_element_uint(kv, index));
    } else {
        printf("%" PRId64, ifn_gguf_element_int(kv, index));
    }
}

static uint64_t n_shown(const ifn_gguf_kv *kv)
{
    return kv->type == IFN_GGUF_ARRAY && kv->count > N_SHOWN ? N_SHOWN : kv->count;
}

static void print_kv(const report *self, const ifn_gguf_kv *kv)
{
    uint64_t cursor = 0;
    fputs("  ", stdout);
    escape_terminal(stdout, kv->key.data, kv->key.bytes);
    if (kv->type != IFN_GGUF_ARRAY)
        printf(" (%s) = ", ifn_gguf_type_name(kv->type));
    else
        printf(" = [%" PRIu64 " %s%s] ", kv->count, ifn_gguf_type_name(kv->element_type),
               kv->element_type == IFN_GGUF_STRING && kv->count != 1 ? "s" : "");
    for (uint64_t i = 0; i < n_shown(kv); i++) {
        fputs(i ? ", " : "", stdout);
        print_element(self, kv, i, &cursor);
    }
    puts(n_shown(kv) < kv->count ? ", ..." : "");
}

static void print_tensor(const ifn_gguf_tensor *tensor)
{
    char shape[96];
    size_t used = 0;
    for (int32_t i = 0; i < tensor->view.n_dims && used < sizeof shape; i++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" PRId64, i ? ", " : "",
                                 tensor->view.shape[i]);
    printf("  %-6s [%s]  %" PRIu64 " bytes at %" PRIu64 "  ", tensor->type_name, shape,
           tensor->bytes, tensor->offset);
    escape_terminal(stdout, tensor->view.name, strlen(tensor->view.name));
    putchar('\n');
}

static void print_verdict(const report *self)
{
    const char *text = warning(self, 0);
    if (text)
        puts("warnings:");
    for (int i = 1; text; text = warning(self, i++))
        printf("  %s\n", text);
    if (self->n_problems == 0) {
        puts("runs: yes");
        return;
    }
    puts("would not run:");
    for (size_t i = 0; i < self->n_problems; i++)
        printf("  %s\n", self->problems[i].text);
}

static void print_report(const report *self)
{
    const ifn_gguf *gguf = self->gguf;
    fputs("file: ", stdout);
    escape_terminal(stdout, ifn_gguf_path(gguf), strlen(ifn_gguf_path(gguf)));
    printf(" (%" PRIu64 " bytes)\nformat: GGUF version %" PRIu32 ", alignment %" PRIu64 ", %" PRIu64
           " keys, %" PRIu64 " tensors, data at %" PRIu64 "\n\nmetadata:\n",
           ifn_gguf_file_bytes(gguf), ifn_gguf_version(gguf), ifn_gguf_alignment(gguf),
           ifn_gguf_n_kv(gguf), ifn_gguf_n_tensors(gguf), ifn_gguf_data_offset(gguf));
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++)
        print_kv(self, ifn_gguf_kv_at(gguf, i));
    puts("\ntensors:");
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++)
        print_tensor(ifn_gguf_tensor_at(gguf, i));
    puts("\nsizes:");
    for (size_t i = 0; i < self->n_types; i++)
        printf("  %-6s %" PRIu64 " tensors, %" PRIu64 " bytes\n", self->types[i].name,
               self->types[i].n_tensors, self->types[i].bytes);
    printf("  all    %" PRIu64 " tensors, %" PRIu64 " bytes\nparameters: %" PRIu64 "\n\n",
           ifn_gguf_n_tensors(gguf), self->tensor_bytes, self->n_parameters);
    if (self->is_checked)
        tensor_check_print(&self->check, stdout);
    print_verdict(self);
}

static void json_member_uint(json_writer *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_put_uint(json, value);
}

static void json_element(json_writer *json, const report *self, const ifn_gguf_kv *kv,
                         uint64_t index, uint64_t *cursor)
{
    if (kv->element_type == IFN_GGUF_STRING) {
        const ifn_string string = ifn_gguf_next_string(self->gguf, kv, cursor);
        json_put_bytes(json, string.data, string.bytes);
    } else if (kv->element_type == IFN_GGUF_BOOL) {
        json_put_bool(json, ifn_gguf_element_uint(kv, index) != 0);
    } else if (is_float(kv->element_type)) {
        json_put_double(json, ifn_gguf_element_float(kv, index));
    } else if (is_unsigned(kv->element_type)) {
        json_put_uint(json, ifn_gguf_element_uint(kv, index));
    } else {
        json_put_int(json, ifn_gguf_element_int(kv, index));
    }
}

static void json_kv(json_writer *json, const report *self, const ifn_gguf_kv *kv)
{
    uint64_t cursor = 0;
    json_begin_object(json);
    json_key(json, "key");
    json_put_bytes(json, kv->key.data, kv->key.bytes);
    json_key(json, "type");
    json_put_string(json, ifn_gguf_type_name(kv->type));
    if (kv->type == IFN_GGUF_ARRAY) {
        json_key(json, "element_type");
        json_put_string(json, ifn_gguf_type_name(kv->element_type));
        json_member_uint(json, "count", kv->count);
        json_key(json, "first");
        json_begin_array(json);
        for (uint64_t i = 0; i < n_shown(kv); i++)
            json_element(json, self, kv, i, &cursor);
        json_end_array(json);
    } else {
        json_key(json, "value");
        json_element(json, self, kv, 0, &cursor);
    }
    json_end_object(json);
}

static void json_tensor(json_writer *json, const ifn_gguf_tensor *tensor)
{
    json_begin_object(json);
    json_key(json, "name");
    json_put_string(json, tensor->view.name);
    json_key(json, "type");
    json_put_string(json, tensor->type_name);
    json_key(json, "shape");
    json_begin_array(json);
    for (int32_t i = 0; i < tensor->view.n_dims; i++)
        json_put_int(json, tensor->view.shape[i]);
    json_end_array(json);
    json_member_uint(json, "bytes", tensor->bytes);
    json_member_uint(json, "offset", tensor->offset);
    json_end_object(json);
}

static void json_sizes(json_writer *json, const report *self)
{
    json_key(json, "sizes");
    json_begin_array(json);
    for (size_t i = 0; i < self->n_types; i++) {
        json_begin_object(json);
        json_key(json, "type");
        json_put_string(json, self->types[i].name);
        json_member_uint(json, "tensors", self->types[i].n_tensors);
        json_member_uint(json, "bytes", self->types[i].bytes);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_uint(json, "parameters", self->n_parameters);
}

static void json_verdict(json_writer *json, const report *self)
{
    json_key(json, "runs");
    json_put_bool(json, self->n_problems == 0);
    json_key(json, "problems");
    json_begin_array(json);
    for (size_t i = 0; i < self->n_problems; i++)
        json_put_string(json, self->problems[i].text);
    json_end_array(json);
    json_key(json, "warnings");
    json_begin_array(json);
    for (int i = 0; warning(self, i); i++)
        json_put_string(json, warning(self, i));
    json_end_array(json);
}

static void json_report(const report *self)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_string(&json, ifn_gguf_path(self->gguf));
    json_member_uint(&json, "file_bytes", ifn_gguf_file_bytes(self->gguf));
    json_member_uint(&json, "version", ifn_gguf_version(self->gguf));
    json_member_uint(&json, "alignment", ifn_gguf_alignment(self->gguf));
    json_member_uint(&json, "data_offset", ifn_gguf_data_offset(self->gguf));
    json_key(&json, "metadata");
    json_begin_array(&json);
    for (uint64_t i = 0; i < ifn_gguf_n_kv(self->gguf); i++)
        json_kv(&json, self, ifn_gguf_kv_at(self->gguf, i));
    json_end_array(&json);
    json_key(&json, "tensors");
    json_begin_array(&json);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++)
        json_tensor(&json, ifn_gguf_tensor_at(self->gguf, i));
    json_end_array(&json);
    json_sizes(&json, self);
    if (self->is_checked) {
        json_key(&json, "check");
        tensor_check_json(&self->check, &json);
    }
    json_verdict(&json, self);
    json_end_object(&json);
    json_finish(&json);
}

static ifn_status refuse_nested(const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_gguf_kv *nested = ifn_gguf_first_nested_array(gguf);
    if (!nested)
        return IFN_OK;
    return ifn_fail_at(err, IFN_ERR_FORMAT, nested->offset,
                       "%s: key '%.*s': an array of arrays, expected an array of plain values",
                       ifn_gguf_path(gguf), nested->key.bytes < 100 ? (int)nested->key.bytes : 100,
                       nested->key.data);
}

static ifn_status check_weights(report *self, int quiet, ifn_error *err)
{
    progress bar;
    progress_init(&bar, "checking weights", progress_terminal(quiet));
    progress_hold_back(&bar);
    self->is_checked = 1;
    const ifn_status status = tensor_check_run(&self->check, self->gguf, &bar, err);
    progress_clear(&bar);
    return status;
}

static ifn_status inspect(const inspect_options *options, report *self, ifn_error *err)
{
    IFN_TRY(refuse_nested(self->gguf, err));
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++)
        add_tensor(self, ifn_gguf_tensor_at(self->gguf, i));
    find_problems(self);
    if (options->check)
        IFN_TRY(check_weights(self, options->quiet, err));
    if (options->json)
        json_report(self);
    else
        print_report(self);
    return self->check.n == 0
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_FORMAT,
                          "%s: %zu of %" PRIu64 " tensors are not all right, the first %s",
                          ifn_gguf_path(self->gguf), self->check.n, ifn_gguf_n_tensors(self->gguf),
                          self->check.findings[0].tensor->view.name);
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
    ifn_status status = ifn_gguf_open(argv[0], NULL, &gguf, &err);
    report r = {.gguf = gguf};
    signals_mapped(gguf);
    if (status == IFN_OK)
        status = inspect(&options, &r, &err);
    tensor_check_free(&r.check);
    ifn_tokenizer_close(r.tokenizer);
    signals_mapped(NULL);
    ifn_gguf_close(gguf);
    return status == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
}
