#include "option_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/cpu.h>
#include <inferno/nearest.h>

#include "args.h"

static ifn_status bad(const char *option, const char *found, const char *expected, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%.60s', expected %s", option, found,
                    expected);
}

static ifn_status too_many(const char *option, int most, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: given more than %d times", option, most);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Fails with the word that was found and the most similar valid name. */
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

/* Adds a backend expression for each level of simd that this processor supports. */
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

ifn_status conform_set_backend(void *values, const char *text, ifn_error *err)
{
    return strcmp(text, "simd=*") == 0 ? add_levels(values, err) : add_backend(values, text, err);
}

ifn_status conform_set_op(void *values, const char *text, ifn_error *err)
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

ifn_status conform_set_dtype(void *values, const char *text, ifn_error *err)
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

/* Parses "m=3,n=17". Names are checked later, as they depend on the op. */
ifn_status conform_set_shape(void *values, const char *text, ifn_error *err)
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

ifn_status conform_set_format(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    o->tap = strcmp(text, "tap") == 0;
    o->github = strcmp(text, "github") == 0;
    if (!o->tap && !o->github && strcmp(text, "text") != 0)
        return bad("--format", text, "text, tap or github", err);
    return IFN_OK;
}

ifn_status conform_set_seed(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    char *end;
    errno = 0;
    o->filter.seed = strtoull(text, &end, 10);
    if (!is_digit(*text) || *end || errno)
        return bad("--seed", text, "a number 0 .. 18446744073709551615", err);
    return IFN_OK;
}

/* Parses "2/8", the third of eight shards. */
ifn_status conform_set_shard(void *values, const char *text, ifn_error *err)
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

ifn_status conform_set_repeat(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    o->repeat = REPEAT_UNTIL;
    if (strcmp(text, "until") == 0)
        return IFN_OK;
    return args_int("--repeat", text, 1, 1000000000, &o->repeat, err);
}

ifn_status conform_set_patience(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    int64_t seconds = 0;
    IFN_TRY(args_int("--patience", text, 1, 3600, &seconds, err));
    o->patience = (double)seconds;
    return IFN_OK;
}

/* Parses "90s", "30m" or "8h". */
ifn_status conform_set_for(void *values, const char *text, ifn_error *err)
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

ifn_status conform_set_model(void *values, const char *text, ifn_error *err)
{
    conform_options *const o = values;
    if (!*text || strncmp(text, "--", 2) == 0)
        return bad("--e2e", text, "a GGUF file, or the word shipped", err);
    if (o->n_models == OPTIONS_MAX_MODELS)
        return too_many("--e2e", OPTIONS_MAX_MODELS, err);
    o->models[o->n_models++] = text;
    return IFN_OK;
}
