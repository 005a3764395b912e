/* Every spec/dtypes/<dtype>.yaml agrees with the code: sizes, layout and worked examples. */
#include "blocks.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "paths.h"
#include "test.h"

typedef struct spec {
    yaml_document_t document;
    ifn_dtype dtype;
} spec;

static const yaml_node_t *root(spec *s)
{
    return yaml_document_get_root_node(&s->document);
}

static const char *text(const yaml_node_t *node)
{
    assert_non_null(node);
    assert_int_equal(node->type, YAML_SCALAR_NODE);
    return (const char *)node->data.scalar.value;
}

/* Returns a member of a mapping, or NULL. */
static const yaml_node_t *get(spec *s, const yaml_node_t *mapping, const char *key)
{
    assert_non_null(mapping);
    assert_int_equal(mapping->type, YAML_MAPPING_NODE);
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++)
        if (strcmp(text(yaml_document_get_node(&s->document, pair->key)), key) == 0)
            return yaml_document_get_node(&s->document, pair->value);
    return NULL;
}

static size_t n_items(const yaml_node_t *sequence)
{
    assert_non_null(sequence);
    assert_int_equal(sequence->type, YAML_SEQUENCE_NODE);
    return (size_t)(sequence->data.sequence.items.top - sequence->data.sequence.items.start);
}

static const yaml_node_t *item(spec *s, const yaml_node_t *sequence, size_t i)
{
    return yaml_document_get_node(&s->document, sequence->data.sequence.items.start[i]);
}

static long number(spec *s, const yaml_node_t *mapping, const char *key)
{
    char *end;
    const char *value = text(get(s, mapping, key));
    const long n = strtol(value, &end, 10);
    assert_that(end != value && *end == '\0', "%s: '%s' is no number", key, value);
    return n;
}

static void open_spec(ifn_dtype dtype, spec *s)
{
    char path[64];
    yaml_parser_t parser;
    snprintf(path, sizeof path, "spec/dtypes/%s.yaml", ifn_dtype_name(dtype));
    for (char *p = path; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    FILE *file = fopen(source_path(path), "rb");
    assert_that(file != NULL, "%s cannot be read", path);
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_file(&parser, file);
    assert_that(yaml_parser_load(&parser, &s->document), "%s:%zu: %s", path,
                parser.problem_mark.line + 1, parser.problem);
    yaml_parser_delete(&parser);
    fclose(file);
    s->dtype = dtype;
}

static void for_each_spec(void (*check)(spec *))
{
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        spec s;
        open_spec((ifn_dtype)i, &s);
        check(&s);
        yaml_document_delete(&s.document);
    }
}

static void check_sizes(spec *s)
{
    const int32_t type = ifn_dtype_to_gguf(s->dtype);
    const yaml_node_t *block = get(s, root(s), "block");
    assert_string_equal(text(get(s, root(s), "inferno")), "dtype/1");
    assert_string_equal(text(get(s, root(s), "dtype")), ifn_dtype_name(s->dtype));
    if (type == IFN_GGUF_TYPE_NONE)
        assert_string_equal(text(get(s, root(s), "gguf_type")), "none");
    else
        assert_int_equal(number(s, root(s), "gguf_type"), type);
    assert_int_equal(number(s, block, "elements"), ifn_dtype_block_elements(s->dtype));
    assert_int_equal(number(s, block, "bytes"), ifn_dtype_block_bytes(s->dtype));
}

static void check_layout(spec *s)
{
    const yaml_node_t *layout = get(s, root(s), "layout");
    long end = 0;
    for (size_t i = 0; i < n_items(layout); i++) {
        const yaml_node_t *field = item(s, layout, i);
        assert_int_equal(number(s, field, "at"), end);
        end += number(s, field, "bytes");
    }
    assert_int_equal(end, ifn_dtype_block_bytes(s->dtype));
}

static float float_of(const char *value)
{
    char *end;
    if (strcmp(value, ".nan") == 0)
        return NAN;
    if (strcmp(value, ".inf") == 0)
        return INFINITY;
    if (strcmp(value, "-.inf") == 0)
        return -INFINITY;
    const float f = strtof(value, &end);
    assert_that(end != value && *end == '\0', "'%s' is no number", value);
    return f;
}

/* Stores one entry of a mapping: `7: 0.5`, `16..31: 0.5`, or `rest: 0` for all elements that are not yet set. */
static void put_entry(const char *key, float value, float *x, unsigned char *is_set, int64_t n)
{
    char *end;
    long first = strtol(key, &end, 10), last = first;
    const int is_rest = strcmp(key, "rest") == 0;
    if (is_rest)
        first = 0, last = n - 1;
    else if (strncmp(end, "..", 2) == 0)
        last = strtol(end + 2, &end, 10);
    assert_that((is_rest || *end == '\0') && first >= 0 && last < n, "'%s' is no index", key);
    for (long i = first; i <= last; i++) {
        if (!is_rest || !is_set[i])
            x[i] = value;
        is_set[i] = 1;
    }
}

static void read_mapping(spec *s, const yaml_node_t *node, float *x, int64_t n)
{
    unsigned char is_set[256] = {0};
    assert_true(n <= (int64_t)sizeof is_set);
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++)
        put_entry(text(yaml_document_get_node(&s->document, pair->key)),
                  float_of(text(yaml_document_get_node(&s->document, pair->value))), x, is_set, n);
    for (int64_t i = 0; i < n; i++)
        assert_true(is_set[i]);
}

static void read_floats(spec *s, const yaml_node_t *node, float *x, int64_t n)
{
    assert_non_null(node);
    if (node->type == YAML_MAPPING_NODE) {
        read_mapping(s, node, x, n);
        return;
    }
    assert_int_equal(n_items(node), n);
    for (int64_t i = 0; i < n; i++)
        x[i] = float_of(text(item(s, node, (size_t)i)));
}

/* Reads hex digits with white space between them; returns the number of bytes. */
static size_t read_hex(const char *hex, uint8_t *bytes, size_t room)
{
    size_t n = 0;
    for (; *hex; hex++) {
        if (isspace((unsigned char)*hex))
            continue;
        assert_true(n < 2 * room && isxdigit((unsigned char)*hex));
        const char digit[2] = {*hex, 0};
        const unsigned value = (unsigned)strtoul(digit, NULL, 16);
        bytes[n / 2] = (uint8_t)(n % 2 ? bytes[n / 2] | value : value << 4);
        n++;
    }
    assert_int_equal(n % 2, 0);
    return n / 2;
}

static void check_example(spec *s, const yaml_node_t *example)
{
    const char *check = text(get(s, example, "check"));
    const int both = strcmp(check, "both") == 0;
    uint8_t bytes[1024];
    float x[256];
    const size_t n_bytes = read_hex(text(get(s, example, "bytes")), bytes, sizeof bytes);
    const int64_t n =
        (int64_t)(n_bytes / ifn_dtype_block_bytes(s->dtype)) * ifn_dtype_block_elements(s->dtype);
    assert_true(n > 0 && n <= (int64_t)N_OF(x));
    assert_int_equal(ifn_dtype_row_bytes(s->dtype, n), n_bytes);
    read_floats(s, get(s, example, "floats"), x, n);
    print_message("%s: %s, %s\n", ifn_dtype_name(s->dtype), text(get(s, example, "name")), check);
    if (both || strcmp(check, "decode") == 0)
        assert_decodes(s->dtype, bytes, x, n);
    if (both || strcmp(check, "encode") == 0)
        assert_encodes(s->dtype, x, bytes, n);
    assert_true(both || strcmp(check, "decode") == 0 || strcmp(check, "encode") == 0);
}

/* Blocks of Q8_32F have the machine's byte order, and their examples are little-endian. */
static int can_read_examples(ifn_dtype dtype)
{
    const uint16_t one = 1;
    return dtype != IFN_DTYPE_Q8_32F || *(const uint8_t *)&one == 1;
}

static void check_examples(spec *s)
{
    const yaml_node_t *examples = get(s, root(s), "examples");
    assert_true(n_items(examples) > 0);
    for (size_t i = 0; i < n_items(examples) && can_read_examples(s->dtype); i++)
        check_example(s, item(s, examples, i));
}

TEST(every_spec_has_the_sizes_of_the_table)
{
    for_each_spec(check_sizes);
}

TEST(every_layout_fills_its_block_without_gaps)
{
    for_each_spec(check_layout);
}

TEST(every_worked_example_is_right)
{
    for_each_spec(check_examples);
}
