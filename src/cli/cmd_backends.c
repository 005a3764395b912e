/* backends: lists the backends that run on this machine, and the ops that each implements itself. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "commands.h"
#include "cpu_levels.h"
#include "json_writer.h"
#include "messages.h"
#include "session.h"

enum {
    N_OPS = 0
#define X(NAME, name, cut, cut2, doc) +1
    IFN_OPS(X)
#undef X
};

typedef struct backends_options {
    bool json;
} backends_options;

static const arg_option backends_table[] = {ARG_JSON(backends_options)};

const arg_command backends_command = {
    .program = INFERNO,
    .name = "backends",
    .positionals = "[BACKEND ...]",
    .min_positionals = 0,
    .max_positionals = 8,
    .summary = "Lists the backends, the levels of this processor, and who implements which op.\n"
               "Backends that are named, a plugin or a chain, stand beside those of the\n"
               "program.",
    .brief = "what can run the ops on this machine",
    .examples = "inferno backends",
    .options = backends_table,
    .n_options = sizeof backends_table / sizeof *backends_table,
};

enum { MAX_ENTRIES = 32 };

/* A backend, opened to ask what it implements. */
typedef struct entry {
    const char *name, *summary;
    bool is_wrapper;
    ifn_backend *backend; /* NULL: it cannot be used here; `problem` says why */
    ifn_error problem;
    int n_own;
} entry;

static bool is_wrapper(const ifn_backend_desc *desc)
{
    return (desc->flags & IFN_BACKEND_WRAPPER) != 0;
}

static void open_as(entry *e, const char *expression)
{
    if (ifn_backend_open(expression, NULL, &e->backend, &e->problem) != IFN_OK)
        return;
    for (int op = 0; op < N_OPS; op++)
        e->n_own += ifn_backend_implements(e->backend, (ifn_op)op);
}

static entry open_entry(const ifn_backend_desc *desc)
{
    char expression[128];
    entry e = {.name = desc->name, .summary = desc->summary, .is_wrapper = is_wrapper(desc)};
    snprintf(expression, sizeof expression, "%s%s", desc->name, is_wrapper(desc) ? ":scalar" : "");
    open_as(&e, expression);
    return e;
}

/* Opens a backend that the command line names. */
static entry open_named(const char *expression)
{
    entry e = {.name = expression, .summary = ""};
    open_as(&e, expression);
    if (e.backend) {
        e.name = e.backend->desc->name;
        e.summary = e.backend->desc->summary;
        e.is_wrapper = is_wrapper(e.backend->desc);
    }
    return e;
}

static bool is_device(const entry *e)
{
    return e->backend && ifn_backend_is_device(e->backend);
}

/* Writes the expression of the default backend, which generate uses without --backend. */
static void default_expression(char *out, size_t bytes)
{
    ifn_backend *backend;
    ifn_error err;
    if (ifn_backend_open(NULL, NULL, &backend, &err) == IFN_OK)
        snprintf(out, bytes, "%s", ifn_backend_expression(backend));
    else
        snprintf(out, bytes, "none: %s", err.text);
    ifn_backend_close(backend);
}

static const char *op_word(const entry *e, ifn_op op)
{
    if (ifn_backend_implements(e->backend, op))
        return "own";
    return e->is_wrapper ? "passes on" : is_device(e) ? "staged" : "inherits";
}

static void print_missing(uint64_t features)
{
    for (uint64_t bit = 1; bit != 0; bit <<= 1)
        if ((features & bit) && ifn_cpu_feature_name(bit))
            printf(" %s", ifn_cpu_feature_name(bit));
}

static void print_levels(uint64_t cpu)
{
    puts("\nlevels of this processor:");
    for (size_t i = 0; i < N_CPU_LEVELS; i++) {
        const uint64_t missing = cpu_levels[i].features & ~cpu;
        printf("  %-14s %s", cpu_levels[i].name, missing ? "no, it lacks" : "yes");
        print_missing(missing);
        putchar('\n');
    }
}

/* Prints one line of the table, without blanks after its last word. */
static void print_row(const char *first, const char *const *words, size_t n)
{
    enum { FIRST_WIDTH = 24, WIDTH = 10 };
    printf("  %-*s", FIRST_WIDTH, first);
    for (size_t i = 0; i < n; i++)
        printf(" %-*s", i + 1 < n ? WIDTH : 0, words[i]);
    putchar('\n');
}

static void print_ops(const entry *entries, size_t n)
{
    const entry *usable[MAX_ENTRIES];
    const char *words[MAX_ENTRIES];
    size_t n_usable = 0;
    for (size_t i = 0; i < n; i++)
        if (entries[i].backend) {
            words[n_usable] = entries[i].name;
            usable[n_usable++] = &entries[i];
        }
    puts("\nops:");
    print_row("", words, n_usable);
    for (int op = 0; op < N_OPS; op++) {
        for (size_t i = 0; i < n_usable; i++)
            words[i] = op_word(usable[i], (ifn_op)op);
        print_row(ifn_op_name((ifn_op)op), words, n_usable);
    }
}

/* Prints the devices on which the backend can be opened, with the option that selects each. */
static void print_devices(const entry *e)
{
    ifn_backend_device d;
    for (int i = 0; e->backend && e->backend->desc->device && e->backend->desc->device(i, &d); i++)
        printf("  %-10s %s=%s  %s, %.1f GB\n", "", e->name, d.options, d.name,
               (double)d.bytes / 1e9);
}

static void print_backends(const entry *entries, size_t n, const char *standard)
{
    printf("default: %s\n\nbackends:\n", standard);
    for (size_t i = 0; i < n; i++) {
        const entry *e = &entries[i];
        printf("  %-10s %s%s%s\n", e->name, e->is_wrapper ? "wrapper: " : "",
               is_device(e) ? "device: " : "", e->summary);
        if (e->backend)
            printf("  %-10s %d of %d ops of its own%s\n", "", e->n_own, (int)N_OPS,
                   is_device(e) && e->n_own < N_OPS ? ", the others are staged" : "");
        else
            printf("  %-10s cannot be used here: %s\n", "", e->problem.text);
        print_devices(e);
    }
    print_levels(ifn_cpu_detect());
    print_ops(entries, n);
}

static void json_devices(json_writer *json, const entry *e)
{
    ifn_backend_device d;
    json_begin_array(json);
    for (int i = 0; e->backend && e->backend->desc->device && e->backend->desc->device(i, &d);
         i++) {
        json_begin_object(json);
        json_key(json, "options");
        json_put_string(json, d.options);
        json_key(json, "name");
        json_put_string(json, d.name);
        json_key(json, "bytes");
        json_put_uint(json, d.bytes);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_entry(json_writer *json, const entry *e)
{
    json_begin_object(json);
    json_key(json, "name");
    json_put_string(json, e->name);
    json_key(json, "summary");
    json_put_string(json, e->summary);
    json_key(json, "wrapper");
    json_put_bool(json, e->is_wrapper);
    json_key(json, "device");
    json_put_bool(json, is_device(e));
    json_key(json, "devices");
    json_devices(json, e);
    json_key(json, "problem");
    json_put_string(json, e->backend ? NULL : e->problem.text);
    json_key(json, "implements");
    json_begin_array(json);
    for (int op = 0; e->backend && op < N_OPS; op++)
        if (ifn_backend_implements(e->backend, (ifn_op)op))
            json_put_string(json, ifn_op_name((ifn_op)op));
    json_end_array(json);
    json_end_object(json);
}

static void json_level(json_writer *json, const cpu_level *l, uint64_t cpu)
{
    json_begin_object(json);
    json_key(json, "name");
    json_put_string(json, l->name);
    json_key(json, "runs");
    json_put_bool(json, ifn_cpu_has(cpu, l->features));
    json_key(json, "missing");
    json_begin_array(json);
    for (uint64_t bit = 1; bit != 0; bit <<= 1)
        if ((l->features & ~cpu & bit) && ifn_cpu_feature_name(bit))
            json_put_string(json, ifn_cpu_feature_name(bit));
    json_end_array(json);
    json_end_object(json);
}

static void json_backends(const entry *entries, size_t n, const char *standard)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "default");
    json_put_string(&json, standard);
    json_key(&json, "backends");
    json_begin_array(&json);
    for (size_t i = 0; i < n; i++)
        json_entry(&json, &entries[i]);
    json_end_array(&json);
    json_key(&json, "levels");
    json_begin_array(&json);
    for (size_t i = 0; i < N_CPU_LEVELS; i++)
        json_level(&json, &cpu_levels[i], ifn_cpu_detect());
    json_end_array(&json);
    json_key(&json, "ops");
    json_begin_array(&json);
    for (int op = 0; op < N_OPS; op++)
        json_put_string(&json, ifn_op_name((ifn_op)op));
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

int cmd_backends(int argc, char **argv)
{
    backends_options options = {0};
    int n_positionals = 0;
    const int done = args_begin(&backends_command, argc, argv, &options, &n_positionals);
    if (done >= 0)
        return done;
    char standard[256];
    entry entries[MAX_ENTRIES];
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    if (n > MAX_ENTRIES)
        n = MAX_ENTRIES;
    for (size_t i = 0; i < n; i++)
        entries[i] = open_entry(list[i]);
    int status = EXIT_DONE;
    for (int i = 0; i < n_positionals && n < MAX_ENTRIES && status == EXIT_DONE; i++) {
        entries[n] = open_named(argv[i]);
        if (!entries[n++].backend)
            status = message_error(INFERNO, &entries[n - 1].problem);
    }
    default_expression(standard, sizeof standard);
    if (status == EXIT_DONE && options.json)
        json_backends(entries, n, standard);
    else if (status == EXIT_DONE)
        print_backends(entries, n, standard);
    for (size_t i = 0; i < n; i++)
        ifn_backend_close(entries[i].backend);
    return status;
}
