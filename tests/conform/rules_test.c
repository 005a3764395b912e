/*
 * Every way to fail is documented: section 16 of spec/numerics.md names each check of verdict.h, and each problem that
 * any code in src/conform adds to a report. The test looks for the longest piece of the problem's format without a
 * conversion.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"
#include "tree.h"
#include "verdict.h"

enum { FORMAT_BYTES = 512, SHORTEST = 6 };

static char *read_source(const char *path)
{
    size_t bytes;
    char *const text = read_file(source_path(path), &bytes);
    assert_that(text != NULL, "%s: cannot be read", path);
    return text;
}

static void expect_row(const char *section, const char *rule, const char *where)
{
    char quoted[FORMAT_BYTES + 3];
    snprintf(quoted, sizeof quoted, "`%s", rule);
    assert_that(strstr(section, quoted), "spec/numerics.md, section 16, lacks `%s` of %s", rule,
                where);
}

TEST(every_fault_has_its_rule)
{
    char *const text = read_source("spec/numerics.md");
    const char *const section = strstr(text, "## 16.");
    assert_non_null(section);
    for (int f = CHECK_NONE + 1; f < CHECK_COUNT; f++) {
        char name[64];
        snprintf(name, sizeof name, "%s`", conform_check_name((conform_check)f));
        expect_row(section, name, "src/conform/truth/verdict.h");
    }
    free(text);
}

/* Concatenates the string literals from here to the next comma or bracket. */
static void join_literals(const char *at, char out[FORMAT_BYTES])
{
    size_t n = 0;
    int is_inside = 0;
    for (; *at && (is_inside || !strchr(",)", *at)); at++)
        if (*at == '"')
            is_inside = !is_inside;
        else if (is_inside && n + 1 < FORMAT_BYTES)
            out[n++] = *at;
    out[n] = '\0';
}

/* Returns the argument after the report. */
static const char *format_of(const char *call)
{
    return call + strcspn(call, ",") + 1;
}

/* Returns the bytes of a conversion that stands here, such as "%lld" or "%.2g"; 0: none. */
static size_t conversion_at(const char *at)
{
    return *at == '%' ? 1 + strspn(at + 1, "-+ #0123456789.lhzjt") + 1 : 0;
}

static void keep_longer(char *best, const char *from, size_t n)
{
    while (n > 0 && !isalnum((unsigned char)*from))
        from++, n--;
    while (n > 0 && !isalnum((unsigned char)from[n - 1]))
        n--;
    if (n > strlen(best))
        snprintf(best, FORMAT_BYTES, "%.*s", (int)n, from);
}

static void longest_piece(const char *format, char best[FORMAT_BYTES])
{
    const char *from = format;
    best[0] = '\0';
    for (; *format; format++) {
        const size_t n = conversion_at(format);
        if (!n)
            continue;
        keep_longer(best, from, (size_t)(format - from));
        format += n - 1;
        from = format + 1;
    }
    keep_longer(best, from, strlen(from));
}

static int look_into(const char *path, const char *section)
{
    static const char call[] = "conform_report_problem(";
    char *const text = read_source(path);
    int n = 0;
    for (const char *at = strstr(text, call); at; at = strstr(at + 1, call)) {
        char format[FORMAT_BYTES], piece[FORMAT_BYTES];
        join_literals(format_of(at), format);
        longest_piece(format, piece);
        if (strlen(piece) < SHORTEST)
            continue; /* the text comes from elsewhere, or this is the declaration */
        expect_row(section, piece, path);
        n++;
    }
    free(text);
    return n;
}

TEST(every_problem_has_its_rule)
{
    char *const text = read_source("spec/numerics.md");
    const char *const section = strstr(text, "## 16.");
    assert_non_null(section);
    tree all = tree_read(source_path("src/conform"));
    int n = 0;
    for (size_t i = 0; i < all.n; i++) {
        char path[FORMAT_BYTES];
        snprintf(path, sizeof path, "src/conform/%s", all.paths[i]);
        if (has_suffix(path, ".c"))
            n += look_into(path, section);
    }
    assert_true(n >= 7);
    tree_free(&all);
    free(text);
}

TEST(pieces_are_what_stands_between_conversions)
{
    char format[FORMAT_BYTES], piece[FORMAT_BYTES];
    join_literals(" \"%s: one \"\n  \"two %lld three\", x", format);
    assert_string_equal(format, "%s: one two %lld three");
    longest_piece(format, piece);
    assert_string_equal(piece, "one two");
    longest_piece("%s", piece);
    assert_string_equal(piece, "");
}
