/* Reads the list "always" of a spec: cases that every run has, whatever else it draws. */
#include <string.h>

#include "profile.h"
#include "spec_read.h"

static ifn_status read_name(spec_doc *doc, spec_node *node, void *into)
{
    spec_always *always = into;
    return spec_doc_name(doc, node, always->name, sizeof always->name);
}

static ifn_status read_dtypes(spec_doc *doc, spec_node *node, void *into)
{
    spec_always *always = into;
    return spec_read_dtype_list(doc, node, always->dtypes, &always->n_dtypes);
}

static ifn_status read_out_dtypes(spec_doc *doc, spec_node *node, void *into)
{
    spec_always *always = into;
    return spec_read_dtype_list(doc, node, always->out_dtypes, &always->n_out_dtypes);
}

static ifn_status add_family(spec_doc *doc, spec_node *node, void *into)
{
    spec_always *always = into;
    return spec_read_family(doc, node, &always->families[always->n_families++]);
}

static ifn_status read_families(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_FAMILIES, add_family, into);
}

static ifn_status read_from(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    conform_profile from;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (!conform_profile_from_name(text, &from))
        return spec_doc_fail(doc, node, "'%.40s', expected smoke, ci or nightly", text);
    ((spec_always *)into)->from = (int)from;
    return IFN_OK;
}

/* The other keys of an entry are the dims of the op, all of them. */
static const spec_key always_keys[] = {{"name", 1, read_name},
                                       {"from", 0, read_from},
                                       {"dtypes", 0, read_dtypes},
                                       {"out_dtypes", 0, read_out_dtypes},
                                       {"families", 0, read_families}};
const spec_table spec_table_always = {"always", always_keys, 5};

/* The sizes of one dimension, while they are read. */
typedef struct size_list {
    const spec_dim *dim;
    spec_sizes *sizes;
} size_list;

static ifn_status add_size(spec_doc *doc, spec_node *node, void *into)
{
    const size_list *const list = into;
    int64_t *const size = &list->sizes->values[list->sizes->n++];
    IFN_TRY(spec_doc_integer(doc, node, size));
    if (spec_dim_counts(list->dim) && (*size < 0 || *size > SPEC_LARGEST_SIZE))
        return spec_doc_fail(doc, node, "a size of %lld, expected 0 to %d", (long long)*size,
                             SPEC_LARGEST_SIZE);
    return IFN_OK;
}

/* Reads a size or a list of sizes. */
static ifn_status read_sizes(spec_doc *doc, spec_node *node, size_list *list)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return add_size(doc, node, list);
    IFN_TRY(spec_doc_list(doc, node, SPEC_MAX_SIZES, add_size, list));
    return list->sizes->n > 0 ? IFN_OK : spec_doc_fail(doc, node, "no size, expected one or more");
}

static ifn_status read_pair(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *const spec = into;
    spec_always *const always = &spec->always[spec->n_always - 1];
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    const spec_key *const known = spec_find_key(&spec_table_always, name);
    if (known)
        return known->read(doc, value, always);
    const spec_dim *const dim = spec_find_dim(spec, name);
    if (!dim)
        return spec_doc_fail(doc, key,
                             "unknown key '%.40s', expected name, from, dtypes, out_dtypes, "
                             "families or one of the dims above",
                             name);
    return read_sizes(doc, value, &(size_list){dim, &always->sizes[dim - spec->dims]});
}

static double largest_product(const spec_op *spec, const spec_always *always)
{
    double product = 1;
    for (int i = 0; i < spec->n_dims; i++) {
        int64_t largest = 1;
        for (int j = 0; spec_dim_counts(&spec->dims[i]) && j < always->sizes[i].n; j++)
            if (always->sizes[i].values[j] > largest)
                largest = always->sizes[i].values[j];
        product *= (double)largest;
    }
    return product;
}

static ifn_status read_entry(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *const spec = into;
    const spec_always *const always = &spec->always[spec->n_always++];
    IFN_TRY(spec_doc_pairs(doc, node, read_pair, spec));
    if (!always->name[0])
        return spec_doc_fail(doc, node, "no key 'name', expected one");
    for (int i = 0; i < spec->n_dims; i++)
        if (always->sizes[i].n == 0)
            return spec_doc_fail(doc, node, "no key '%s', expected one", spec->dims[i].name);
    return largest_product(spec, always) < 0x1p60
               ? IFN_OK
               : spec_doc_fail(doc, node, "sizes of more elements than can be counted");
}

ifn_status spec_read_always(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_ALWAYS, read_entry, into);
}
