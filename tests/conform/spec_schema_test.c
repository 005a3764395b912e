/* spec/schema.yaml and the reader's tables of keys agree. */
#include <string.h>

#include "cases_file.h"
#include "paths.h"
#include "spec_read.h"
#include "test.h"

/* What the schema says of one map, compared with the reader: its keys, and which of them are required. */
typedef struct schema_map {
    const spec_table *table; /* the reader's table; NULL: it has none of that name */
    uint64_t seen;           /* bit i: key i of the table */
} schema_map;

static schema_map maps[16];
static size_t n_maps;

static ifn_status read_required(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    *(int *)into = strcmp(text, "yes") == 0;
    return IFN_OK;
}

static ifn_status read_text(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    (void)into;
    return spec_doc_text(doc, node, &text);
}

static const spec_key about_a_key[] = {
    {"required", 1, read_required}, {"holds", 1, read_text}, {"meaning", 1, read_text}};

static ifn_status read_key(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    schema_map *map = into;
    const char *name;
    int is_required;
    IFN_TRY(spec_doc_text(doc, key, &name));
    IFN_TRY(spec_doc_map(doc, value, about_a_key, N_OF(about_a_key), &is_required));
    for (size_t i = 0; i < map->table->n; i++) {
        if (strcmp(map->table->keys[i].name, name) != 0)
            continue;
        assert_that(map->table->keys[i].is_required == is_required,
                    "%s.%s: schema and reader differ in whether it is required", map->table->name,
                    name);
        map->seen |= UINT64_C(1) << i;
        return IFN_OK;
    }
    return spec_doc_fail(doc, key, "%s.%s: the reader does not know it", map->table->name, name);
}

enum { N_OF_CASES = 2 };

static const spec_table *table_of(const char *name)
{
    static const spec_table *const of_cases[] = {&spec_table_cases, &spec_table_case};
    size_t n;
    const spec_table *const *tables = spec_op_tables(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(tables[i]->name, name) == 0)
            return tables[i];
    for (size_t i = 0; i < N_OF_CASES; i++)
        if (strcmp(of_cases[i]->name, name) == 0)
            return of_cases[i];
    return NULL;
}

static ifn_status read_map(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    const char *name;
    (void)into;
    IFN_TRY(spec_doc_text(doc, key, &name));
    if (strcmp(name, "inferno") == 0)
        return IFN_OK;
    schema_map *map = &maps[n_maps++];
    map->table = table_of(name);
    if (!map->table)
        return spec_doc_fail(doc, key, "%s: the reader has no such map", name);
    return spec_doc_pairs(doc, value, read_key, map);
}

TEST(schema_and_reader_know_the_same_keys)
{
    ifn_error err;
    spec_doc doc;
    assert_ok(spec_doc_open(&doc, source_path("spec/schema.yaml"), &err), err);
    assert_ok(spec_doc_pairs(&doc, spec_doc_root(&doc), read_map, NULL), err);
    spec_doc_close(&doc);
    size_t n;
    (void)spec_op_tables(&n);
    assert_int_equal(n_maps, n + N_OF_CASES);
    for (size_t i = 0; i < n_maps; i++)
        for (size_t k = 0; k < maps[i].table->n; k++)
            assert_that(maps[i].seen >> k & 1, "%s.%s: not in the schema", maps[i].table->name,
                        maps[i].table->keys[k].name);
}
