/* Which mutants a text has, and which of them a sample draws. */
#include "mutants.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "test.h"

static const char *const source = "/* a - b */\n"
                                  "#define X(a) \\\n"
                                  "    ((a) - 1)\n"
                                  "enum { N = 3 };\n"
                                  "static const int table[2] = {1, 2};\n"
                                  "_Static_assert(N > 2, \"a < b\");\n"
                                  "static int f(const int *a, int n)\n"
                                  "{\n"
                                  "    char b[4], *p = b;\n"
                                  "    int sum = 0; // i < n\n"
                                  "    for (int i = 0; i < n; i++)\n"
                                  "        sum += (int)-a[i] * 2;\n"
                                  "    if (n > 8 && *p == '-')\n"
                                  "        return -1;\n"
                                  "    (void)p;\n"
                                  "    return sum ? g(n - sum, \"1 + 1\") : n;\n"
                                  "}\n";

/* Kind, line, and the line after the change. */
static const char *const expected = "constant 10 int sum = (0 + 1); // i < n\n"
                                    "constant 10 int sum = (0 - 1); // i < n\n"
                                    "constant 11 for (int i = (0 + 1); i < n; i++)\n"
                                    "constant 11 for (int i = (0 - 1); i < n; i++)\n"
                                    "boundary 11 for (int i = 0; i <= n; i++)\n"
                                    "operator 11 for (int i = 0; i > n; i++)\n"
                                    "operator 11 for (int i = 0; i < n; i--)\n"
                                    "statement 12 ;\n"
                                    "operator 12 sum -= (int)-a[i] * 2;\n"
                                    "index 12 sum += (int)-a[(i) + 1] * 2;\n"
                                    "operator 12 sum += (int)-a[i] / 2;\n"
                                    "constant 12 sum += (int)-a[i] * (2 + 1);\n"
                                    "constant 12 sum += (int)-a[i] * (2 - 1);\n"
                                    "condition 13 if (!(n > 8 && *p == '-'))\n"
                                    "boundary 13 if (n >= 8 && *p == '-')\n"
                                    "operator 13 if (n < 8 && *p == '-')\n"
                                    "constant 13 if (n > (8 + 1) && *p == '-')\n"
                                    "constant 13 if (n > (8 - 1) && *p == '-')\n"
                                    "operator 13 if (n > 8 || *p == '-')\n"
                                    "operator 13 if (n > 8 && *p != '-')\n"
                                    "statement 14 ;\n"
                                    "constant 14 return -(1 + 1);\n"
                                    "constant 14 return -(1 - 1);\n"
                                    "condition 16 return !(sum) ? g(n - sum, \"1 + 1\") : n;\n"
                                    "operator 16 return sum ? g(n + sum, \"1 + 1\") : n;\n"
                                    "swap 16 return sum ? g((sum) - (n), \"1 + 1\") : n;\n";

typedef void (*put_function)(const mutant_list *list, size_t i, FILE *out);

static char *text_of(const mutant_list *list, size_t i, put_function put)
{
    char *text = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&text, &bytes);
    assert_non_null(out);
    put(list, i, out);
    fclose(out);
    return text;
}

static void put_line(const mutant_list *list, size_t i, FILE *out)
{
    fprintf(out, "%s %d ", mutant_kind_name(list->m[i].kind), list->m[i].line);
    mutant_put_after(list, i, out);
    fputc('\n', out);
}

static void put_first(const mutant_list *list, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++)
        put_line(list, i, out);
}

static void expect_list(const char *text, const char *want)
{
    mutant_list list = mutants_read(text);
    char *const got = text_of(&list, list.n, put_first);
    assert_string_equal(got, want);
    free(got);
    mutants_free(&list);
}

TEST(every_operator_of_a_body_is_changed_and_nothing_else)
{
    expect_list(source, expected);
}

TEST(operands_are_as_long_as_precedence_says)
{
    expect_list("void f(int a, int b)\n{\n    g(a * 2 % b, c);\n}\n",
                "statement 3 ;\n"
                "operator 3 g(a / 2 % b, c);\n"
                "constant 3 g(a * (2 + 1) % b, c);\n"
                "constant 3 g(a * (2 - 1) % b, c);\n"
                "operator 3 g(a * 2 / b, c);\n"
                "swap 3 g((b) % (a * 2), c);\n");
    expect_list("int f(int a)\n{\n    return a && h(a)[x] - y ? z : w ? u : v;\n}\n",
                "operator 3 return a || h(a)[x] - y ? z : w ? u : v;\n"
                "index 3 return a && h(a)[(x) + 1] - y ? z : w ? u : v;\n"
                "operator 3 return a && h(a)[x] + y ? z : w ? u : v;\n"
                "swap 3 return a && (y) - (h(a)[x]) ? z : w ? u : v;\n"
                "condition 3 return !(a && h(a)[x] - y) ? z : w ? u : v;\n"
                "condition 3 return a && h(a)[x] - y ? z : !(w) ? u : v;\n");
}

TEST(the_words_for_vectors_are_operators)
{
    expect_list("static vf f(vf x)\n{\n    return vf_sub(vf_zero(), x);\n}\n",
                "operator 3 return vf_add(vf_zero(), x);\n"
                "swap 3 return vf_sub(x, vf_zero());\n");
}

TEST(a_mutant_is_the_text_with_one_place_changed)
{
    static const char *const text = "int f(int a)\n{\n    return a -\n        b;\n}\n";
    mutant_list list = mutants_read(text);
    assert_int_equal(list.n, 2);
    char *const whole = text_of(&list, 1, mutant_put), *const name =
                                                           text_of(&list, 1, mutant_put_name);
    char *const before = text_of(&list, 1, mutant_put_before);
    char *const after = text_of(&list, 1, mutant_put_after);
    assert_string_equal(whole, "int f(int a)\n{\n    return (b) - (a);\n}\n");
    assert_string_equal(name, "f");
    assert_string_equal(before, "return a - b;");
    assert_string_equal(after, "return (b) - (a);");
    free(whole);
    free(name);
    free(before);
    free(after);
    mutants_free(&list);
}

TEST(what_is_no_c_gives_what_it_gives_and_ends)
{
    static const char *const texts[] = {"",         "/*",       "\"",      "'\\",    "#", "f(){",
                                        "f(){a[(}", "f(){))1-", "{",       "}",      ")", ";",
                                        "-",        "f(){-",    "f(){if(", "f(){?:,"};
    for (size_t i = 0; i < N_OF(texts); i++) {
        mutant_list list = mutants_read(texts[i]);
        for (size_t k = 0; k < list.n; k++)
            free(text_of(&list, k, mutant_put));
        mutants_free(&list);
    }
}

static sample draw(uint64_t seed, const char *const *paths, const mutant_list *const *lists,
                   size_t n)
{
    sample s = {.seed = seed};
    for (size_t i = 0; i < n; i++)
        sample_add(&s, paths[i], lists[i]);
    sample_order(&s);
    return s;
}

/* The first mutants of a large and of a small file come before the second of either, and the first six of a file are
 * of six kinds. */
TEST(a_sample_is_spread_over_files_and_kinds)
{
    mutant_list large = mutants_read(source),
                small = mutants_read("int f(void)\n{\n    return 1;\n}\n");
    const mutant_list *const lists[] = {&large, &small};
    static const char *const paths[] = {"a/large.c", "b/small.c"};
    sample s = draw(7, paths, lists, 2);
    assert_int_equal(s.n, large.n + small.n);
    assert_true(s.entries[0].path != s.entries[1].path);
    assert_true(s.entries[2].path != s.entries[3].path);
    unsigned kinds = 0;
    for (size_t i = 0, n = 0; n < MUTANT_KIND_COUNT; i++)
        if (s.entries[i].path == paths[0]) {
            kinds |= 1u << large.m[s.entries[i].number].kind;
            n++;
        }
    assert_int_equal(kinds, (1u << MUTANT_KIND_COUNT) - 1);
    sample_free(&s);
    mutants_free(&large);
    mutants_free(&small);
}

TEST(a_seed_draws_the_same_from_files_in_any_order)
{
    mutant_list list = mutants_read(source);
    const mutant_list *const lists[] = {&list, &list};
    static const char *const paths[] = {"a/a.c", "b/b.c"}, *const turned[] = {"b/b.c", "a/a.c"};
    sample one = draw(7, paths, lists, 2), two = draw(7, turned, lists, 2),
           other = draw(8, paths, lists, 2);
    int n_unequal = 0;
    for (size_t i = 0; i < one.n; i++) {
        assert_string_equal(one.entries[i].path, two.entries[i].path);
        assert_int_equal(one.entries[i].number, two.entries[i].number);
        n_unequal += one.entries[i].number != other.entries[i].number;
    }
    assert_true(n_unequal > 0);
    sample_free(&one);
    sample_free(&two);
    sample_free(&other);
    mutants_free(&list);
}
