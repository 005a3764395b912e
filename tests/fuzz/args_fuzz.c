/*
 * Any words as user input: a command line over options of every kind, one of `inferno conform`, a backend expression,
 * a case id, lists of ids, file types, numbers.
 *
 * Input: which parser gets the words, then the words, separated by NUL.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>

#include "args.h"
#include "case_id.h"
#include "cases_file.h"
#include "expression.h"
#include "file_type.h"
#include "fuzz_input.h"
#include "ids.h"
#include "options.h"

enum { MAX_WORDS = 24 };

typedef struct values {
    int flag, choice, optional;
    int64_t number;
    double real;
    const char *text;
} values;

static const char *const words[] = {"off", "basic", "f16", NULL};

static const arg_option table[] = {
    {.name = "--flag", .kind = ARG_FLAG, .help = "is there", .at = offsetof(values, flag)},
    {.name = "-f", .kind = ARG_FLAG, .help = "is there", .at = offsetof(values, flag)},
    {.name = "-n",
     .kind = ARG_INT,
     .value = "N",
     .help = "how many",
     .at = offsetof(values, number),
     .int_range = {-3, INT64_MAX}},
    {.name = "--real",
     .kind = ARG_FLOAT,
     .value = "X",
     .help = "how much",
     .at = offsetof(values, real),
     .float_range = {-1, 1e9}},
    {.name = "--choice",
     .kind = ARG_CHOICE,
     .help = "which",
     .at = offsetof(values, choice),
     .choices = words},
    {.name = "--perhaps",
     .kind = ARG_OPTIONAL_CHOICE,
     .help = "which",
     .at = offsetof(values, optional),
     .choices = words},
    {.name = "--text",
     .kind = ARG_STRING,
     .value = "TEXT",
     .help = "what",
     .at = offsetof(values, text)},
};

static ifn_status take_other(void *into, const char *name, const char *value, ifn_error *err)
{
    values *v = into;
    return args_int(name, value, 0, 1000, &v->number, err);
}

static const arg_command plain = {.program = "fuzz",
                                  .positionals = "[WORD]",
                                  .max_positionals = 2,
                                  .summary = "any words",
                                  .options = table,
                                  .n_options = sizeof table / sizeof *table};

static int try_args(fuzz_words *w, int has_other)
{
    arg_command command = plain;
    values v = {.choice = 0};
    int n = -1;
    args_request request;
    ifn_error err = {.status = IFN_OK, .text = ""};
    command.other = has_other ? take_other : NULL;
    const ifn_status status = args_parse(&command, w->n, w->at, &v, &n, &request, &err);
    fuzz_expect_said(status, &err);
    if (status != IFN_OK || request != ARGS_RUN)
        return status == IFN_OK;
    FUZZ_EXPECT(n >= 0 && n <= command.max_positionals && v.number >= -3);
    FUZZ_EXPECT(v.real >= -1 && v.real <= 1e9 && v.choice >= 0 && v.choice < 3 && v.optional < 3);
    return 1;
}

static int try_conform(fuzz_words *w)
{
    conform_options o;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = conform_options_parse(&o, w->n, w->at, &err);
    fuzz_expect_said(status, &err);
    if (status == IFN_OK) {
        FUZZ_EXPECT(o.n_ops <= IFN_OP_COUNT && o.n_shape <= OPTIONS_MAX_SHAPE);
        FUZZ_EXPECT(o.filter.n_shards == 0 || o.filter.shard < o.filter.n_shards);
        FUZZ_EXPECT(o.command <= SUBCOMMAND_COUNT && o.n_models <= OPTIONS_MAX_MODELS);
    }
    return status == IFN_OK;
}

/* Does not try paths: loading a library would run its code. */
static int try_backend(const char *text)
{
    ifn_backend *backend;
    ifn_error err = {.status = IFN_OK, .text = ""};
    if (strchr(text, '/') || strstr(text, ".so"))
        return 0;
    const ifn_status status = ifn_backend_open(text, NULL, &backend, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT((status == IFN_OK) == (backend != NULL));
    if (backend)
        FUZZ_EXPECT(*ifn_backend_expression(backend));
    ifn_backend_close(backend);
    return status == IFN_OK;
}

static int try_case(const char *text)
{
    char id[CONFORM_ID_BYTES], again[CONFORM_ID_BYTES];
    conform_case c, back;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const int is_case = conform_case_parse(text, &c, &err);
    FUZZ_EXPECT(is_case == (err.status == IFN_OK) && (is_case || *err.text));
    if (!is_case || conform_case_check(&c, &err) != IFN_OK)
        return 0;
    conform_case_id(&c, id);
    FUZZ_EXPECT(conform_case_parse(id, &back, &err));
    conform_case_id(&back, again);
    FUZZ_EXPECT(strcmp(id, again) == 0);
    return 1;
}

static int try_ids(const char *text)
{
    ifn_tokens ids = {0};
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = ids_parse(text, &ids, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT(status != IFN_OK || ids.n > 0);
    if (status == IFN_OK)
        (void)ids_check(&ids, 100, &err);
    ifn_tokens_free(&ids);
    return status == IFN_OK;
}

static int try_type(const char *text)
{
    const file_type *type;
    ifn_error err = {.status = IFN_OK, .text = ""};
    fuzz_expect_said(file_type_parse("--type", text, &type, &err), &err);
    return err.status == IFN_OK;
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    const uint32_t whose = fuzz_below(&in, 7);
    fuzz_words w = fuzz_words_of(&in, MAX_WORDS);
    const char *first = w.n > 0 ? w.at[0] : "";
    int taken = 0;
    if (whose < 2)
        taken = try_args(&w, (int)whose);
    else if (whose == 2)
        taken = try_conform(&w);
    else if (whose == 3)
        taken = try_backend(first);
    else if (whose == 4)
        taken = try_case(first);
    else if (whose == 5)
        taken = try_ids(first);
    else
        taken = try_type(first);
    fuzz_words_free(&w);
    return taken;
}
