#include "case_id.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv1a.h"
#include "module.h"

/* Appends to a text of CONFORM_ID_BYTES and cuts what does not fit; no id comes near that length. */
typedef struct writer {
    char *out;
    size_t used;
} writer;

static void put(writer *w, const char *text)
{
    const size_t n = strlen(text), room = CONFORM_ID_BYTES - 1 - w->used;
    memcpy(w->out + w->used, text, n < room ? n : room);
    w->used += n < room ? n : room;
    w->out[w->used] = '\0';
}

static void put_number(writer *w, const char *name, long long value)
{
    char text[64];
    snprintf(text, sizeof text, "%s%lld", name, value);
    put(w, text);
}

/* Appends the address of the tensors and the cut of the call, if the case sets them. */
static void put_setting(writer *w, const conform_case *c)
{
    if (c->is_at)
        put_number(w, "/at=", c->at);
    if (c->is_cut) {
        put_number(w, c->is_at ? ",cut=" : "/cut=", (long long)c->cut[0]);
        put_number(w, "x", (long long)c->cut[1]);
    }
}

/* op/dtype[+out_dtype]/dims/tier/family/raw|prepared/alias/[index.]seed[/at=bytes][,cut=axis x
 * axis] */
void conform_case_id(const conform_case *c, char out[CONFORM_ID_BYTES])
{
    const conform_module *m = conform_module_of(c->op);
    writer w = {out, 0};
    char seed[32];
    put(&w, ifn_op_name(c->op));
    put(&w, "/");
    put(&w, ifn_dtype_name(c->dtype));
    for (int i = 0; i < c->n_more; i++) {
        put(&w, ",");
        put(&w, ifn_dtype_name(c->more[i]));
    }
    if (c->out_dtype != IFN_DTYPE_F32) {
        put(&w, "+");
        put(&w, ifn_dtype_name(c->out_dtype));
    }
    put(&w, "/");
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        put(&w, i ? "," : "");
        put(&w, m->dim_names[i]);
        put_number(&w, "=", (long long)c->dim[i]);
    }
    put(&w, "/");
    put(&w, conform_tier_name(c->tier));
    put(&w, "/");
    put(&w, conform_family_name(c->family));
    put(&w, c->prepared ? "/prepared/" : "/raw/");
    put_number(&w, "", c->alias);
    put(&w, "/");
    if (c->index)
        put_number(&w, "", c->index), put(&w, ".");
    snprintf(seed, sizeof seed, "%llx", (unsigned long long)c->seed);
    put(&w, seed);
    put_setting(&w, c);
}

/* The next field of an id, up to '/' or the end; NULL when there is none. */
static char *next_field(char **rest)
{
    char *field = *rest, *slash = field ? strchr(field, '/') : NULL;
    if (slash)
        *slash = '\0';
    *rest = slash ? slash + 1 : NULL;
    return field;
}

static int bad(const char *what, const char *found, const char *expected, ifn_error *err)
{
    (void)ifn_fail(err, IFN_ERR_ARGUMENT, "case id: %s: found '%.60s', expected %s", what,
                   found ? found : "nothing", expected);
    return 0;
}

/* Ends the field at its first `mark` and returns the text after it; NULL: there is none. */
static char *cut_at(char *field, char mark)
{
    char *at = field ? strchr(field, mark) : NULL;
    if (at)
        *at++ = '\0';
    return at;
}

static int parse_more_dtypes(char *field, conform_case *out, ifn_error *err)
{
    const int most = (int)(sizeof out->more / sizeof *out->more);
    while (field) {
        char *rest = cut_at(field, ',');
        if (out->n_more == most || !ifn_dtype_from_name(field, &out->more[out->n_more++]))
            return bad("dtype", field, "at most four dtypes, as in Q4_K,Q6_K", err);
        field = rest;
    }
    return 1;
}

static int parse_dtypes(char *field, conform_case *out, ifn_error *err)
{
    char *plus = cut_at(field, '+'), *more = cut_at(field, ',');
    if (!field || !ifn_dtype_from_name(field, &out->dtype))
        return bad("dtype", field, "a dtype, as in F32 or Q4_K", err);
    if (!parse_more_dtypes(more, out, err))
        return 0;
    out->out_dtype = IFN_DTYPE_F32;
    if (plus && !ifn_dtype_from_name(plus, &out->out_dtype))
        return bad("output dtype", plus, "a dtype", err);
    return 1;
}

static int parse_dims(char *field, conform_case *out, ifn_error *err)
{
    const conform_module *m = conform_module_of(out->op);
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        const size_t n = strlen(m->dim_names[i]);
        char *end;
        if (!field || strncmp(field, m->dim_names[i], n) != 0 || field[n] != '=')
            return bad("dimensions", field, m->dim_names[i], err);
        out->dim[i] = strtoll(field + n + 1, &end, 10);
        if (end == field + n + 1 || (*end != ',' && *end != '\0'))
            return bad("dimensions", field, "name=number", err);
        field = *end ? end + 1 : end;
    }
    return 1;
}

static int parse_seed(const char *field, conform_case *out, ifn_error *err)
{
    const char *dot = field ? strchr(field, '.') : NULL;
    char *end;
    if (dot)
        out->index = (uint32_t)strtoull(field, NULL, 10);
    if (!field)
        return bad("seed", field, "a hexadecimal number", err);
    field = dot ? dot + 1 : field;
    out->seed = strtoull(field, &end, 16);
    return end != field && *end == '\0' ? 1 : bad("seed", field, "a hexadecimal number", err);
}

/* Reads a number after `name`, with which the field must begin. Returns 1 and advances the field. */
static int take_number(const char **field, const char *name, int64_t *out)
{
    const size_t n = strlen(name);
    char *end;
    if (strncmp(*field, name, n) != 0 || (*field)[n] < '0' || (*field)[n] > '9')
        return 0;
    *out = strtoll(*field + n, &end, 10);
    *field = end;
    return 1;
}

static int parse_setting(const char *field, conform_case *out, ifn_error *err)
{
    const char *rest = field;
    int64_t at = 0;
    if (!field)
        return 1;
    out->is_at = take_number(&rest, "at=", &at);
    out->at = (int32_t)at;
    const bool has_cut = !out->is_at || *rest == ',';
    rest += out->is_at && has_cut;
    if (has_cut)
        out->is_cut =
            take_number(&rest, "cut=", &out->cut[0]) && take_number(&rest, "x", &out->cut[1]);
    if (*rest || out->is_cut != has_cut || at > 63)
        return bad("setting", field, "at=0 .. 63, cut=axis x axis, as in at=4,cut=3x0", err);
    return 1;
}

int conform_case_parse(const char *id, conform_case *out, ifn_error *err)
{
    char copy[CONFORM_ID_BYTES];
    char *rest = copy, *field;
    int i;
    *out = (conform_case){0};
    snprintf(copy, sizeof copy, "%s", id);
    field = next_field(&rest);
    if (!field || !ifn_op_from_name(field, &out->op))
        return bad("op", field, "an op, as in matmul", err);
    if (!parse_dtypes(next_field(&rest), out, err) || !parse_dims(next_field(&rest), out, err))
        return 0;
    field = next_field(&rest);
    if (!field || (i = conform_tier_from_name(field)) < 0)
        return bad("tier", field, "T0, T1, T2, SV, GO or RE", err);
    out->tier = (conform_tier)i;
    field = next_field(&rest);
    if (!field || (i = conform_family_from_name(field)) < 0)
        return bad("family", field, "a family of inputs, as in normal", err);
    out->family = (conform_family)i;
    field = next_field(&rest);
    if (!field || (strcmp(field, "raw") != 0 && strcmp(field, "prepared") != 0))
        return bad("weights", field, "raw or prepared", err);
    out->prepared = strcmp(field, "prepared") == 0;
    field = next_field(&rest);
    if (!field || *field < '0' || *field > '9')
        return bad("overlap", field, "a number", err);
    out->alias = (int32_t)strtoll(field, NULL, 10);
    if (!parse_seed(next_field(&rest), out, err) || !parse_setting(next_field(&rest), out, err))
        return 0;
    return !rest || bad("end", rest, "nothing more", err);
}

/* FNV-1a of the id with a finalizer, so that similar ids fall into different shards. */
uint64_t conform_case_hash(const conform_case *c)
{
    char id[CONFORM_ID_BYTES];
    conform_case_id(c, id);
    uint64_t h = fnv1a_text(FNV1A_START, id);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}
