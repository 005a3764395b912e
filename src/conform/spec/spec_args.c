/* Reads the "args" of a spec: the tensors and scalars of the op. */
#include "spec_read.h"

/* Accepts words for people who read the spec: any scalars, alone or in a list. */
ifn_status spec_read_words(spec_doc *doc, spec_node *node, void *into)
{
    const char *ignored;
    if (node->type == YAML_SEQUENCE_NODE)
        return spec_doc_list(doc, node, SPEC_MAX_EDGES, spec_read_words, into);
    return spec_doc_text(doc, node, &ignored);
}

static ifn_status add_extent(spec_doc *doc, spec_node *node, void *into)
{
    spec_arg *arg = into;
    return spec_doc_name(doc, node, arg->shape[arg->n_shape++], SPEC_EXTENT_BYTES);
}

static ifn_status read_shape(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_SHAPE, add_extent, into);
}

static ifn_status add_alias(spec_doc *doc, spec_node *node, void *into)
{
    spec_arg *arg = into;
    return spec_doc_name(doc, node, arg->may_alias[arg->n_aliases++], SPEC_NAME_BYTES);
}

static ifn_status read_may_alias(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_ALIASES, add_alias, into);
}

static ifn_status read_scalar(spec_doc *doc, spec_node *node, void *into)
{
    spec_arg *arg = into;
    arg->is_scalar = true;
    return spec_read_words(doc, node, into);
}

static const spec_key arg_keys[] = {
    {"dtype", 0, spec_read_words},    {"shape", 0, read_shape},
    {"scalar", 0, read_scalar},       {"from", 0, spec_read_words},
    {"optional", 0, spec_read_words}, {"may_alias", 0, read_may_alias},
    {"meaning", 0, spec_read_words},
};
const spec_table spec_table_arg = {"arg", arg_keys, sizeof arg_keys / sizeof *arg_keys};

static ifn_status add_arg(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *spec = into;
    if (spec->n_args == SPEC_MAX_ARGS)
        return spec_doc_fail(doc, key, "too many args, expected at most %d", SPEC_MAX_ARGS);
    spec_arg *arg = &spec->args[spec->n_args++];
    arg->line = spec_node_line(key);
    arg->column = spec_node_column(key);
    IFN_TRY(spec_doc_name(doc, key, arg->name, sizeof arg->name));
    return spec_doc_map(doc, value, arg_keys, spec_table_arg.n, arg);
}

ifn_status spec_read_args(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_arg, into);
}
