/* Reads the law of an op: lines that define its outputs by other ops. */
#include <ctype.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "spec_call.h"
#include "spec_read.h"

/* Only checks that the law is a list. Its lines name dims, which follow in the file, so spec_read_law_lines reads them
 * when everything else has been read. */
ifn_status spec_read_law(spec_doc *doc, spec_node *node, void *into)
{
    (void)into;
    return node->type == YAML_SEQUENCE_NODE ? IFN_OK
                                            : spec_doc_fail(doc, node, "expected a list of lines");
}

static spec_place place_of(const spec_node *node)
{
    return (spec_place){spec_node_line(node), spec_node_column(node), "law", false};
}

/* Reads a name that a line defines for later lines. */
static ifn_status read_own_name(spec_doc *doc, spec_node *node, const char *text, spec_law *law)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (n == 0 || text[n] || isdigit((unsigned char)*text))
        return spec_doc_fail(doc, node, "law: '%.30s', expected a name, an output or a part of one",
                             text);
    return spec_doc_name(doc, node, law->name, sizeof law->name);
}

/* The argument of the op that an arg stands for: `w` for "w_i". */
static const ifn_op_arg *argument_of(const spec_op *spec, const spec_arg *arg)
{
    char name[SPEC_NAME_BYTES];
    const size_t n = strlen(arg->name);
    memcpy(name, arg->name, n + 1);
    if (n > 2 && strcmp(name + n - 2, "_i") == 0)
        name[n - 2] = '\0';
    return ifn_op_arg_find(spec->op, name);
}

/* Reads the output that a line defines, "out" or "out[h, 0]"; *target stays 0 if the name is no arg. */
static ifn_status read_target(spec_doc *doc, spec_op *spec, spec_node *key, const char *text,
                              int *target)
{
    char name[SPEC_NAME_BYTES] = "";
    const spec_place place = place_of(key);
    const size_t n = strcspn(text, "[ ");
    memcpy(name, text, n < sizeof name ? n : sizeof name - 1);
    const spec_arg *const arg = spec_find_arg(spec, name);
    const ifn_op_arg *const argument = arg ? argument_of(spec, arg) : NULL;
    if (!arg)
        return IFN_OK;
    if (!argument || !ifn_arg_is_written(argument))
        return spec_doc_fail(doc, key, "law: '%.30s', expected another name than an input's", text);
    return spec_read_term(doc, spec, &place, text, target);
}

/* Checks that an op which writes a part of a tensor stands alone in a line that defines an output. */
static ifn_status check_parts(spec_doc *doc, const spec_op *spec, const spec_law *law,
                              spec_node *node, int first)
{
    spec_call call;
    for (int i = first; i <= spec->n_terms; i++) {
        const spec_term *const t = &spec->terms[i];
        if (t->kind == TERM_CALL && spec_call_of((ifn_op)t->index, &call) && call.is_into &&
            (i != law->value || !law->target))
            return spec_doc_fail(doc, node,
                                 "law: %s writes a part, expected it to define an output",
                                 ifn_op_name((ifn_op)t->index));
    }
    return IFN_OK;
}

/* Reads the value of `each`: "h < n_heads". */
static ifn_status read_repeat(spec_doc *doc, spec_op *spec, spec_node *node, const char *text,
                              spec_law *law)
{
    const spec_place place = place_of(node);
    const char *const count = strstr(text, " < ");
    const size_t n = count ? (size_t)(count - text) : 0;
    if (n == 0 || n >= sizeof law->name)
        return spec_doc_fail(doc, node, "law: '%.30s', expected 'name < count'", text);
    memcpy(law->name, text, n);
    law->repeats = true;
    IFN_TRY(spec_read_term(doc, spec, &place, count + strlen(" < "), &law->value));
    return spec_term_is_tensor(spec, law->value)
               ? spec_doc_fail(doc, node, "law: a tensor, expected a number of times")
               : IFN_OK;
}

static ifn_status add_line(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *const spec = into;
    spec_law law = {.line = spec_node_line(key)};
    const spec_place place = place_of(value);
    const int first = spec->n_terms + 1;
    const char *name, *text;
    if (spec->n_law == SPEC_MAX_LAW)
        return spec_doc_fail(doc, key, "too many lines, expected at most %d", SPEC_MAX_LAW);
    IFN_TRY(spec_doc_text(doc, key, &name));
    IFN_TRY(spec_doc_text(doc, value, &text));
    if (strcmp(name, "each") == 0) {
        IFN_TRY(read_repeat(doc, spec, value, text, &law));
    } else {
        IFN_TRY(read_target(doc, spec, key, name, &law.target));
        if (!strchr(name, '['))
            IFN_TRY(read_own_name(doc, key, name, &law));
        IFN_TRY(spec_read_term(doc, spec, &place, text, &law.value));
        if (!spec_term_is_tensor(spec, law.value))
            return spec_doc_fail(doc, value, "law: '%.30s', expected a tensor", text);
        IFN_TRY(check_parts(doc, spec, &law, value, first));
    }
    spec->law[spec->n_law++] = law;
    return IFN_OK;
}

static ifn_status read_line(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, add_line, into);
}

static ifn_status read_lines(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    return strcmp(spec_node_text(key), "law") == 0
               ? spec_doc_list(doc, value, SPEC_MAX_LAW, read_line, into)
               : IFN_OK;
}

ifn_status spec_read_law_lines(spec_doc *doc, spec_op *spec)
{
    IFN_TRY(spec_doc_pairs(doc, spec_doc_root(doc), read_lines, spec));
    return spec->n_law && spec->no_law
               ? spec_doc_fail_at(doc, 1, 1, "law and no_law, expected one of them")
               : IFN_OK;
}
