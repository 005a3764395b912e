/* spec/tokenizer/bpe.yaml agrees with the code: the rules are the same, and the required round trips hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "paths.h"
#include "pretokenize.h"
#include "regex.h"
#include "test.h"
#include "tiny_gguf.h"

static yaml_document_t document;

static int load(void **state)
{
    (void)state;
    yaml_parser_t parser;
    FILE *file = fopen(source_path("spec/tokenizer/bpe.yaml"), "rb");
    if (!file || !yaml_parser_initialize(&parser))
        return -1;
    yaml_parser_set_input_file(&parser, file);
    const int loaded = yaml_parser_load(&parser, &document);
    yaml_parser_delete(&parser);
    fclose(file);
    return loaded ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    yaml_document_delete(&document);
    return 0;
}

static const char *text_of(const yaml_node_t *node)
{
    assert_non_null(node);
    assert_int_equal(node->type, YAML_SCALAR_NODE);
    return (const char *)node->data.scalar.value;
}

static const yaml_node_t *member(const yaml_node_t *map, const char *key)
{
    assert_int_equal(map->type, YAML_MAPPING_NODE);
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    for (; pair < map->data.mapping.pairs.top; pair++)
        if (strcmp(text_of(yaml_document_get_node(&document, pair->key)), key) == 0)
            return yaml_document_get_node(&document, pair->value);
    fail_msg("bpe.yaml has no '%s' where one is expected", key);
    return NULL;
}

/* Returns the item at `index`, or NULL past the last. */
static const yaml_node_t *item(const yaml_node_t *list, size_t index)
{
    assert_int_equal(list->type, YAML_SEQUENCE_NODE);
    const size_t n = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    return index < n ? yaml_document_get_node(&document, list->data.sequence.items.start[index])
                     : NULL;
}

static const yaml_node_t *top(const char *key)
{
    return member(yaml_document_get_root_node(&document), key);
}

static void expect_same_list(const yaml_node_t *list, const char *const *expected)
{
    size_t i = 0;
    for (; expected[i]; i++) {
        assert_non_null(item(list, i));
        assert_string_equal(text_of(item(list, i)), expected[i]);
    }
    assert_null(item(list, i));
}

static void expect_flag(const yaml_node_t *rule, const char *key, bool expected)
{
    assert_string_equal(text_of(member(rule, key)), expected ? "true" : "false");
}

static void the_rules_are_those_of_the_code(void **state)
{
    (void)state;
    const yaml_node_t *rules = member(top("split"), "rules");
    size_t i = 0;
    for (const ifn_pre_rule *rule; (rule = ifn_pre_rule_at(i)); i++) {
        const yaml_node_t *node = item(rules, i);
        assert_non_null(node);
        expect_same_list(member(node, "names"), rule->names);
        expect_same_list(member(node, "stages"), rule->stages);
        expect_flag(node, "ignores_merges", rule->ignores_merges);
        expect_flag(node, "adds_bos", rule->adds_bos);
        assert_true(strlen(text_of(member(node, "source"))) > 0);
    }
    assert_null(item(rules, i));
}

static void space_is_what_the_code_compiles(void **state)
{
    (void)state;
    char expanded[64] = {0};
    ifn_regex_expand("\\s", expanded);
    assert_string_equal(text_of(member(top("split"), "space")), expanded);
}

static size_t unhex(const char *text, char *out)
{
    size_t n = 0;
    for (; text[2 * n]; n++) {
        const char digits[3] = {text[2 * n], text[2 * n + 1], '\0'};
        char *end;
        out[n] = (char)strtol(digits, &end, 16);
        assert_true(*end == '\0');
    }
    return n;
}

static void every_round_trip_holds_under_every_rule(void **state)
{
    (void)state;
    static const char *const tokens[] = {"he", "ll", "\xc4\xa0\xc4\xa0", "<|end|>", NULL};
    static const char *const merges[] = {"h e", "l l", "\xc4\xa0 \xc4\xa0", NULL};
    const int32_t types[] = {1, 1, 1, 3};
    const yaml_node_t *texts = top("round_trips");
    assert_non_null(item(texts, 10));
    for (size_t r = 0; ifn_pre_rule_at(r); r++) {
        tiny_gguf file;
        ifn_tokenizer *t = tiny_tokenizer(&file, &(tiny_vocab){.model = "gpt2",
                                                               .pre = ifn_pre_rule_at(r)->names[0],
                                                               .tokens = tokens,
                                                               .with_bytes = 1,
                                                               .types = types,
                                                               .merges = merges});
        for (size_t i = 0; item(texts, i); i++) {
            char bytes[128];
            assert_true(item(texts, i)->data.scalar.length / 2 <= sizeof bytes);
            expect_round_trip(t, bytes, unhex(text_of(item(texts, i)), bytes));
        }
        ifn_tokenizer_close(t);
        tiny_end(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_rules_are_those_of_the_code),
        RUN(space_is_what_the_code_compiles),
        RUN(every_round_trip_holds_under_every_rule),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
