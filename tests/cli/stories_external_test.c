/* A real trained model in the programs: the ids and texts must be those that other engines computed. */
#include <string.h>

#include "memory_file.h"
#include "paths.h"
#include "program.h"
#include "test.h"

/* If the best two logits differ by less than this, rounding may choose between them. */
#define SMALL_MARGIN 0.003

static json *read_expected(void)
{
    char *text = read_file(external_path("models/expected.json"), NULL);
    assert_non_null(text);
    json *all = json_parse(text, NULL);
    free(text);
    return all;
}

/* Returns "generated tokens (200): [403, ...]\n", which the caller frees. */
static char *ids_line(const json *ids)
{
    memory_file f;
    memory_file_open(&f);
    fprintf(f.file, "generated tokens (%zu): [", ids->n);
    for (size_t i = 0; i < ids->n; i++)
        fprintf(f.file, "%s%d", i ? ", " : "", (int)json_int(&ids->items[i]));
    fprintf(f.file, "]\n");
    memory_file_close(&f);
    return f.data;
}

static void model_generate_tells_the_expected_story(void **state)
{
    (void)state;
    json *all = read_expected();
    const json *expected = json_get(all, "stories260K.gguf|BOS");
    assert_non_null(expected);
    assert_int_equal(json_get(expected, "greedy_ids")->n, 200);
    program p = program_run("model-generate", "--kv", "basic",
                            external_path("models/stories260K.gguf"), "", "200");
    assert_int_equal(p.status, 0);
    char *line = ids_line(json_get(expected, "greedy_ids"));
    assert_that(strstr(p.out, line) != NULL, "expected '%s' in: %s", line, p.out);
    assert_true(strncmp(p.out, "backend: ", 9) == 0);
    assert_non_null(strstr(p.out, "\nkv cache: basic\nprompt: \"\"\nprompt tokens (1): [1]\n"
                                  "eos token id: 2\n\ngenerated tokens (200): ["));
    assert_non_null(
        strstr(p.out, "\ngenerated text: \" Once upon a time, there was a little girl"));
    free(line);
    program_free(&p);
    json_free(all);
}

/* Compares ids up to the first choice that rounding may decide. */
static void assert_continues(const char *file, const char *prompt, const json *expected)
{
    char path[256], n[16];
    const json *greedy = json_get(expected, "greedy_ids");
    const json *margins = json_get(expected, "greedy_margin_top1_top2");
    snprintf(path, sizeof path, "models/%s", file);
    snprintf(n, sizeof n, "%zu", greedy->n);
    json *d = assert_json("inferno", "generate", external_path(path), "-p", prompt, "-n", n,
                          "--json", "--activations", "f32", "--ignore-eos");
    const json *prompt_ids = json_get(expected, "prompt_ids"), *ids = json_get(d, "ids");
    assert_int_equal(json_get(d, "prompt_ids")->n, prompt_ids->n);
    for (size_t i = 0; i < prompt_ids->n; i++)
        assert_int_equal(json_int(&json_get(d, "prompt_ids")->items[i]),
                         json_int(&prompt_ids->items[i]));
    assert_int_equal(ids->n, greedy->n);
    for (size_t i = 0; i < greedy->n && margins->items[i].number >= SMALL_MARGIN; i++)
        assert_that(json_int(&ids->items[i]) == json_int(&greedy->items[i]),
                    "%s, '%s': id %zu is %d, expected %d", file, prompt, i,
                    (int)json_int(&ids->items[i]), (int)json_int(&greedy->items[i]));
    json_free(d);
}

static void generate_continues_every_prompt_as_expected(void **state)
{
    (void)state;
    json *all = read_expected();
    int n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const json *prompt = json_get(&all->items[i], "prompt");
        char *bar = strchr(all->keys[i], '|');
        if (!prompt || !bar)
            continue;
        *bar = '\0';
        assert_continues(all->keys[i], prompt->string, &all->items[i]);
        n++;
    }
    assert_true(n >= 9);
    json_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(model_generate_tells_the_expected_story),
        RUN(generate_continues_every_prompt_as_expected),
    };
    if (!external_path(""))
        return TEST_NOT_RUN;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
