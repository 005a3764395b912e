/*
 * spec/models agrees with the model code: the tensors with their shapes, the tensors and metadata that are required,
 * and the ops of a forward pass in order.
 */
#include <stdio.h>
#include <string.h>

#include "road.h"
#include "spec_doc.h"
#include "tensors.h"

enum { MAX_ROWS = 32, NAME_BYTES = 64 };

typedef struct row {
    char name[NAME_BYTES];
    int is_required;
    char shape[2][NAME_BYTES];
    int n_shape;
} row;

typedef struct rows {
    row rows[MAX_ROWS];
    int n;
} rows;

typedef struct steps {
    ifn_op ops[MAX_ROWS];
    int n;
} steps;

typedef struct model_spec {
    char architecture[NAME_BYTES];
    rows metadata, global, block;
    int64_t pairing;
    steps begin, each, end;
} model_spec;

static ifn_status ignore(spec_doc *doc, spec_node *node, void *into)
{
    (void)doc, (void)node, (void)into;
    return IFN_OK;
}

static ifn_status read_required(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    ((row *)into)->is_required = strcmp(text, "yes") == 0;
    return strcmp(text, "yes") == 0 || strcmp(text, "no") == 0
               ? IFN_OK
               : spec_doc_fail(doc, node, "'%s', expected yes or no", text);
}

static ifn_status add_extent(spec_doc *doc, spec_node *node, void *into)
{
    row *r = into;
    return spec_doc_name(doc, node, r->shape[r->n_shape++], NAME_BYTES);
}

static ifn_status read_shape(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, 2, add_extent, into);
}

static ifn_status add_row(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    static const spec_key keys[] = {{"required", 1, read_required},
                                    {"shape", 0, read_shape},
                                    {"dtype", 0, ignore},
                                    {"holds", 0, ignore},
                                    {"sets", 0, ignore},
                                    {"else", 0, ignore},
                                    {"must", 0, ignore}};
    rows *all = into;
    assert_true(all->n < MAX_ROWS);
    row *r = &all->rows[all->n++];
    IFN_TRY(spec_doc_name(doc, key, r->name, sizeof r->name));
    return spec_doc_map(doc, value, keys, N_OF(keys), r);
}

static ifn_status read_metadata(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_row, &((model_spec *)into)->metadata);
}

static ifn_status read_global(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_row, &((model_spec *)into)->global);
}

static ifn_status read_block(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_row, &((model_spec *)into)->block);
}

static ifn_status read_tensors(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {{"global", 1, read_global}, {"block", 1, read_block}};
    return spec_doc_map(doc, node, keys, N_OF(keys), into);
}

/* "linear(h, attn_q)": the name of the op ends at the parenthesis. */
static ifn_status add_step(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    steps *all = into;
    const char *text;
    char name[NAME_BYTES];
    (void)key;
    IFN_TRY(spec_doc_text(doc, value, &text));
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "("), text);
    assert_true(all->n < MAX_ROWS);
    return ifn_op_from_name(name, &all->ops[all->n++])
               ? IFN_OK
               : spec_doc_fail(doc, value, "'%s' is no op", name);
}

static ifn_status read_step(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_step, into);
}

static ifn_status read_begin(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, MAX_ROWS, read_step, &((model_spec *)into)->begin);
}

static ifn_status read_each(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, MAX_ROWS, read_step, &((model_spec *)into)->each);
}

static ifn_status read_end(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, MAX_ROWS, read_step, &((model_spec *)into)->end);
}

static ifn_status read_forward(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {
        {"begin", 1, read_begin}, {"block", 1, read_each}, {"end", 1, read_end}};
    return spec_doc_map(doc, node, keys, N_OF(keys), into);
}

static ifn_status read_pairing(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_integer(doc, node, &((model_spec *)into)->pairing);
}

static ifn_status read_rope(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {{"pairing", 1, read_pairing}, {"pairs", 1, ignore}};
    return spec_doc_map(doc, node, keys, N_OF(keys), into);
}

static ifn_status read_architecture(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_name(doc, node, ((model_spec *)into)->architecture, NAME_BYTES);
}

static model_spec read_spec(const char *arch)
{
    static const spec_key keys[] = {
        {"inferno", 1, ignore}, {"architecture", 1, read_architecture},
        {"meaning", 1, ignore}, {"metadata", 1, read_metadata},
        {"extents", 1, ignore}, {"tensors", 1, read_tensors},
        {"rope", 1, read_rope}, {"forward", 1, read_forward},
    };
    char path[NAME_BYTES];
    model_spec spec = {.pairing = -1};
    ifn_error err;
    spec_doc doc;
    snprintf(path, sizeof path, "spec/models/%s.yaml", arch);
    assert_ok(spec_doc_open(&doc, source_path(path), &err), err);
    assert_ok(spec_doc_map(&doc, spec_doc_root(&doc), keys, N_OF(keys), &spec), err);
    spec_doc_close(&doc);
    assert_string_equal(spec.architecture, arch);
    return spec;
}

static const char *const archs[] = {"llama", "qwen2", "qwen3"};

static const row *find_row(const rows *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->rows[i].name, name) == 0)
            return &all->rows[i];
    return NULL;
}

/* The spec has exactly the tensors that tensors.h gives an architecture. */
TEST(the_spec_has_the_tensors_of_the_code)
{
    for (size_t a = 0; a < N_OF(archs); a++) {
        const model_spec spec = read_spec(archs[a]);
        int n_block = 0, n_global = 1; /* token_embd.weight */
        assert_non_null(find_row(&spec.global, "token_embd.weight"));
#define X(field, text, role, first, second, need)                                                  \
    if (need != NEED_QK_NORM || strcmp(archs[a], "qwen3") == 0) {                                  \
        const row *r = find_row(&spec.block, text);                                                \
        assert_that(r, "%s: %s is not in the spec", archs[a], text);                               \
        assert_int_equal(r->n_shape, second == DIM_NONE ? 1 : 2);                                  \
        n_block++;                                                                                 \
    }
        IFN_LAYER_TENSORS(X)
#undef X
#define X(field, text, role, first, second, need)                                                  \
    assert_that(find_row(&spec.global, text), "%s: %s is not in the spec", archs[a], text);        \
    n_global++;
        IFN_GLOBAL_TENSORS(X)
#undef X
        assert_int_equal(spec.block.n, n_block);
        assert_int_equal(spec.global.n, n_global);
    }
}

static tiny_model complete_model(const char *arch)
{
    tiny_model m = tiny_default(arch);
    m.rope_freqs = 1;
    m.head_dim = 24; /* so that q_dim is not n_embd */
    return m;
}

/* tiny_write writes a legal file, so its shapes are those that the code requires. */
static int64_t extent_of(const tiny_model *m, const char *name)
{
    const struct {
        const char *name;
        int64_t value;
    } extents[] = {
        {"n_vocab", m->n_vocab},
        {"n_embd", m->n_embd},
        {"n_ff", m->n_ff},
        {"head_dim", m->head_dim},
        {"half_head", m->head_dim / 2},
        {"q_dim", m->n_heads * m->head_dim},
        {"kv_dim", m->n_kv_heads * m->head_dim},
    };
    for (size_t i = 0; i < N_OF(extents); i++)
        if (strcmp(extents[i].name, name) == 0)
            return extents[i].value;
    print_error("%s: no such extent\n", name);
    fail();
    return -1;
}

static void compare_shapes(const tiny_model *m, const ifn_gguf *gguf, const rows *all,
                           const char *prefix)
{
    for (int i = 0; i < all->n; i++) {
        char name[2 * NAME_BYTES];
        const row *r = &all->rows[i];
        snprintf(name, sizeof name, "%s%s", prefix, r->name);
        const ifn_gguf_tensor *t = ifn_gguf_find_tensor(gguf, name);
        if (!t && !r->is_required)
            continue;
        assert_that(t, "%s: not in the file", name);
        assert_int_equal(t->view.n_dims, r->n_shape);
        for (int d = 0; d < r->n_shape; d++)
            assert_that(t->view.shape[d] == extent_of(m, r->shape[d]), "%s: extent %d is not %s",
                        name, d, r->shape[d]);
    }
}

TEST(the_spec_has_the_shapes_of_the_code)
{
    for (size_t a = 0; a < N_OF(archs); a++) {
        const model_spec spec = read_spec(archs[a]);
        const tiny_model m = complete_model(archs[a]);
        const ifn_context_params params = road_params();
        road r = road_open(&m, &params);
        compare_shapes(&m, r.gguf, &spec.global, "");
        compare_shapes(&m, r.gguf, &spec.block, "blk.1.");
        assert_int_equal(ifn_model_hparams(r.model)->rope_pairing, spec.pairing);
        road_close(&r);
    }
}

/* Returns 1 if a model without this key opens; its sizes are those that the defaults give. */
static int opens_without(const char *arch, const char *name)
{
    tiny_model m = tiny_default(arch);
    const char *path = temp_path("without.gguf");
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_error err;
    const size_t n_arch = strlen(arch);
    m.n_kv_heads = m.n_heads;
    m.rope_freqs = 1;
    /* tiny_write takes the names of an architecture's keys without the architecture */
    m.without = strncmp(name, arch, n_arch) == 0 ? name + n_arch + 1 : name;
    tiny_write(&m, path);
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    const ifn_status status = ifn_model_open(gguf, NULL, &model, &err);
    ifn_model_close(model);
    ifn_gguf_close(gguf);
    return status == IFN_OK;
}

static void compare_needs(const char *arch, const rows *all, const char *prefix)
{
    for (int i = 0; i < all->n; i++) {
        char name[2 * NAME_BYTES];
        snprintf(name, sizeof name, "%s%s", prefix, all->rows[i].name);
        assert_that(opens_without(arch, name) == !all->rows[i].is_required,
                    "%s: %s: required: %s in the spec, but not in the code", arch, name,
                    all->rows[i].is_required ? "yes" : "no");
    }
}

TEST(what_is_required_must_be_there_and_nothing_else)
{
    for (size_t a = 0; a < N_OF(archs); a++) {
        const model_spec spec = read_spec(archs[a]);
        assert_true(opens_without(archs[a], "nothing of that name"));
        compare_needs(archs[a], &spec.metadata, "");
        compare_needs(archs[a], &spec.global, "");
        compare_needs(archs[a], &spec.block, "blk.0.");
    }
}

static ifn_op recorded[256];
static int n_recorded;

/* record_matmul, ...: records the op and passes the call on. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status record_##name(ifn_backend *self, const ifn_##name##_args *a)                 \
    {                                                                                              \
        if (n_recorded < (int)N_OF(recorded))                                                      \
            recorded[n_recorded++] = IFN_OP_##NAME;                                                \
        return ifn_##name(self->inner, a);                                                         \
    }
IFN_OPS(X)
#undef X

static void record_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name, cut, cut2, doc) table->name = record_##name;
    IFN_OPS(X)
#undef X
}

static const ifn_backend_desc recorder = {IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER,
                                          .name = "recorder", .summary = "notes what runs",
                                          .fill = record_fill};

static void record_forward(const char *arch)
{
    const tiny_model m = tiny_default(arch);
    const ifn_context_params params = road_params();
    const ifn_token ids[] = {1, 2, 3};
    ifn_backend *wrapped;
    ifn_error err;
    road r = road_open(&m, &params);
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    assert_ok(ifn_backend_open_desc(&recorder, r.backend, NULL, NULL, &wrapped, &err), err);
    assert_ok(ifn_weights_open(r.model, wrapped, ifn_context_uses(r.model, &params), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, &params, NULL, &r.context, &err), err);
    n_recorded = 0;
    road_eval(&r, ids, N_OF(ids));
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    r.context = NULL;
    r.weights = NULL;
    ifn_backend_close(wrapped); /* it borrowed the backend of the road */
    road_close(&r);
}

static int is_bookkeeping(ifn_op op)
{
    return op == IFN_OP_COPY_IN || op == IFN_OP_COPY_OUT || op == IFN_OP_COPY_CONTIGUOUS_INTO;
}

static int compare_steps(const steps *expected, int at)
{
    for (int i = 0; i < expected->n; at++) {
        assert_that(at < n_recorded, "the pass ends before %s", ifn_op_name(expected->ops[i]));
        if (is_bookkeeping(recorded[at]))
            continue;
        assert_string_equal(ifn_op_name(recorded[at]), ifn_op_name(expected->ops[i]));
        i++;
    }
    return at;
}

TEST(a_forward_pass_is_the_ops_of_the_spec_in_order)
{
    for (size_t a = 0; a < N_OF(archs); a++) {
        const model_spec spec = read_spec(archs[a]);
        record_forward(archs[a]);
        int at = compare_steps(&spec.begin, 0);
        for (int64_t layer = 0; layer < tiny_default(archs[a]).n_layers; layer++)
            at = compare_steps(&spec.each, at);
        at = compare_steps(&spec.end, at);
        for (; at < n_recorded; at++)
            assert_that(is_bookkeeping(recorded[at]), "%s runs after the last step",
                        ifn_op_name(recorded[at]));
    }
}
