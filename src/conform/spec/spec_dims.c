/* Reads the "dims" of a spec: the sizes to try. */
#include "spec_read.h"

static ifn_status add_edge(spec_doc *doc, spec_node *node, void *into)
{
    spec_dim *dim = into;
    return spec_doc_integer(doc, node, &dim->edges[dim->n_edges++]);
}

static ifn_status read_edge(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_EDGES, add_edge, into);
}

static ifn_status add_model(spec_doc *doc, spec_node *node, void *into)
{
    spec_dim *dim = into;
    return spec_doc_integer(doc, node, &dim->model[dim->model_n++]);
}

static ifn_status read_model(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_MODEL_SIZES, add_model, into);
}

typedef struct range {
    int n;
    int64_t ends[2];
} range;

static ifn_status add_end(spec_doc *doc, spec_node *node, void *into)
{
    range *r = into;
    return spec_doc_integer(doc, node, &r->ends[r->n++]);
}

static ifn_status read_random(spec_doc *doc, spec_node *node, void *into)
{
    spec_dim *dim = into;
    range r = {0};
    IFN_TRY(spec_doc_list(doc, node, 2, add_end, &r));
    if (r.n != 2 || r.ends[0] > r.ends[1])
        return spec_doc_fail(doc, node, "%d numbers, expected the smallest and the largest", r.n);
    dim->random_low = r.ends[0];
    dim->random_high = r.ends[1];
    return IFN_OK;
}

static ifn_status read_multiple(spec_doc *doc, spec_node *node, void *into)
{
    spec_dim *dim = into;
    IFN_TRY(spec_doc_integer(doc, node, &dim->multiple));
    return dim->multiple >= 1 ? IFN_OK
                              : spec_doc_fail(doc, node, "a multiple of %lld, expected 1 or more",
                                              (long long)dim->multiple);
}

static ifn_status read_limit(spec_doc *doc, spec_node *node, void *into)
{
    spec_dim *dim = into;
    IFN_TRY(spec_doc_integer(doc, node, &dim->limit));
    return dim->limit >= 1 ? IFN_OK
                           : spec_doc_fail(doc, node, "a limit of %lld, expected 1 or more",
                                           (long long)dim->limit);
}

static const spec_key dim_keys[] = {
    {"edge", 1, read_edge},   {"random", 0, read_random},     {"limit", 0, read_limit},
    {"model", 0, read_model}, {"multiple", 0, read_multiple}, {"meaning", 0, spec_read_words},
};
const spec_table spec_table_dim = {"dim", dim_keys, sizeof dim_keys / sizeof *dim_keys};

/* The default of `random`: from the smallest to the largest edge. */
static void default_range(spec_dim *dim)
{
    dim->random_low = INT64_MAX;
    dim->random_high = INT64_MIN;
    for (int i = 0; i < dim->n_edges; i++) {
        dim->random_low = dim->edges[i] < dim->random_low ? dim->edges[i] : dim->random_low;
        dim->random_high = dim->edges[i] > dim->random_high ? dim->edges[i] : dim->random_high;
    }
}

static int64_t largest_of(const spec_dim *dim)
{
    int64_t largest = dim->random_high;
    for (int i = 0; i < dim->n_edges; i++)
        largest = dim->edges[i] > largest ? dim->edges[i] : largest;
    for (int64_t i = 0; i < dim->model_n; i++)
        largest = dim->model[i] > largest ? dim->model[i] : largest;
    return largest;
}

/* Checks the limit, whose default is the largest size that the spec names. */
static ifn_status settle_limit(spec_doc *doc, spec_node *node, spec_dim *dim)
{
    const int64_t largest = largest_of(dim);
    if (dim->limit == 0)
        dim->limit = largest;
    return dim->limit >= largest
               ? IFN_OK
               : spec_doc_fail(doc, node, "a limit of %lld, expected at least %lld",
                               (long long)dim->limit, (long long)largest);
}

static ifn_status add_dim(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *spec = into;
    if (spec->n_dims == CONFORM_MAX_DIMS)
        return spec_doc_fail(doc, key, "too many dims, expected at most %d", CONFORM_MAX_DIMS);
    spec_dim *dim = &spec->dims[spec->n_dims++];
    dim->random_low = 1; /* above random_high: no range is given yet */
    IFN_TRY(spec_doc_name(doc, key, dim->name, sizeof dim->name));
    IFN_TRY(spec_doc_map(doc, value, dim_keys, spec_table_dim.n, dim));
    if (dim->n_edges == 0)
        return spec_doc_fail(doc, value, "no edge, expected one or more");
    if (dim->random_low > dim->random_high)
        default_range(dim);
    return settle_limit(doc, value, dim);
}

ifn_status spec_read_dims(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_dim, into);
}
