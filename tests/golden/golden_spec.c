#include "golden_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spec_doc.h"

/* Logits are written with five decimals. */
#define MARGIN_ROUNDING 2e-5

static ifn_status read_version(spec_doc *doc, spec_node *node, void *into)
{
    (void)into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strcmp(text, "generate/1") != 0)
        return spec_doc_fail(doc, node, "'%.40s', expected generate/1", text);
    return IFN_OK;
}

static ifn_status read_model_file(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_copy(doc, node, &((golden_spec *)into)->model);
}

static ifn_status read_sha256(spec_doc *doc, spec_node *node, void *into)
{
    golden_spec *spec = into;
    IFN_TRY(spec_doc_name(doc, node, spec->sha256, sizeof spec->sha256));
    if (strspn(spec->sha256, "0123456789abcdef") != sizeof spec->sha256 - 1)
        return spec_doc_fail(doc, node, "'%s', expected 64 lower-case hex digits", spec->sha256);
    return IFN_OK;
}

static ifn_status read_model(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {{"file", 1, read_model_file}, {"sha256", 1, read_sha256}};
    return spec_doc_map(doc, node, keys, sizeof keys / sizeof *keys, into);
}

static ifn_status read_prompt(spec_doc *doc, spec_node *node, void *into)
{
    golden_spec *spec = into;
    IFN_TRY(spec_doc_copy(doc, node, &spec->prompt));
    spec->prompt_bytes = node->data.scalar.length;
    if (strlen(spec->prompt) != spec->prompt_bytes)
        return spec_doc_fail(doc, node, "a NUL in the text, expected none");
    return IFN_OK;
}

/* Allocates zeroed room for the elements of a list. */
static ifn_status take_room(spec_doc *doc, const spec_node *list, size_t each, void **out)
{
    size_t n = 0;
    if (list->type == YAML_SEQUENCE_NODE)
        n = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    *out = calloc(n + 1, each);
    if (!*out)
        return ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    return IFN_OK;
}

static ifn_status read_token(spec_doc *doc, spec_node *node, ifn_token *out)
{
    int64_t value;
    IFN_TRY(spec_doc_integer(doc, node, &value));
    if (value < 0 || value > INT32_MAX)
        return spec_doc_fail(doc, node, "%lld, expected an id", (long long)value);
    *out = (ifn_token)value;
    return IFN_OK;
}

static ifn_status push_id(spec_doc *doc, spec_node *node, void *into)
{
    golden_ids *ids = into;
    return read_token(doc, node, &ids->ids[ids->n++]);
}

static ifn_status read_ids(spec_doc *doc, spec_node *node, golden_ids *out)
{
    void *room;
    IFN_TRY(take_room(doc, node, sizeof *out->ids, &room));
    out->ids = room;
    IFN_TRY(spec_doc_list(doc, node, INT32_MAX, push_id, out));
    return out->n > 0 ? IFN_OK : spec_doc_fail(doc, node, "no ids, expected some");
}

static ifn_status read_prompt_ids(spec_doc *doc, spec_node *node, void *into)
{
    return read_ids(doc, node, &((golden_spec *)into)->prompt_ids);
}

static ifn_status read_expect_ids(spec_doc *doc, spec_node *node, void *into)
{
    return read_ids(doc, node, &((golden_spec *)into)->expect_ids);
}

static ifn_status push_graph(spec_doc *doc, spec_node *node, void *into)
{
    golden_spec *spec = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strcmp(text, "fused") == 0)
        spec->graphs |= 1u << IFN_GRAPH_FUSED;
    else if (strcmp(text, "primitive") == 0)
        spec->graphs |= 1u << IFN_GRAPH_PRIMITIVE;
    else
        return spec_doc_fail(doc, node, "'%.40s', expected fused or primitive", text);
    return IFN_OK;
}

static ifn_status read_graphs(spec_doc *doc, spec_node *node, void *into)
{
    IFN_TRY(spec_doc_list(doc, node, 2, push_graph, into));
    return ((golden_spec *)into)->graphs ? IFN_OK
                                         : spec_doc_fail(doc, node, "no graph, expected one");
}

static ifn_status read_activations(spec_doc *doc, spec_node *node, void *into)
{
    golden_spec *spec = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strcmp(text, "f32") == 0)
        spec->activations = IFN_ACTIVATIONS_F32;
    else if (strcmp(text, "q8") == 0)
        spec->activations = IFN_ACTIVATIONS_Q8;
    else
        return spec_doc_fail(doc, node, "'%.40s', expected f32 or q8", text);
    return IFN_OK;
}

/* A pair [id, logit], and how much of it has been read. */
typedef struct pair {
    golden_logit *into;
    int n;
} pair;

static ifn_status push_half(spec_doc *doc, spec_node *node, void *into)
{
    pair *p = into;
    if (p->n++ == 0)
        return read_token(doc, node, &p->into->id);
    return spec_doc_number(doc, node, &p->into->logit);
}

static ifn_status push_top(spec_doc *doc, spec_node *node, void *into)
{
    golden_step *step = into;
    pair p = {.into = &step->top[step->n_top]};
    IFN_TRY(spec_doc_list(doc, node, 2, push_half, &p));
    if (p.n != 2)
        return spec_doc_fail(doc, node, "%d values, expected an id and its logit", p.n);
    if (step->n_top > 0 && !(p.into->logit <= p.into[-1].logit))
        return spec_doc_fail(doc, node, "a larger logit than the one before, expected best first");
    step->n_top++;
    return IFN_OK;
}

static ifn_status read_top(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, GOLDEN_MAX_TOP, push_top, into);
}

static ifn_status read_margin(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_number(doc, node, &((golden_step *)into)->margin);
}

static ifn_status read_sigma(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_number(doc, node, &((golden_step *)into)->sigma);
}

static ifn_status push_step(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {
        {"top", 0, read_top}, {"margin", 1, read_margin}, {"sigma", 0, read_sigma}};
    golden_spec *spec = into;
    golden_step *step = &spec->steps[spec->n_steps++];
    IFN_TRY(spec_doc_map(doc, node, keys, sizeof keys / sizeof *keys, step));
    if (step->n_top == 1)
        return spec_doc_fail(doc, node, "1 candidate, expected two or more, or none");
    if (step->n_top == 0)
        return step->margin >= 0
                   ? IFN_OK
                   : spec_doc_fail(doc, node, "margin %.5f, expected at least 0", step->margin);
    const double margin = step->top[0].logit - step->top[1].logit;
    if (!(fabs(step->margin - margin) <= MARGIN_ROUNDING))
        return spec_doc_fail(doc, node, "margin %.5f, expected %.5f: the distance of the best two",
                             step->margin, margin);
    return IFN_OK;
}

static ifn_status read_steps(spec_doc *doc, spec_node *node, void *into)
{
    void *room;
    IFN_TRY(take_room(doc, node, sizeof(golden_step), &room));
    ((golden_spec *)into)->steps = room;
    return spec_doc_list(doc, node, INT32_MAX, push_step, into);
}

static ifn_status read_any_text(spec_doc *doc, spec_node *node, void *into)
{
    (void)into;
    const char *text;
    return spec_doc_text(doc, node, &text);
}

static ifn_status push_engine(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {{"engine", 1, read_any_text},
                                    {"precision", 1, read_any_text},
                                    {"made_by", 1, read_any_text}};
    ((golden_spec *)into)->n_engines++;
    return spec_doc_map(doc, node, keys, sizeof keys / sizeof *keys, NULL);
}

static ifn_status read_provenance(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, GOLDEN_MAX_ENGINES, push_engine, into);
}

static ifn_status read_root(spec_doc *doc, golden_spec *spec)
{
    static const spec_key keys[] = {
        {"inferno", 1, read_version},       {"model", 1, read_model},
        {"prompt", 0, read_prompt},         {"prompt_ids", 1, read_prompt_ids},
        {"graph", 1, read_graphs},          {"activations", 1, read_activations},
        {"expect_ids", 1, read_expect_ids}, {"steps", 1, read_steps},
        {"provenance", 1, read_provenance},
    };
    spec_node *root = spec_doc_root(doc);
    IFN_TRY(spec_doc_map(doc, root, keys, sizeof keys / sizeof *keys, spec));
    if (spec->n_steps != spec->expect_ids.n)
        return spec_doc_fail(doc, root, "%zu steps, expected one for each of %zu expect_ids",
                             spec->n_steps, spec->expect_ids.n);
    return IFN_OK;
}

ifn_status golden_spec_read(const char *path, golden_spec *out, ifn_error *err)
{
    spec_doc doc;
    *out = (golden_spec){.path = malloc(strlen(path) + 1)};
    if (!out->path)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", path);
    memcpy(out->path, path, strlen(path) + 1);
    IFN_TRY(spec_doc_open(&doc, out->path, err));
    const ifn_status status = read_root(&doc, out);
    spec_doc_close(&doc);
    return status;
}

void golden_spec_free(golden_spec *spec)
{
    free(spec->path);
    free(spec->model);
    free(spec->prompt);
    free(spec->prompt_ids.ids);
    free(spec->expect_ids.ids);
    free(spec->steps);
    *spec = (golden_spec){0};
}
