/* Reads YAML by libyaml's document tree, which keeps the line and column of every node. */
#include "spec_doc.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "spec_scan.h"

/* The most keys of a map. */
enum { MOST_KEYS = 256 };

static ifn_status fail_va(spec_doc *doc, int line, int column, const char *format, va_list args)
    IFN_PRINTF(4, 0);

static ifn_status fail_va(spec_doc *doc, int line, int column, const char *format, va_list args)
{
    char text[sizeof doc->err->text];
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    return ifn_fail(doc->err, IFN_ERR_FORMAT, "%s:%d:%d: %s", doc->path, line, column, text);
}

ifn_status spec_doc_fail_at(spec_doc *doc, int line, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const ifn_status status = fail_va(doc, line, column, format, args);
    va_end(args);
    return status;
}

ifn_status spec_doc_fail(spec_doc *doc, const spec_node *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const ifn_status status = fail_va(doc, spec_node_line(at), spec_node_column(at), format, args);
    va_end(args);
    return status;
}

int spec_node_line(const spec_node *node)
{
    return (int)node->start_mark.line + 1;
}

int spec_node_column(const spec_node *node)
{
    return (int)node->start_mark.column + 1;
}

/* Fails with libyaml's message, at the place that it gives. */
static ifn_status fail_parser(spec_doc *doc, const yaml_parser_t *parser, FILE *file)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    if (parser->error == YAML_READER_ERROR && ferror(file))
        return ifn_fail(doc->err, IFN_ERR_IO, "%s: cannot be read", doc->path);
    const yaml_mark_t at = parser->error == YAML_READER_ERROR ? parser->mark : parser->problem_mark;
    return spec_doc_fail_at(doc, (int)at.line + 1, (int)at.column + 1, "%s, expected YAML",
                            parser->problem ? parser->problem : "not readable");
}

/* Checks that the stream ends after the first document. */
static ifn_status expect_end(spec_doc *doc, yaml_parser_t *parser, FILE *file)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second))
        return fail_parser(doc, parser, file);
    const spec_node *root = yaml_document_get_root_node(&second);
    const ifn_status status =
        root ? spec_doc_fail(doc, root, "a second document, expected one per file") : IFN_OK;
    yaml_document_delete(&second);
    return status;
}

static ifn_status load(spec_doc *doc, yaml_parser_t *parser, FILE *file)
{
    yaml_parser_set_input_file(parser, file);
    if (!yaml_parser_load(parser, &doc->tree))
        return fail_parser(doc, parser, file);
    ifn_status status = IFN_OK;
    if (!spec_doc_root(doc))
        status = spec_doc_fail_at(doc, 1, 1, "nothing in it, expected YAML");
    if (status == IFN_OK)
        status = expect_end(doc, parser, file);
    if (status != IFN_OK)
        yaml_document_delete(&doc->tree);
    return status;
}

static ifn_status scan(spec_doc *doc, FILE *file)
{
    spec_scan_refusal found;
    const ifn_status status = spec_scan(file, &found);
    if (status == IFN_ERR_FORMAT)
        return spec_doc_fail_at(doc, found.line, found.column, "%s", found.what);
    return status == IFN_OK ? IFN_OK : ifn_fail(doc->err, status, "%s: out of memory", doc->path);
}

static ifn_status parse(spec_doc *doc, FILE *file)
{
    yaml_parser_t parser;
    ifn_status status = scan(doc, file);
    rewind(file);
    if (status == IFN_OK && !yaml_parser_initialize(&parser)) {
        status = ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    } else if (status == IFN_OK) {
        status = load(doc, &parser, file);
        yaml_parser_delete(&parser);
    }
    fclose(file);
    return status;
}

ifn_status spec_doc_open(spec_doc *doc, const char *path, ifn_error *err)
{
    FILE *file;
    *doc = (spec_doc){.path = path, .err = err};
    IFN_TRY(input_open(&file, path, SPEC_FILE_BYTES, err));
    return parse(doc, file);
}

ifn_status spec_doc_open_text(spec_doc *doc, const char *name, const char *text, ifn_error *err)
{
    *doc = (spec_doc){.path = name, .err = err};
    FILE *const file = tmpfile();
    if (!file)
        return ifn_fail(err, IFN_ERR_IO, "%s: no temporary file", name);
    if (fputs(text, file) < 0 || fflush(file) != 0) {
        fclose(file);
        return ifn_fail(err, IFN_ERR_IO, "%s: cannot be written to a temporary file", name);
    }
    rewind(file);
    return parse(doc, file);
}

void spec_doc_close(spec_doc *doc)
{
    yaml_document_delete(&doc->tree);
}

spec_node *spec_doc_root(spec_doc *doc)
{
    return yaml_document_get_root_node(&doc->tree);
}

static const char *kind_of(const spec_node *node)
{
    switch (node->type) {
    case YAML_SCALAR_NODE:
        return "a single value";
    case YAML_SEQUENCE_NODE:
        return "a list";
    case YAML_MAPPING_NODE:
        return "a map";
    default:
        return "nothing";
    }
}

const char *spec_node_text(const spec_node *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* Checks that a key of a map is new, by linear search: keys are short and few. */
static ifn_status expect_new_key(spec_doc *doc, const spec_node *map, const yaml_node_pair_t *pair)
{
    const spec_node *key = yaml_document_get_node(&doc->tree, pair->key);
    if (key->type != YAML_SCALAR_NODE)
        return spec_doc_fail(doc, key, "the key is %s, expected a name", kind_of(key));
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < pair; p++) {
        const spec_node *other = yaml_document_get_node(&doc->tree, p->key);
        if (strcmp(spec_node_text(other), spec_node_text(key)) == 0)
            return spec_doc_fail(doc, key, "key '%s' a second time, first in line %d",
                                 spec_node_text(key), spec_node_line(other));
    }
    return IFN_OK;
}

ifn_status spec_doc_pairs(spec_doc *doc, spec_node *node, spec_pair_reader *read, void *into)
{
    if (node->type != YAML_MAPPING_NODE)
        return spec_doc_fail(doc, node, "%s, expected a map", kind_of(node));
    const yaml_node_pair_t *const first = node->data.mapping.pairs.start;
    for (const yaml_node_pair_t *p = first; p < node->data.mapping.pairs.top; p++) {
        if (p - first == MOST_KEYS)
            return spec_doc_fail(doc, yaml_document_get_node(&doc->tree, p->key),
                                 "key %d of a map, expected at most %d", MOST_KEYS + 1, MOST_KEYS);
        IFN_TRY(expect_new_key(doc, node, p));
        IFN_TRY(read(doc, yaml_document_get_node(&doc->tree, p->key),
                     yaml_document_get_node(&doc->tree, p->value), into));
    }
    return IFN_OK;
}

typedef struct table {
    const spec_key *keys;
    size_t n;
    uint64_t seen; /* bit i: keys[i] */
    void *into;
} table;

/* Lists keys for messages: "formula, args, split". A long list is cut. */
static void list_keys(const table *t, uint64_t without, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < t->n && used < bytes; i++)
        if (!(without >> i & 1))
            used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? ", " : "",
                                     t->keys[i].name);
}

static ifn_status read_pair(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    table *t = into;
    char expected[160];
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->keys[i].name, spec_node_text(key)) != 0)
            continue;
        t->seen |= UINT64_C(1) << i;
        return t->keys[i].read(doc, value, t->into);
    }
    list_keys(t, t->seen, expected, sizeof expected);
    return spec_doc_fail(doc, key, "unknown key '%.40s', expected %s", spec_node_text(key),
                         expected[0] ? expected : "no more");
}

ifn_status spec_doc_map(spec_doc *doc, spec_node *node, const spec_key *keys, size_t n, void *into)
{
    table t = {.keys = keys, .n = n, .into = into};
    IFN_TRY(spec_doc_pairs(doc, node, read_pair, &t));
    for (size_t i = 0; i < n; i++)
        if (keys[i].is_required && !(t.seen >> i & 1))
            return spec_doc_fail(doc, node, "no key '%s', expected one", keys[i].name);
    return IFN_OK;
}

ifn_status spec_doc_list(spec_doc *doc, spec_node *node, int max, spec_reader *read, void *into)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return spec_doc_fail(doc, node, "%s, expected a list", kind_of(node));
    int n = 0;
    for (const yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; item++) {
        spec_node *value = yaml_document_get_node(&doc->tree, *item);
        if (n++ == max)
            return spec_doc_fail(doc, value, "entry %d of a list, expected at most %d", n, max);
        IFN_TRY(read(doc, value, into));
    }
    return IFN_OK;
}

ifn_status spec_doc_text(spec_doc *doc, spec_node *node, const char **out)
{
    *out = "";
    if (node->type != YAML_SCALAR_NODE)
        return spec_doc_fail(doc, node, "%s, expected text", kind_of(node));
    *out = spec_node_text(node);
    return **out ? IFN_OK : spec_doc_fail(doc, node, "empty, expected text");
}

ifn_status spec_doc_name(spec_doc *doc, spec_node *node, char *out, size_t bytes)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (strlen(text) >= bytes)
        return spec_doc_fail(doc, node, "'%.40s' has %zu bytes, expected at most %zu", text,
                             strlen(text), bytes - 1);
    memcpy(out, text, strlen(text) + 1);
    return IFN_OK;
}

ifn_status spec_doc_copy(spec_doc *doc, spec_node *node, char **out)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    const size_t bytes = strlen(text) + 1;
    *out = malloc(bytes);
    if (!*out)
        return ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    memcpy(*out, text, bytes);
    return IFN_OK;
}

static bool is_plain(const spec_node *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

int spec_node_is_null(const spec_node *node)
{
    return is_plain(node) &&
           (strcmp(spec_node_text(node), "null") == 0 || strcmp(spec_node_text(node), "~") == 0);
}

ifn_status spec_doc_integer(spec_doc *doc, spec_node *node, int64_t *out)
{
    const char *text;
    char *end;
    IFN_TRY(spec_doc_text(doc, node, &text));
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (!is_plain(node) || *end || errno)
        return spec_doc_fail(doc, node, "'%.40s', expected an integer", text);
    return IFN_OK;
}

/* Parses a number of YAML. strtod accepts more: "inf", "nan" and hexadecimal, which are no YAML numbers. */
static int parse_number(const char *text, double *out)
{
    const int sign = *text == '-' ? -1 : 1;
    const char *magnitude = text + (*text == '-' || *text == '+');
    char *end;
    if (strcmp(magnitude, ".inf") == 0) {
        *out = sign * (double)INFINITY;
        return 1;
    }
    if (strcmp(text, ".nan") == 0) {
        *out = (double)NAN;
        return 1;
    }
    if (*magnitude == '\0' || strspn(magnitude, "0123456789.eE+-") != strlen(magnitude))
        return 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

int spec_node_is_number(const spec_node *node)
{
    double ignored;
    return is_plain(node) && parse_number(spec_node_text(node), &ignored);
}

ifn_status spec_doc_count(spec_doc *doc, spec_node *node, int64_t least, int64_t *out)
{
    const int64_t most = INT64_C(1000000000000000);
    IFN_TRY(spec_doc_integer(doc, node, out));
    if (*out < least || *out > most)
        return spec_doc_fail(doc, node, "%lld, expected %lld to %lld", (long long)*out,
                             (long long)least, (long long)most);
    return IFN_OK;
}

ifn_status spec_doc_number(spec_doc *doc, spec_node *node, double *out)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    if (!is_plain(node) || !parse_number(text, out))
        return spec_doc_fail(doc, node, "'%.40s', expected a number", text);
    return IFN_OK;
}

/* True if the text is an integer that binary64 cannot hold, so that x is another one. */
static bool is_rounded(const char *text, double x)
{
    enum { DIGITS = 32 };
    char back[DIGITS];
    const char *digits = text + strspn(text, "+-");
    digits += strspn(digits, "0");
    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return false;
    const int n = snprintf(back, sizeof back, "%.0f", fabs(x));
    return n < 0 || n >= DIGITS || strcmp(back, digits) != 0;
}

ifn_status spec_doc_exact_number(spec_doc *doc, spec_node *node, double *out)
{
    IFN_TRY(spec_doc_number(doc, node, out));
    if (is_rounded(spec_node_text(node), *out))
        return spec_doc_fail(doc, node, "'%.40s', expected an integer that binary64 has, as %.0f",
                             spec_node_text(node), *out);
    return IFN_OK;
}
