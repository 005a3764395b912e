/* Compares with what llama-quantize chooses, by a table that it made itself (fixtures/README.md). */
#include "tensor_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

enum { MAX_LAYERS = 80 };

/* One line of the table. */
typedef struct field_row {
    char arch[16], type[16], output[16], embedding[16];
    int64_t layers, heads, kv_heads, cols, key_length, ff;
    uint32_t number;
    char attn_v[MAX_LAYERS + 1], attn_output[MAX_LAYERS + 1];
    char ffn_down[MAX_LAYERS + 1], others[MAX_LAYERS + 1];
} field_row;

static int read_row(const char *line, field_row *r)
{
    return sscanf(line,
                  "%15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                  " %15s %" SCNu32 " %15s %15s %80s %80s %80s %80s",
                  r->arch, &r->layers, &r->heads, &r->kv_heads, &r->cols, &r->key_length, &r->ff,
                  r->type, &r->number, r->output, r->embedding, r->attn_v, r->attn_output,
                  r->ffn_down, r->others) == 15;
}

static ifn_dtype of_letter(char letter)
{
    static const struct {
        char letter;
        ifn_dtype dtype;
    } letters[] = {{'F', IFN_DTYPE_F32},  {'h', IFN_DTYPE_F16},  {'b', IFN_DTYPE_BF16},
                   {'8', IFN_DTYPE_Q8_0}, {'p', IFN_DTYPE_Q4_0}, {'q', IFN_DTYPE_Q4_1},
                   {'r', IFN_DTYPE_Q5_0}, {'s', IFN_DTYPE_Q5_1}, {'2', IFN_DTYPE_Q2_K},
                   {'3', IFN_DTYPE_Q3_K}, {'4', IFN_DTYPE_Q4_K}, {'5', IFN_DTYPE_Q5_K},
                   {'6', IFN_DTYPE_Q6_K}};
    for (size_t i = 0; i < N_OF(letters); i++)
        if (letters[i].letter == letter)
            return letters[i].dtype;
    fail_msg("%c: no letter of the table", letter);
    return IFN_DTYPE_F32;
}

static type_rules rules_for(const field_row *r)
{
    type_rules rules = {.has_output = strcmp(r->output, "-") != 0,
                        .n_layers = r->layers,
                        .heads_per_kv = r->heads / r->kv_heads};
    ifn_error err;
    assert_ok(file_type_parse("TYPE", r->type, &rules.wanted, &err), err);
    rules.is_70b =
        type_is_70b((ifn_string){r->arch, strlen(r->arch)}, r->layers, rules.heads_per_kv);
    return rules;
}

static void check(const type_rules *rules, const field_row *r, const char *tensor, int64_t cols,
                  ifn_dtype expected)
{
    const ifn_dtype found = type_of_matrix(rules, tensor, cols).dtype;
    assert_that(found == expected, "%s, %" PRId64 " layers, %s: %s: found %s, expected %s", r->arch,
                r->layers, r->type, tensor, ifn_dtype_name(found), ifn_dtype_name(expected));
}

static void check_named(const type_rules *rules, const field_row *r, const char *tensor,
                        const char *type)
{
    ifn_dtype expected;
    assert_true(ifn_dtype_from_name(type, &expected));
    check(rules, r, tensor, r->cols, expected);
}

static void check_layer(const type_rules *rules, const field_row *r, int64_t i)
{
    static const char *const others[] = {"attn_q", "attn_k", "ffn_gate", "ffn_up"};
    char name[64];
#define NAME(kind) (snprintf(name, sizeof name, "blk.%" PRId64 ".%s.weight", i, kind), name)
    check(rules, r, NAME("attn_v"), r->cols, of_letter(r->attn_v[i]));
    check(rules, r, NAME("attn_output"), r->heads * r->key_length, of_letter(r->attn_output[i]));
    check(rules, r, NAME("ffn_down"), r->ff, of_letter(r->ffn_down[i]));
    for (size_t k = 0; k < N_OF(others); k++)
        check(rules, r, NAME(others[k]), r->cols, of_letter(r->others[i]));
#undef NAME
}

static void check_row(const field_row *r)
{
    const type_rules rules = rules_for(r);
    assert_int_equal(rules.wanted->number, r->number);
    if (rules.has_output)
        check_named(&rules, r, "output.weight", r->output);
    check_named(&rules, r, "token_embd.weight", r->embedding);
    for (int64_t i = 0; i < r->layers; i++)
        check_layer(&rules, r, i);
}

TEST(every_matrix_gets_the_type_that_llama_quantize_gives_it)
{
    size_t bytes;
    char *table = read_file(source_path("fixtures/golden/quantize/tensor_types.txt"), &bytes);
    int n_rows = 0;
    assert_non_null(table);
    for (char *next, *line = table; *line; line = next) {
        field_row r;
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (*line == '#')
            continue;
        assert_that(read_row(line, &r), "%s: no row of the table", line);
        check_row(&r);
        n_rows++;
    }
    free(table);
    assert_true(n_rows >= 100);
}

TEST(only_matrices_of_weights_may_change)
{
    assert_true(type_may_change("blk.0.attn_q.weight", 2));
    assert_true(type_may_change("blk.0.ffn_gate_exps.weight", 3));
    assert_false(type_may_change("blk.0.attn_norm.weight", 1));
    assert_false(type_may_change("blk.0.attn_q.bias", 1));
    assert_false(type_may_change("blk.0.attn_q_norm.weight", 2));
    assert_false(type_may_change("blk.0.table", 2));
}

static type_choice choice_of(const char *type, const char *name, int64_t cols)
{
    type_rules rules = {.pure = 1, .has_output = 1, .n_layers = 8, .heads_per_kv = 4};
    ifn_error err;
    assert_ok(file_type_parse("TYPE", type, &rules.wanted, &err), err);
    return type_of_matrix(&rules, name, cols);
}

TEST(pure_is_one_type_everywhere)
{
    static const char *const names[] = {"output.weight", "token_embd.weight", "blk.0.attn_v.weight",
                                        "blk.7.ffn_down.weight", "blk.0.attn_output.weight"};
    static const char *const types[] = {"Q2_K", "Q3_K_L", "Q4_K_S", "Q4_K_M",
                                        "Q5_K", "Q4_0",   "F16"};
    for (size_t t = 0; t < N_OF(types); t++)
        for (size_t i = 0; i < N_OF(names); i++) {
            const type_choice up = choice_of(types[t], "blk.3.ffn_up.weight", 256);
            assert_int_equal(choice_of(types[t], names[i], 256).dtype, up.dtype);
            assert_int_equal(up.meant, up.dtype);
        }
}

TEST(a_choice_tells_what_did_not_fit)
{
    static const struct {
        const char *type;
        int64_t cols;
        ifn_dtype meant, dtype;
    } cases[] = {
        {"Q2_K", 96, IFN_DTYPE_Q2_K, IFN_DTYPE_Q4_0}, {"Q3_K", 96, IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_0},
        {"Q4_K", 96, IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_0}, {"Q5_K", 96, IFN_DTYPE_Q5_K, IFN_DTYPE_Q5_1},
        {"Q6_K", 96, IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_0}, {"Q8_0", 96, IFN_DTYPE_Q8_0, IFN_DTYPE_Q8_0},
        {"Q4_K", 172, IFN_DTYPE_Q4_K, IFN_DTYPE_F16}, {"Q4_0", 172, IFN_DTYPE_Q4_0, IFN_DTYPE_F16},
        {"BF16", 7, IFN_DTYPE_BF16, IFN_DTYPE_BF16},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        const type_choice c = choice_of(cases[i].type, "blk.3.ffn_up.weight", cases[i].cols);
        assert_int_equal(c.meant, cases[i].meant);
        assert_int_equal(c.dtype, cases[i].dtype);
    }
}

/* Q4_0 and Q5_0 are inaccurate in the first ffn_down even with an importance matrix, Q4_1 and Q5_1 only without one. */
TEST(with_an_importance_matrix_the_first_ffn_down_have_a_minimum)
{
    static const struct {
        const char *type;
        ifn_dtype plain, raised;
    } rows[] = {{"Q4_0", IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1}, {"Q5_0", IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        ifn_error err = {0};
        type_rules rules = {.has_output = true, .n_layers = 16, .heads_per_kv = 1};
        assert_ok(file_type_parse("TYPE", rows[i].type, &rules.wanted, &err), err);
        for (int with = 0; with < 2; with++) {
            rules.has_imatrix = with;
            assert_int_equal(type_of_matrix(&rules, "blk.1.ffn_down.weight", 256).dtype,
                             with ? rows[i].raised : rows[i].plain);
            assert_int_equal(type_of_matrix(&rules, "blk.2.ffn_down.weight", 256).dtype,
                             rows[i].plain);
        }
    }
}
