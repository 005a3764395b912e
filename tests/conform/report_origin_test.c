#include "report_origin.h"

#include <stdio.h>
#include <string.h>

#include <inferno/version.h>

#include "paths.h"
#include "test.h"

TEST(a_report_says_where_it_comes_from)
{
    char program[] = "conform", option[] = "--op", value[] = "two words";
    char *words[] = {program, option, value};
    report_origin o;
    report_origin_fill(&o, 3, words);
    assert_string_equal(o.version, IFN_VERSION);
    assert_true(*o.commit && *o.cpu && *o.os);
    assert_int_equal(strlen(o.program), 16);
    assert_int_equal(strspn(o.program, "0123456789abcdef"), 16);
    assert_string_equal(o.command, "inferno conform --op 'two words'");
    assert_int_equal(strlen(o.date), 20);
    assert_true(o.date[4] == '-' && o.date[10] == 'T' && o.date[19] == 'Z');
    assert_null(report_origin_differs(&o, &o));
    assert_true(report_origin_same_machine(&o, &o));
}

TEST(programs_and_machines_are_told_apart)
{
    const report_origin a = {.version = "1", .commit = "c", .program = "p", .cpu = "x"};
    report_origin b = a;
    b.program[0] = 'q';
    assert_string_equal(report_origin_differs(&a, &b), "program");
    b.commit[0] = 'd';
    assert_string_equal(report_origin_differs(&a, &b), "commit");
    b.version[0] = '2';
    assert_string_equal(report_origin_differs(&a, &b), "version");
    assert_true(report_origin_same_machine(&a, &b));
    b.features[0] = 'f';
    assert_false(report_origin_same_machine(&a, &b));
}

/* The hash is of the plugins' files, wherever the expression names them; without a plugin, of the program. */
TEST(a_plugin_is_known_by_its_bytes)
{
    char expression[512], path[256];
    report_binary none, first, again, other;
    report_origin program;
    report_origin_fill(&program, 0, NULL);
    report_binary_fill(&none, "parallel=2:simd=avx2");
    assert_string_equal(none.file, "");
    assert_string_equal(none.hash, program.program);
    snprintf(path, sizeof path, "%s", temp_path("mine.so"));
    snprintf(expression, sizeof expression, "trace:%s=fast:simd", path);
    write_file(path, "a", 1);
    report_binary_fill(&first, expression);
    assert_string_equal(first.file, path);
    assert_string_equal(first.hash, "af63dc4c8601ec8c"); /* the published FNV-1a value of "a" */
    report_binary_fill(&again, path);
    assert_string_equal(again.hash, first.hash);
    write_file(path, "b", 1);
    report_binary_fill(&other, path);
    assert_string_not_equal(other.hash, first.hash);
    report_binary_fill(&other, "none.so");
    assert_string_equal(other.file, "./none.so");
    assert_string_equal(other.hash, "unknown");
    /* a long path is cut off in the report, and its file read all the same */
    char deep[600];
    snprintf(deep, sizeof deep, "%.200s", path);
    char *const name = strrchr(deep, '/');
    for (char *at = name; at < name + 300; at += 2)
        memcpy(at, "/.", 3);
    strcat(deep, "/mine.so");
    report_binary_fill(&again, path);
    report_binary_fill(&other, deep);
    assert_string_equal(other.hash, again.hash);
    temp_clean();
}
