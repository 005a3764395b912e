/* Reads the entries of a spec's lists "golden" and "refuse", and lists of dtypes. */
#include "spec_read.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"

ifn_status spec_read_dtype(spec_doc *doc, spec_node *node, ifn_dtype *out)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (!ifn_dtype_from_name(text, out))
        return spec_doc_fail(doc, node, "'%.40s' is no dtype, expected one as F32 or Q4_K", text);
    return IFN_OK;
}

typedef struct dtypes {
    ifn_dtype *list;
    int *n;
} dtypes;

static ifn_status add_dtype(spec_doc *doc, spec_node *node, const dtypes *to, ifn_dtype dtype)
{
    if (*to->n == SPEC_MAX_DTYPES)
        return spec_doc_fail(doc, node, "too many dtypes, expected at most %d", SPEC_MAX_DTYPES);
    to->list[(*to->n)++] = dtype;
    return IFN_OK;
}

/* Words that stand for several dtypes. */
static const struct {
    const char *word;
    int64_t least, most; /* elements of a block, of those that a file may hold */
} words[] = {
    {"stored", 1, INT64_MAX},
    {"stored blocks", 2, INT64_MAX},
    {"blocks of 32", 32, 32},
    {"blocks of 256", 256, 256},
};

static ifn_status add_dtypes(spec_doc *doc, spec_node *node, void *into)
{
    ifn_dtype dtype;
    size_t w = 0;
    while (w < sizeof words / sizeof *words && strcmp(spec_node_text(node), words[w].word) != 0)
        w++;
    if (w == sizeof words / sizeof *words) {
        IFN_TRY(spec_read_dtype(doc, node, &dtype));
        return add_dtype(doc, node, into, dtype);
    }
    for (dtype = 0; dtype < IFN_DTYPE_COUNT; dtype++) {
        const int64_t elements = ifn_dtype_block_elements(dtype);
        if (conform_is_stored(dtype) && elements >= words[w].least && elements <= words[w].most)
            IFN_TRY(add_dtype(doc, node, into, dtype));
    }
    return IFN_OK;
}

ifn_status spec_read_dtype_list(spec_doc *doc, spec_node *node, ifn_dtype list[SPEC_MAX_DTYPES],
                                int *n)
{
    dtypes to = {list, n};
    return spec_doc_list(doc, node, SPEC_MAX_DTYPES, add_dtypes, &to);
}

void spec_entry_drop(spec_entry *entry)
{
    for (int i = 0; entry->values && i < entry->n_values; i++)
        free(entry->values[i].bytes);
    free(entry->values);
    entry->values = NULL;
}

/* The state while nested lists are read in one pass; all lists of one depth must have the same length. */
typedef struct lists {
    spec_values *values;
    int depth;
    int64_t lengths[4]; /* -1: not met yet */
} lists;

static ifn_status add_value(spec_doc *doc, spec_node *node, spec_values *v, double x)
{
    if (v->n == SPEC_MAX_VALUES)
        return spec_doc_fail(doc, node, "%s has more values than fit, expected at most %d", v->name,
                             SPEC_MAX_VALUES);
    v->values[v->n++] = x;
    return IFN_OK;
}

static ifn_status read_nested(spec_doc *doc, spec_node *node, void *into)
{
    lists *l = into;
    if (node->type != YAML_SEQUENCE_NODE) {
        double x;
        if (l->values->depth && l->depth != l->values->depth)
            return spec_doc_fail(doc, node, "a number beside lists, expected one or the other");
        l->values->depth = l->depth;
        IFN_TRY(spec_doc_exact_number(doc, node, &x));
        return add_value(doc, node, l->values, x);
    }
    const int64_t n = node->data.sequence.items.top - node->data.sequence.items.start;
    if (l->depth == 3)
        return spec_doc_fail(doc, node, "lists nested four deep, expected at most three");
    if (l->lengths[l->depth] >= 0 && l->lengths[l->depth] != n)
        return spec_doc_fail(doc, node, "%d values, expected %d as in the list before", (int)n,
                             (int)l->lengths[l->depth]);
    l->lengths[l->depth++] = n;
    const ifn_status status = spec_doc_list(doc, node, SPEC_MAX_VALUES, read_nested, l);
    l->depth--;
    return status;
}

static ifn_status read_numbers(spec_doc *doc, spec_node *node, spec_values *v)
{
    lists l = {.values = v, .lengths = {-1, -1, -1, -1}};
    IFN_TRY(read_nested(doc, node, &l));
    for (int i = 0; i < 3; i++)
        v->extent[i] = l.lengths[i] > 0 ? l.lengths[i] : 0;
    v->rows = v->depth >= 2 ? l.lengths[0] : 1;
    v->cols = v->rows > 0 ? v->n / v->rows : 0;
    return IFN_OK;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Allocates v->bytes if the bytes do not fit into the values of an entry. */
static ifn_status make_room(spec_doc *doc, spec_node *node, const char *text, spec_values *v)
{
    const size_t most = strlen(text) / 2;
    if (most <= SPEC_MAX_VALUES)
        return IFN_OK;
    if (most > SPEC_MAX_BYTES)
        return spec_doc_fail(doc, node, "%s has more bytes than fit, expected at most %d", v->name,
                             SPEC_MAX_BYTES);
    v->bytes = malloc(most);
    return v->bytes ? IFN_OK : ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
}

static ifn_status add_byte(spec_doc *doc, spec_node *node, spec_values *v, int byte)
{
    if (!v->bytes)
        return add_value(doc, node, v, byte);
    v->bytes[v->n++] = (unsigned char)byte;
    return IFN_OK;
}

/* Reads bytes as two hexadecimal digits each; spaces may separate them. */
static ifn_status read_bytes(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    IFN_TRY(make_room(doc, node, text, into));
    for (const char *p = text; *p; p++) {
        if (*p == ' ')
            continue;
        const int high = hex_digit(p[0]), low = high < 0 ? -1 : hex_digit(p[1]);
        if (low < 0)
            return spec_doc_fail(doc, node, "'%.20s', expected bytes of two digits 0 to f", p);
        IFN_TRY(add_byte(doc, node, into, 16 * high + low));
        p++;
    }
    return IFN_OK;
}

static const spec_key bytes_keys[] = {{"bytes", 1, read_bytes}};
const spec_table spec_table_bytes = {"bytes", bytes_keys, 1};

static ifn_status read_value(spec_doc *doc, spec_node *node, spec_values *v)
{
    if (node->type == YAML_MAPPING_NODE) {
        v->kind = SPEC_BYTES;
        IFN_TRY(spec_doc_map(doc, node, bytes_keys, 1, v));
        v->rows = 1;
        v->cols = v->n;
        return IFN_OK;
    }
    if (spec_node_is_null(node)) {
        v->kind = SPEC_NULL;
        return IFN_OK;
    }
    if (node->type == YAML_SCALAR_NODE && !spec_node_is_number(node)) {
        v->kind = SPEC_NAMED;
        return spec_doc_name(doc, node, v->text, sizeof v->text);
    }
    return read_numbers(doc, node, v);
}

ifn_status spec_read_values(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_entry *entry = into;
    if (entry->n_values == SPEC_MAX_ENTRY_VALUES)
        return spec_doc_fail(doc, key, "too many names, expected at most %d",
                             SPEC_MAX_ENTRY_VALUES);
    if (!entry->values)
        entry->values = calloc(SPEC_MAX_ENTRY_VALUES, sizeof *entry->values);
    if (!entry->values)
        return ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    spec_values *v = &entry->values[entry->n_values++];
    v->line = spec_node_line(key);
    v->column = spec_node_column(key);
    IFN_TRY(spec_doc_name(doc, key, v->name, sizeof v->name));
    return read_value(doc, value, v);
}

static ifn_status read_name(spec_doc *doc, spec_node *node, void *into)
{
    spec_entry *entry = into;
    return spec_doc_name(doc, node, entry->name, sizeof entry->name);
}

static ifn_status read_why(spec_doc *doc, spec_node *node, void *into)
{
    const char *ignored;
    (void)into;
    return spec_doc_text(doc, node, &ignored);
}

static ifn_status read_with(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_pairs(doc, node, spec_read_values, into);
}

static ifn_status read_status(spec_doc *doc, spec_node *node, void *into)
{
    spec_entry *entry = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
#define X(NAME, words)                                                                             \
    if (strcmp(text, #NAME) == 0)                                                                  \
        entry->status = IFN_##NAME;
    IFN_STATUSES(X)
#undef X
    if (entry->status == IFN_OK)
        return spec_doc_fail(doc, node, "'%.40s', expected an error as ERR_SHAPE", text);
    return IFN_OK;
}

static ifn_status read_stated(spec_doc *doc, spec_node *node, void *into)
{
    spec_entry *entry = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strcmp(text, "header") != 0)
        return spec_doc_fail(doc, node, "'%.40s', expected header", text);
    entry->is_stated = true;
    return IFN_OK;
}

static const spec_key refuse_keys[] = {{"name", 1, read_name},
                                       {"why", 0, read_why},
                                       {"with", 1, read_with},
                                       {"stated", 0, read_stated},
                                       {"status", 1, read_status}};
const spec_table spec_table_refuse = {"refuse", refuse_keys, 5};

/* The other keys of a golden entry are names of dims, dtypes, tensors and scalars. */
static const spec_key golden_keys[] = {{"name", 1, read_name}, {"why", 0, read_why}};
const spec_table spec_table_golden = {"golden", golden_keys, 2};

static ifn_status read_golden_pair(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    const spec_key *const known = spec_find_key(&spec_table_golden, name);
    if (known)
        return known->read(doc, value, into);
    return spec_read_values(doc, key, value, into);
}

ifn_status spec_read_golden(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    spec_entry *entry = &spec->golden[spec->n_golden++];
    IFN_TRY(spec_doc_pairs(doc, node, read_golden_pair, entry));
    return entry->name[0] ? IFN_OK : spec_doc_fail(doc, node, "no key 'name', expected one");
}

ifn_status spec_read_refuse(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    return spec_doc_map(doc, node, refuse_keys, spec_table_refuse.n,
                        &spec->refuse[spec->n_refuse++]);
}
