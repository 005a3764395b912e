/*
 * Plugins that end a program which only wanted to use them (tests/conform/plugins/hostile.c): one
 * line that names plugin and place, and no success. What conform says of them is in
 * tests/conform/hostile_test.c.
 */
#include "plugin_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
}

typedef struct row {
    const char *wish;
    int status;
    const char *saying; /* behind the plugin's name; NULL: all is well */
} row;

#define BY(number, name) "ended by signal " #number " (" name ") "
#define LEFT(status)     "ended the program with status " #status " "

static const row rows[] = {
    {"op.exit", 1, LEFT(0) "in rms_norm, expected it to return"},
    {"op.exit3", 1, LEFT(3) "in rms_norm, expected it to return"},
    {"op.quick-exit", 1, LEFT(0) "in rms_norm, expected it to return"},
    {"op.thread-exit", 1, LEFT(0) "in rms_norm, expected it to return"},
    {"op.exec", 1, LEFT(0) "in rms_norm, expected it to return"},
    {"op.abort", 134, BY(6, "Aborted") "in rms_norm"},
    {"op.segv", 139, BY(11, "Segmentation fault") "in rms_norm"},
    {"op.overflow", 139, BY(11, "Segmentation fault") "in rms_norm"},
    {"op.fpe", 136, BY(8, "Floating point exception") "in rms_norm"},
    {"op.term", 143, BY(15, "Terminated") "in rms_norm"},
    {"op.kill", 137, BY(9, "Killed") "in rms_norm"},
    {"fill.abort", 134, BY(6, "Aborted") "while it was loaded"},
    {"fill.exit", 1, LEFT(0) "while it was loaded, expected it to return"},
    {"open.exit", 1, LEFT(0) "while it was loaded, expected it to return"},
    {"open.segv", 139, BY(11, "Segmentation fault") "while it was loaded"},
    {"open.hang", 1, "hung while it was loaded: not done within 1 s (INFERNO_LOAD_SECONDS)"},
    {"open.stop", 1, "hung while it was loaded: not done within 1 s (INFERNO_LOAD_SECONDS)"},
    {"load.exit", 1, LEFT(0) "while it was loaded, expected it to return"},
    {"load.segv", 139, BY(11, "Segmentation fault") "while it was loaded"},
    {"load.spin", 1, "hung while it was loaded: not done within 1 s (INFERNO_LOAD_SECONDS)"},
    {"prepare.exit", 1, LEFT(0) "while weights were prepared, expected it to return"},
    {"prepare.abort", 134, BY(6, "Aborted") "while weights were prepared"},
    {"release.segv", 139, BY(11, "Segmentation fault") "while it was closed"},
    {"close.exit3", 1, LEFT(3) "while it was closed, expected it to return"},
    {"close.hang", 1, "hung while it was closed: not done within 1 s (INFERNO_LOAD_SECONDS)"},
    {"op.nothing", 0, NULL},
    {"op.join", 0, NULL},
    {"op.fork", 0, NULL},
    {"op.ignore", 0, NULL},
    {"op.alarm", 0, NULL},
    {"op.open-file", 0, NULL},
};

/* At load there is no option yet. */
static const char *backend_of(const char *wish)
{
    static char text[600];
    const int is_load = strncmp(wish, "load.", 5) == 0;
    if (is_load)
        setenv("HOSTILE", wish, 1);
    snprintf(text, sizeof text, "%s%s%s", HOSTILE_PLUGIN, is_load ? "" : "=", is_load ? "" : wish);
    return text;
}

static void expect_line(const row *r, const program *p)
{
    char line[900];
    snprintf(line, sizeof line, "inferno: plugin '%s': %s\n", HOSTILE_PLUGIN, r->saying);
    assert_that(p->status == r->status, "%s: status %d, expected %d\n%s", r->wish, p->status,
                r->status, p->err);
    assert_that(strcmp(p->err, r->saying ? line : "") == 0, "%s: said\n%sexpected\n%s", r->wish,
                p->err, r->saying ? line : "nothing\n");
}

static void generate_names_what_ended_it(void **state)
{
    (void)state;
    setenv("INFERNO_LOAD_SECONDS", "1", 1);
    for (size_t i = 0; i < N_OF(rows); i++) {
        program p = program_run("inferno", "generate", small_model("llama"), "-p", "a", "-n", "3",
                                "--quiet", "--backend", backend_of(rows[i].wish));
        unsetenv("HOSTILE");
        expect_line(&rows[i], &p);
        program_free(&p);
    }
}

static void so_do_logits_and_bench(void **state)
{
    (void)state;
    program p = program_run("inferno", "logits", small_model("llama"), "--ids", "1,2", "--backend",
                            backend_of("op.segv"));
    expect_line(&(row){"op.segv", 139, BY(11, "Segmentation fault") "in rms_norm"}, &p);
    program_free(&p);
    const char *const options[] = {"--backend", "--against"};
    for (size_t i = 0; i < N_OF(options); i++) {
        p = program_run("inferno", "bench", "ops", options[i], backend_of("open.exit"));
        expect_line(&(row){"bench", 1, LEFT(0) "while it was loaded, expected it to return"}, &p);
        program_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_plugin_is_found_on_the_command_line),
        RUN(generate_names_what_ended_it),
        RUN(so_do_logits_and_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
