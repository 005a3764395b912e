#include <string.h>

#include "program.h"
#include "test.h"

/* Every command with its subcommands. */
TEST(every_command_answers_h)
{
    static const char *const with_h[][4] = {{"generate"},
                                            {"tokenize"},
                                            {"detokenize"},
                                            {"logits"},
                                            {"inspect"},
                                            {"quantize"},
                                            {"synth"},
                                            {"conform"},
                                            {"bench"},
                                            {"backends"},
                                            {"backend"},
                                            {"bench", "ops"},
                                            {"backend", "new"},
                                            {"conform", "merge"},
                                            {"conform", "level"},
                                            {"conform", "export"},
                                            {"conform", "judge"}};
    for (size_t i = 0; i < N_OF(with_h); i++) {
        const char *argv[] = {"inferno", with_h[i][0], NULL, NULL, NULL};
        argv[2] = with_h[i][1] ? with_h[i][1] : "-h";
        argv[3] = with_h[i][1] ? "-h" : NULL;
        program p = expect_success(argv);
        assert_non_null(strstr(p.out, "usage: inferno"));
        program_free(&p);
    }
}

static const char *const commands[] = {"generate", "serve",    "tokenize", "detokenize", "logits",
                                       "inspect",  "quantize", "synth",    "backends",   "conform",
                                       "bench",    "backend",  "help",     "completion"};

TEST(help_lists_every_command)
{
    program p = assert_runs("inferno", "--help");
    for (size_t i = 0; i < N_OF(commands); i++)
        assert_non_null(strstr(p.out, commands[i]));
    program_free(&p);
}

TEST(every_command_has_help_and_a_version)
{
    for (size_t i = 0; i < N_OF(commands); i++) {
        program help = assert_runs("inferno", commands[i], "--help");
        assert_non_null(strstr(help.out, "usage: inferno"));
        assert_non_null(strstr(help.out, commands[i]));
        program_free(&help);
        program version = assert_runs("inferno", commands[i], "--version");
        assert_true(strncmp(version.out, "inferno ", 8) == 0);
        program_free(&version);
    }
}

TEST(the_program_has_a_version)
{
    program p = assert_runs("inferno", "--version"),
            other = assert_runs("model-generate", "--version");
    static const char *const lines[] = {"\ncommit: ", "\ncompiler: ", "\ncpu level: "};
    assert_true(strncmp(p.out, "inferno ", 8) == 0);
    assert_string_equal(p.out + 8, other.out + strlen("model-generate "));
    for (size_t i = 0; i < N_OF(lines); i++)
        assert_that(strstr(p.out, lines[i]), "no '%s' in: %s", lines[i], p.out);
    program_free(&other);
    program_free(&p);
}

TEST(no_command_prints_the_usage_to_standard_error)
{
    program p = program_run("inferno");
    assert_int_equal(p.status, 2);
    assert_int_equal(p.out_bytes, 0);
    assert_non_null(strstr(p.err, "usage: inferno"));
    program_free(&p);
}

TEST(an_unknown_command_is_refused_with_the_list)
{
    assert_refused(2, "bake: unknown command, expected one of generate, serve, tokenize", "inferno",
                   "bake");
}

/* Control sequences of a terminal, bytes that are not UTF-8, and characters that change the writing direction are
 * escaped. */
TEST(arguments_cannot_drive_the_terminal)
{
    assert_refused(2, "\\x1b]0;title\\x07: unknown command", "inferno", "\x1b]0;title\x07");
    assert_refused(2, "\\xff\\xfe: unknown command", "inferno", "\xff\xfe");
    assert_refused(2, "'a\\xe2\\x80\\xaeb'", "inferno", "generate", "-n",
                   "a\xe2\x80\xae"
                   "b");
    assert_refused(2, "\\x1b[2J: unknown option", "inferno", "inspect", "--\x1b[2J");
    assert_refused(2, "\\x1b[2J.gguf: no such file", "inferno", "inspect", "\x1b[2J.gguf");
    assert_refused(2, "\\x1b[2J", "inferno", "conform", "--backend", "\x1b[2J");
    assert_refused(2, "\\x1b[2J", "inferno", "conform", "--op", "\x1b[2J");
    assert_refused(2, "\\x1b[2J", "inferno", "conform", "merge", "\x1b[2J");
}

TEST(an_empty_path_has_a_name)
{
    assert_refused(2, "(an empty path): no such file", "inferno", "inspect", "");
    assert_refused(2, "(an empty path): no such file", "inferno", "generate", "", "-p", "a");
    assert_refused(2, "(an empty path): no such file", "inferno", "quantize", "", "x", "F16");
    assert_refused(2, "(an empty path): no such file", "inferno", "conform", "merge", "");
    assert_refused(2, "(an empty path) is no folder", "inferno", "conform", "--spec", "");
}

TEST(the_reason_is_shown_however_long_the_path)
{
    char path[4 * 200 + 8] = "";
    for (size_t i = 0; i < 200; i++)
        memcpy(path + 4 * i, "/abc", 5);
    assert_refused(2, "/abc: no such file or directory\n", "inferno", "inspect", path);
    assert_refused(2, "/abc: no such file or directory\n", "inferno", "generate", path, "-p", "a");
    assert_refused(2, "/abc: no such file or directory\n", "inferno", "conform", "merge", path);
}

TEST(a_full_disk_below_standard_output_is_no_success)
{
    const char *const argv[] = {"inferno", "--help", NULL};
    program p = program_run_files(argv, NULL, "/dev/full");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "inferno: standard output: no space left on the device\n");
    program_free(&p);
}
