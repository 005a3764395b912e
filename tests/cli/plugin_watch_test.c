/*
 * Plugins that harm a program which only uses them: if one ends the program, there is one line that names plugin and
 * place, and the status is no success. tests/conform/hostile_test.c tests what conform says of them, by the same
 * table.
 */
#include "plugin_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/hostile_rows.h"
#include "program.h"
#include "test.h"

static const char *found(int argc, const char *const *argv)
{
    static char name[32];
    name[0] = '\0';
    (void)plugin_watch_find(argc, (char **)(uintptr_t)argv, name, sizeof name);
    return name;
}

#define FOUND(...)                                                                                 \
    found((int)(sizeof((const char *const[]){"x", __VA_ARGS__}) / sizeof(char *)),                 \
          (const char *const[]){"x", __VA_ARGS__})

static void a_plugin_is_found_on_the_command_line(void **state)
{
    (void)state;
    assert_string_equal(FOUND("m.gguf", "--backend", "./a.so"), "./a.so");
    assert_string_equal(FOUND("--backend=a.so=b:c"), "a.so");
    assert_string_equal(FOUND("--against", "trace:dir/a=x/y:simd"), "dir/a");
    assert_string_equal(FOUND("--backend", "parallel=2:simd"), "");
    assert_string_equal(FOUND("--backend", "simd=a/b.so"), "");
    assert_string_equal(FOUND("./a.so", "--backend"), "");
    assert_string_equal(FOUND("--backends", "./a.so"), "");
    char word[32];
    const char *const museum[] = {"x", "museum", "--museum=./b.so", "c.so"};
    assert_int_equal(plugin_watch_find_word(4, (char **)(uintptr_t)museum, word, sizeof word), 1);
    assert_string_equal(word, "./b.so");
    assert_int_equal(plugin_watch_find_word(2, (char **)(uintptr_t)museum, word, sizeof word), 0);
}

static const char *line_of(const char *saying)
{
    static char line[900];
    if (!saying)
        return "";
    snprintf(line, sizeof line, "inferno: plugin '%s': %s\n", HOSTILE_PLUGIN, saying);
    return line;
}

/* Returns standard error without what the plugin itself prints there. */
static const char *without_its_words(const char *err)
{
    static const char words[] = "something is odd\n";
    while (strncmp(err, words, sizeof words - 1) == 0)
        err += sizeof words - 1;
    return err;
}

static void expect_line(const char *wish, int status, const char *saying, const program *p)
{
    const char *const said = without_its_words(p->err);
    assert_that(p->status == status, "%s: status %d, expected %d\n%s", wish, p->status, status,
                p->err);
    assert_that(strcmp(said, line_of(saying)) == 0, "%s: said\n%sexpected\n%s", wish, said,
                saying ? line_of(saying) : "nothing\n");
}

/* Sets a limit of a second only for plugins that hang: others may be slow on a busy machine. */
static void expect(const hostile_row *r)
{
    const int hangs = r->line && strncmp(r->line, "hung", 4) == 0;
    if (hangs) {
        setenv("INFERNO_LOAD_SECONDS", "1", 1);
        setenv("INFERNO_OP_SECONDS", "1", 1);
    }
    program p = program_run("inferno", "generate", small_model("llama"), "-p", "a", "-n", "3",
                            "--quiet", "--backend", hostile_backend(HOSTILE_PLUGIN, r->wish));
    unsetenv("HOSTILE");
    unsetenv("INFERNO_LOAD_SECONDS");
    unsetenv("INFERNO_OP_SECONDS");
    expect_line(r->wish, r->generate, r->line, &p);
    program_free(&p);
}

static void generate_names_what_ended_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(hostile_ends); i++)
        expect(&hostile_ends[i]);
}

static void generate_minds_no_manners_but_closed_descriptors(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(hostile_descriptors); i++)
        expect(&hostile_descriptors[i]);
    for (size_t i = 0; i < N_OF(hostile_manners); i++)
        expect(&hostile_manners[i]);
    for (size_t i = 0; i < N_OF(hostile_honest); i++)
        expect(&hostile_honest[i]);
}

/* A plugin that forks in each call: the text is printed once all the same. */
static void twins_print_nothing(void **state)
{
    (void)state;
    program p = assert_runs("inferno", "generate", small_model("llama"), "-p", "a", "-n", "3",
                            "--backend", "scalar");
    program q = program_run("inferno", "generate", small_model("llama"), "-p", "a", "-n", "3",
                            "--backend", hostile_backend(HOSTILE_PLUGIN, "op.twins"));
    assert_int_equal(q.status, 0);
    assert_string_equal(q.out, p.out);
    program_free(&p);
    program_free(&q);
}

static void so_do_logits_and_bench(void **state)
{
    (void)state;
    program p = program_run("inferno", "logits", small_model("llama"), "--ids", "1,2", "--backend",
                            hostile_backend(HOSTILE_PLUGIN, "op.segv"));
    expect_line("logits", 139, BY(11, "Segmentation fault") "in rms_norm", &p);
    program_free(&p);
    const char *const options[] = {"--backend", "--against"};
    for (size_t i = 0; i < N_OF(options); i++) {
        p = program_run("inferno", "bench", "ops", options[i],
                        hostile_backend(HOSTILE_PLUGIN, "open.exit"));
        expect_line("bench", 1, LEFT(0) "while it was loaded, expected it to return", &p);
        program_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_plugin_is_found_on_the_command_line),
        RUN(generate_names_what_ended_it),
        RUN(generate_minds_no_manners_but_closed_descriptors),
        RUN(twins_print_nothing),
        RUN(so_do_logits_and_bench),
    };
    /* Sanitizers must not handle what the plugins do on purpose. */
    setenv("ASAN_OPTIONS",
           "exitcode=99:handle_segv=0:handle_sigfpe=0:handle_abort=0:detect_leaks=0", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
