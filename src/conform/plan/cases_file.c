#include "cases_file.h"
#include "case_call.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "exhaustive.h"
#include "regimes.h"
#include "spec_read.h"

typedef struct reader {
    spec_op **specs;
    conform_cases *out;
    bool is_mine[IFN_OP_COUNT]; /* the golden entries of specs[op] are this file's */
    char id[CONFORM_ID_BYTES];  /* id of the current item */
    spec_entry entry;
} reader;

/* The product of all dimensions, as a double: no tensor has more elements. It is checked first, before the integer
 * products of a layout can overflow. */
static double product_of(const conform_case *c)
{
    double product = 1;
    for (int i = 0; i < CONFORM_MAX_DIMS; i++)
        product *= c->dim[i] > 1 ? (double)c->dim[i] : 1;
    return product;
}

static bool has_overlap(const conform_module *m, int32_t alias)
{
    return alias == 0 || (alias > 0 && alias <= CONFORM_MAX_ALIASES && m->aliases[alias - 1]);
}

/* Refuses a family that the tier cannot judge: a bound holds only for the inputs that it was derived for. */
static ifn_status check_family(const conform_module *m, const conform_case *c, ifn_error *err)
{
    enum { NAMED = 8 }; /* a message has room for these beside a long path */
    char expected[200] = "";
    size_t used = 0;
    int n = 0;
    if (c->family == FAMILY_EVERY || conform_regime_is_judged(m, c->dtype, c->tier, c->family))
        return IFN_OK;
    for (int f = 0; f < FAMILY_COUNT; f++)
        if (conform_regime_is_judged(m, c->dtype, c->tier, (conform_family)f) && n++ < NAMED)
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s",
                                     used ? ", " : "", conform_family_name((conform_family)f));
    if (n > NAMED)
        snprintf(expected + used, sizeof expected - used, " or one of %d more", n - NAMED);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: family %s in tier %s, expected %s",
                    ifn_op_name(c->op), conform_family_name(c->family), conform_tier_name(c->tier),
                    used ? expected : "a tier that the op has");
}

ifn_status conform_case_check(const conform_case *c, ifn_error *err)
{
    const conform_module *m = conform_module_of(c->op);
    conform_layout l = {0};
    double elements = 0;
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        if (c->dim[i] < 0)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: %s=%lld, expected at least 0",
                            ifn_op_name(c->op), m->dim_names[i], (long long)c->dim[i]);
    if (!has_overlap(m, c->alias))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: overlap %d, which the op does not have",
                        ifn_op_name(c->op), (int)c->alias);
    IFN_TRY(check_family(m, c, err));
    if (product_of(c) < 0x1p60 && conform_case_layout(c, &l) != IFN_OK)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: sizes that do not fit each other",
                        ifn_op_name(c->op));
    if (c->family == FAMILY_EVERY && !conform_every_is_legal(c))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: there is no sweep over all of these",
                        ifn_op_name(c->op));
    for (int i = 0; i < l.n; i++)
        elements += (double)l.t[i].rows * (double)l.t[i].stride;
    const int most = c->tier == TIER_GOLDEN ? WRITTEN_ELEMENTS_MAX : CASE_ELEMENTS_MAX;
    if (product_of(c) >= 0x1p60 || elements > most)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "case of %s: more elements than %d",
                        ifn_op_name(c->op), most);
    return IFN_OK;
}

static ifn_status read_kind(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    (void)into;
    IFN_TRY(spec_doc_text(doc, node, &text));
    return strcmp(text, "cases/1") == 0
               ? IFN_OK
               : spec_doc_fail(doc, node, "'%.40s', expected cases/1: kind and version", text);
}

static ifn_status read_id(spec_doc *doc, spec_node *node, void *into)
{
    reader *r = into;
    return spec_doc_name(doc, node, r->id, sizeof r->id);
}

static ifn_status read_name(spec_doc *doc, spec_node *node, void *into)
{
    reader *r = into;
    return spec_doc_name(doc, node, r->entry.name, sizeof r->entry.name);
}

/* The other keys of a GOLDEN case are names of tensors. */
static const spec_key case_keys[] = {{"case", 1, read_id}, {"name", 1, read_name}};
const spec_table spec_table_case = {"case", case_keys, 2};

static ifn_status read_pair(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    reader *r = into;
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    const spec_key *const known = spec_find_key(&spec_table_case, name);
    if (known)
        return known->read(doc, value, into);
    return spec_read_values(doc, key, value, &r->entry);
}

/* Checks that each name is that of a tensor of the case, or such a name with the suffix "_after". */
static ifn_status check_names(spec_doc *doc, const conform_layout *l, const spec_entry *entry)
{
    for (int i = 0; i < entry->n_values; i++) {
        const spec_values *v = &entry->values[i];
        int found = 0;
        for (int t = 0; t < l->n; t++) {
            const size_t n = strlen(l->t[t].name);
            found |= strncmp(l->t[t].name, v->name, n) == 0 &&
                     (!v->name[n] || strcmp(v->name + n, "_after") == 0);
        }
        if (!found)
            return spec_doc_fail_at(doc, v->line, v->column, "the case has no tensor '%s'",
                                    v->name);
    }
    return IFN_OK;
}

static void drop_golden(spec_op *spec)
{
    for (int i = 0; i < spec->n_golden; i++)
        spec_entry_drop(&spec->golden[i]);
    spec->n_golden = 0;
}

/* Moves the entry into the spec and sets the case's index among the golden cases of its op. */
static ifn_status add_golden(reader *r, spec_doc *doc, spec_node *node, conform_case *c)
{
    spec_op *spec = r->specs[c->op];
    if (!r->is_mine[c->op])
        drop_golden(spec);
    r->is_mine[c->op] = 1;
    if (spec->n_golden == SPEC_MAX_ENTRIES)
        return spec_doc_fail(doc, node, "more than %d GO cases of %s", SPEC_MAX_ENTRIES,
                             ifn_op_name(c->op));
    spec->golden[spec->n_golden++] = r->entry;
    r->entry.values = NULL;
    c->index = (uint32_t)spec->n_golden;
    return IFN_OK;
}

static ifn_status add_case(reader *r, spec_doc *doc, spec_node *node)
{
    conform_case c;
    ifn_error why;
    conform_layout layout = {0};
    if (!r->id[0] || !r->entry.name[0])
        return spec_doc_fail(doc, node, "no key '%s', expected one", r->id[0] ? "name" : "case");
    if (!conform_case_parse(r->id, &c, &why))
        return spec_doc_fail(doc, node, "%s", why.text);
    if (c.tier == TIER_REFUSE)
        return spec_doc_fail(doc, node, "a call to refuse, expected one with values or a seed");
    if (conform_case_check(&c, &why) != IFN_OK)
        return spec_doc_fail(doc, node, "%s", why.text);
    if (c.tier != TIER_GOLDEN && r->entry.n_values)
        return spec_doc_fail(doc, node, "values of a case that makes its own, expected tier GO");
    (void)conform_case_layout(&c, &layout);
    IFN_TRY(check_names(doc, &layout, &r->entry));
    if (c.tier == TIER_GOLDEN)
        IFN_TRY(add_golden(r, doc, node, &c));
    r->out->cases[r->out->n++] = c;
    return IFN_OK;
}

static ifn_status read_case(spec_doc *doc, spec_node *node, void *into)
{
    reader *r = into;
    r->id[0] = '\0';
    r->entry = (spec_entry){.n_values = 0};
    ifn_status status = spec_doc_pairs(doc, node, read_pair, r);
    if (status == IFN_OK)
        status = add_case(r, doc, node);
    spec_entry_drop(&r->entry); /* frees nothing if a spec has taken the values */
    return status;
}

static ifn_status read_cases(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, CASES_FILE_MAX, read_case, into);
}

static const spec_key file_keys[] = {{"inferno", 1, read_kind}, {"cases", 1, read_cases}};
const spec_table spec_table_cases = {"cases", file_keys, 2};

static ifn_status read_document(spec_doc *doc, spec_op *specs[IFN_OP_COUNT], conform_cases *out)
{
    reader *r = calloc(1, sizeof *r);
    out->cases = calloc(CASES_FILE_MAX, sizeof *out->cases);
    ifn_status status = IFN_ERR_NOMEM;
    if (r && out->cases) {
        r->specs = specs;
        r->out = out;
        status = spec_doc_map(doc, spec_doc_root(doc), file_keys, 2, r);
    } else {
        status = ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    }
    free(r);
    spec_doc_close(doc);
    if (status != IFN_OK)
        conform_cases_free(out);
    return status;
}

ifn_status conform_cases_read(const char *path, spec_op *specs[IFN_OP_COUNT], conform_cases *out,
                              ifn_error *err)
{
    spec_doc doc;
    *out = (conform_cases){NULL, 0};
    IFN_TRY(spec_doc_open(&doc, path, err));
    return read_document(&doc, specs, out);
}

/* The id is written in double quotes, as it holds characters of YAML's grammar; quotes, backslashes and line breaks
 * would break that. */
static bool is_plain_id(const char *id)
{
    return strlen(id) < CONFORM_ID_BYTES && id[strcspn(id, "\"\\\n")] == '\0';
}

ifn_status conform_cases_read_values(const char *id, const char *values,
                                     spec_op *specs[IFN_OP_COUNT], conform_cases *out,
                                     ifn_error *err)
{
    static const char form[] = "inferno: cases/1\ncases:\n- {case: \"%s\", name: values, %s}\n";
    const size_t bytes = sizeof form + strlen(id) + strlen(values);
    spec_doc doc;
    *out = (conform_cases){NULL, 0};
    if (!is_plain_id(id))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--case: found '%.60s', expected the id of a case",
                        id);
    char *const text = malloc(bytes);
    if (!text)
        return ifn_fail(err, IFN_ERR_NOMEM, "--values: out of memory");
    snprintf(text, bytes, form, id, values);
    ifn_status status = spec_doc_open_text(&doc, "--values", text, err);
    if (status == IFN_OK)
        status = read_document(&doc, specs, out);
    free(text);
    return status;
}

void conform_cases_free(conform_cases *self)
{
    free(self->cases);
    *self = (conform_cases){NULL, 0};
}
