/* Reads the map "regimes" of a spec: the families of each tier that cases are drawn from. */
#include "spec_read.h"

ifn_status spec_read_family(spec_doc *doc, spec_node *node, conform_family *out)
{
    const char *name;
    IFN_TRY(spec_doc_text(doc, node, &name));
    const int family = conform_family_from_name(name);
    if (family < 0)
        return spec_doc_fail(doc, node, "'%.40s' is no family of inputs, expected one as normal",
                             name);
    *out = (conform_family)family;
    return IFN_OK;
}

static ifn_status add_family(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *const spec = into;
    return spec_read_family(doc, node, &spec->regimes[spec->n_regimes++].family);
}

/* Adds the families of one tier. */
static ifn_status add_tier(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *const spec = into;
    const int first = spec->n_regimes;
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    const int tier = conform_tier_from_name(name);
    if (tier < 0 || tier > TIER_SPECIAL)
        return spec_doc_fail(doc, key, "'%.40s', expected T0, T1, T2 or SV", name);
    IFN_TRY(spec_doc_list(doc, value, SPEC_MAX_REGIMES - first, add_family, spec));
    for (int i = first; i < spec->n_regimes; i++)
        spec->regimes[i].tier = (conform_tier)tier;
    return spec->n_regimes > first ? IFN_OK
                                   : spec_doc_fail(doc, value, "no family, expected one or more");
}

ifn_status spec_read_regimes(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *const spec = into;
    IFN_TRY(spec_doc_pairs(doc, node, add_tier, spec));
    return spec->n_regimes > 0 ? IFN_OK : spec_doc_fail(doc, node, "no tier, expected one or more");
}
