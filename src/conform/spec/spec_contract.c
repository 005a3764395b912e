/* Reads dtypes, split and contract of a spec. */
#include <string.h>

#include "spec_read.h"

ifn_status spec_read_dtypes(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    return spec_read_dtype_list(doc, node, spec->dtypes, &spec->n_dtypes);
}

ifn_status spec_read_out_dtypes(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    return spec_read_dtype_list(doc, node, spec->out_dtypes, &spec->n_out_dtypes);
}

static ifn_status add_cut(spec_doc *doc, spec_node *node, void *into)
{
    static const struct {
        const char *name;
        ifn_cut cut;
    } cuts[] = {
        {"elements", IFN_CUT_ELEMENTS}, {"rows", IFN_CUT_ROWS},
        {"columns", IFN_CUT_COLS},      {"features", IFN_CUT_FEATURES},
        {"heads", IFN_CUT_HEADS},       {"key blocks", IFN_CUT_KEY_BLOCKS},
    };
    spec_op *spec = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        if (strcmp(cuts[i].name, text) == 0) {
            spec->split[spec->split[0] != IFN_CUT_NONE] = cuts[i].cut;
            return IFN_OK;
        }
    }
    return spec_doc_fail(doc, node,
                         "'%.40s', expected elements, rows, columns, features, heads or key blocks",
                         text);
}

ifn_status spec_read_split(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, 2, add_cut, into);
}

static ifn_status read_class(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strlen(text) != 1 || !strchr("BEU", *text))
        return spec_doc_fail(doc, node, "'%.40s', expected B, E or U (numerics 3)", text);
    spec->contract_class = *text;
    return IFN_OK;
}

static ifn_status read_bound(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_copy(doc, node, &((spec_op *)into)->bound);
}

static ifn_status read_quality(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    return spec_read_dtype_list(doc, node, spec->quality, &spec->n_quality);
}

static const spec_key contract_keys[] = {
    {"class", 1, read_class},     {"bound", 0, read_bound},        {"depth", 0, spec_read_words},
    {"quality", 0, read_quality}, {"special", 0, spec_read_words},
};
const spec_table spec_table_contract = {"contract", contract_keys,
                                        sizeof contract_keys / sizeof *contract_keys};

ifn_status spec_read_contract(spec_doc *doc, spec_node *node, void *into)
{
    const spec_op *spec = into;
    IFN_TRY(spec_doc_map(doc, node, contract_keys, spec_table_contract.n, into));
    if (spec->contract_class != 'B' && !spec->bound)
        return spec_doc_fail(doc, node, "no key 'bound', expected one for class %c",
                             spec->contract_class);
    return IFN_OK;
}
