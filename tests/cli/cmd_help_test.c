#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "paths.h"
#include "program.h"
#include "test.h"

#define OWN(name, runs_plugins) {#name},
#define SUITE(name)             {#name},
static const char *const pages[][2] = {
    {"conform", "merge"}, {"conform", "level"},  {"conform", "export"},
    {"conform", "judge"}, {"conform", "debug"},  {"conform", "diff"},
    {"conform", "e2e"},   {"conform", "museum"}, IFN_COMMANDS(OWN, SUITE)};

TEST(help_of_a_command_is_what_it_says_itself)
{
    for (size_t i = 0; i < N_OF(pages); i++) {
        const char *const help[] = {"inferno", "help", pages[i][0], pages[i][1], NULL};
        const char *const own[] = {"inferno", pages[i][0], pages[i][1] ? pages[i][1] : "--help",
                                   pages[i][1] ? "--help" : NULL, NULL};
        program a = expect_success(help), b = expect_success(own);
        assert_string_equal(a.out, b.out);
        program_free(&a);
        program_free(&b);
    }
}

TEST(help_alone_lists_the_commands)
{
    program a = assert_runs("inferno", "help"), b = assert_runs("inferno", "--help");
    assert_string_equal(a.out, b.out);
    for (size_t i = 0; i < N_OF(pages); i++)
        assert_non_null(strstr(a.out, pages[i][0]));
    program_free(&a);
    program_free(&b);
}

/* Returns the length of the longest line in characters, not bytes. */
static size_t widest(const char *text)
{
    size_t most = 0, n = 0;
    for (; *text; text++) {
        n = *text == '\n' ? 0 : n + ((*text & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    return most;
}

static void assert_fits(const program *p, const char *name)
{
    assert_that(widest(p->out) <= 80, "%s: a line of %zu columns in: %s", name, widest(p->out),
                p->out);
}

TEST(every_help_has_examples_and_fits_in_80_columns)
{
    program all = assert_runs("inferno", "--help"), other = assert_runs("model-generate", "--help");
    assert_fits(&all, "inferno");
    assert_fits(&other, "model-generate");
    assert_non_null(strstr(all.out, "\nexamples:\n  inferno "));
    assert_non_null(strstr(other.out, "\nexamples:\n  model-generate "));
    program_free(&all);
    program_free(&other);
    for (size_t i = 0; i < N_OF(pages); i++) {
        const char *const help[] = {"inferno", "help", pages[i][0], pages[i][1], NULL};
        program p = expect_success(help);
        assert_fits(&p, pages[i][0]);
        assert_that(strstr(p.out, "\nexamples:\n  "), "no examples: %s", p.out);
        program_free(&p);
    }
}

TEST(a_wrong_word_is_answered_with_the_nearest)
{
    static const struct {
        const char *words[4], *text;
    } wrong[] = {
        {{"genrate"}, "genrate: unknown command, did you mean 'generate'?"},
        {{"help", "benhc"}, "benhc: unknown command, did you mean 'bench'?"},
        {{"generate", "--threds", "2"}, "--threds: unknown option, did you mean '--threads'?"},
        {{"generate", "--kv", "bsic"},
         "--kv: found 'bsic', expected off|basic|f16|q8_0, did you mean"},
        {{"generate", "-p", "a", "--backend=smid"}, "'smid': unknown, did you mean 'simd'?"},
        {{"conform", "--backend", "sclar"}, "'sclar': unknown, did you mean 'scalar'?"},
        {{"conform", "--op", "matmull"}, "did you mean 'matmul'?"},
        {{"conform", "--dtype", "Q4K"}, "did you mean 'Q4_K'?"},
        {{"conform", "--profile", "nigthly"}, "did you mean 'nightly'?"},
        {{"conform", "--dtypes", "F32"}, "did you mean '--dtype'?"},
        {{"conform", "--explan"}, "did you mean '--explain'?"},
        {{"conform", "marge", "a.json"}, "did you mean 'merge'?"},
        {{"bench", "ops", "--op=matmull"}, "did you mean 'matmul'?"},
        {{"synth", "llama", "out.gguf", "--type=Q4K"}, "did you mean 'Q4_K'?"},
        {{"completion", "bsh"}, "'bsh', expected bash, zsh or fish, did you mean 'bash'?"},
        {{"backend", "nwe"}, "'nwe', expected new NAME [DIR], did you mean 'new'?"},
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        const char *argv[6] = {"inferno"};
        memcpy(argv + 1, wrong[i].words, sizeof wrong[i].words);
        expect_refusal(2, wrong[i].text, argv);
    }
}

TEST(man_pages_go_to_a_new_folder)
{
    char *const dir = strdup(temp_path("man1"));
    program p = assert_runs("inferno", "help", "--man-pages", dir);
    program_free(&p);
    assert_int_equal(names_in(dir, ".1"), N_OF(pages) + 2);
    assert_int_equal(names_in(dir, "inferno-conform-merge.1"), 1);
    assert_int_equal(names_in(dir, "model-generate.1"), 1);
    char path[1024];
    snprintf(path, sizeof path, "%s/inferno.1", dir);
    char *page = read_file(path, NULL);
    assert_non_null(page);
    assert_non_null(strstr(page, ".BR inferno\\-generate (1)"));
    free(page);
    assert_refused(1, "man1", "inferno", "help", "--man-pages", dir);
    free(dir);
}

TEST(a_script_that_cannot_be_written_is_no_success)
{
    const char *const argv[] = {"inferno", "completion", "bash", NULL};
    program p = program_run_files(argv, NULL, "/dev/full");
    assert_int_equal(p.status, 1);
    program_free(&p);
}
