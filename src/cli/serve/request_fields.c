#include "request_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <inferno/nearest.h>

typedef enum kind {
    NUMBER,  /* double */
    INTEGER, /* int64_t */
    BOOLEAN, /* bool */
    OTHER,   /* read elsewhere */
    IDLE,    /* ignored, as it changes no answer */
    EMPTY    /* what is not there yet: refused unless it asks for nothing */
} kind;

typedef struct field {
    const char *name;
    kind kind;
    size_t at;
    double min, max;
} field;

enum { AT_NOTHING = 0 };
#define AT(member) offsetof(request, member)

/* The known fields. A member that is null counts as missing. */
static const field fields[] = {
    {"model", OTHER, AT_NOTHING, 0, 0},
    {"prompt", OTHER, AT_NOTHING, 0, 0},
    {"messages", OTHER, AT_NOTHING, 0, 0},
    {"stop", OTHER, AT_NOTHING, 0, 0},
    {"stream_options", OTHER, AT_NOTHING, 0, 0},
    {"n", OTHER, AT_NOTHING, 0, 0},
    {"best_of", OTHER, AT_NOTHING, 0, 0},
    {"response_format", OTHER, AT_NOTHING, 0, 0},
    {"stream", BOOLEAN, AT(is_stream), 0, 0},
    {"ignore_eos", BOOLEAN, AT(ignore_eos), 0, 0},
    {"max_tokens", INTEGER, AT(n), 0, INT32_MAX},
    {"max_completion_tokens", INTEGER, AT(n), 0, INT32_MAX},
    {"temperature", NUMBER, AT(temperature), 0, 2},
    {"top_p", NUMBER, AT(top_p), 1e-6, 1},
    {"min_p", NUMBER, AT(min_p), 0, 1},
    {"top_k", INTEGER, AT(top_k), 0, INT32_MAX},
    {"seed", INTEGER, AT(seed), 0, 0x1p53},
    {"frequency_penalty", NUMBER, AT(frequency), -2, 2},
    {"presence_penalty", NUMBER, AT(presence), -2, 2},
    {"user", IDLE, AT_NOTHING, 0, 0},
    {"metadata", IDLE, AT_NOTHING, 0, 0},
    {"store", IDLE, AT_NOTHING, 0, 0},
    {"service_tier", IDLE, AT_NOTHING, 0, 0},
    {"parallel_tool_calls", IDLE, AT_NOTHING, 0, 0},
    {"logprobs", EMPTY, AT_NOTHING, 0, 0},
    {"top_logprobs", EMPTY, AT_NOTHING, 0, 0},
    {"echo", EMPTY, AT_NOTHING, 0, 0},
    {"suffix", EMPTY, AT_NOTHING, 0, 0},
    {"logit_bias", EMPTY, AT_NOTHING, 0, 0},
    {"tools", EMPTY, AT_NOTHING, 0, 0},
    {"tool_choice", EMPTY, AT_NOTHING, 0, 0},
    {"functions", EMPTY, AT_NOTHING, 0, 0},
};
#undef AT

enum { N_FIELDS = sizeof fields / sizeof *fields };

static const field *find(const char *name)
{
    for (size_t i = 0; i < N_FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static bool refuse_unknown(const char *name, refusal *why)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = name};
    for (size_t i = 0; i < N_FIELDS; i++)
        ifn_nearest_offer(&near, fields[i].name);
    return refuse(why, REFUSE_BAD, name, "%.60s: unknown field%s", name,
                  ifn_nearest_hint(&near, hint));
}

static bool is_empty(const json_t *value)
{
    return json_is_false(value) || (json_is_number(value) && json_number_value(value) == 0) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0);
}

static bool read_number(const field *f, const json_t *value, double *out, refusal *why)
{
    *out = json_number_value(value);
    if (json_is_number(value) && *out >= f->min && *out <= f->max)
        return true;
    return refuse(why, REFUSE_BAD, f->name, "%s: expected a number in %g .. %g", f->name, f->min,
                  f->max);
}

static bool read_integer(const field *f, const json_t *value, int64_t *out, refusal *why)
{
    const json_int_t most = (json_int_t)f->max;
    *out = json_integer_value(value);
    if (json_is_integer(value) && *out >= (json_int_t)f->min && *out <= most)
        return true;
    return refuse(why, REFUSE_BAD, f->name, "%s: expected a whole number in %.0f .. %" PRId64,
                  f->name, f->min, (int64_t)most);
}

static bool read_boolean(const field *f, const json_t *value, bool *out, refusal *why)
{
    *out = json_is_true(value);
    return json_is_boolean(value) ||
           refuse(why, REFUSE_BAD, f->name, "%s: expected true or false", f->name);
}

static bool read(request *self, const field *f, const json_t *value, refusal *why)
{
    void *const at = (char *)self + f->at;
    switch (f->kind) {
    case NUMBER:
        return read_number(f, value, at, why);
    case INTEGER:
        return read_integer(f, value, at, why);
    case BOOLEAN:
        return read_boolean(f, value, at, why);
    case EMPTY:
        return is_empty(value) ||
               refuse(why, REFUSE_BAD, f->name, "%s: this server does not have it", f->name);
    case OTHER:
    case IDLE:
        break;
    }
    return true;
}

bool request_fields_read(request *self, refusal *why)
{
    const char *name;
    json_t *value;
    json_object_foreach(self->document, name, value)
    {
        const field *const f = find(name);
        if (!f)
            return refuse_unknown(name, why);
        if (!json_is_null(value) && !read(self, f, value, why))
            return false;
    }
    return true;
}
