#include "escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "test.h"

static void put_json(const char *text, FILE *out)
{
    json_writer w = {.out = out};
    json_put_string(&w, text);
}

static void expect(void (*put)(const char *text, FILE *out), const char *text, const char *want)
{
    char got[128] = "";
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    put(text, out);
    fclose(out);
    assert_string_equal(got, want);
}

TEST(json_strings_have_no_quote_backslash_or_control_of_their_own)
{
    expect(put_json, "plain \xc3\xa4", "\"plain \xc3\xa4\"");
    expect(put_json, "a\"b\\c\n\x7f", "\"a\\\"b\\\\c\\n\\u007f\"");
    expect(put_json, "", "\"\"");
}

TEST(markup_has_no_tag_quote_or_control_of_its_own)
{
    expect(escape_markup, "a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;");
    expect(escape_markup, "two\nlines", "two lines");
}

TEST(a_word_of_a_shell_is_one_word)
{
    expect(escape_shell, "plugin:./mine.so=a,b", "plugin:./mine.so=a,b");
    expect(escape_shell, "a b", "'a b'");
    expect(escape_shell, "it's $HOME", "'it'\\''s $HOME'");
    expect(escape_shell, "", "''");
}

#define REPLACED "\xef\xbf\xbd"

/* Truncated and overlong forms, surrogates and values beyond Unicode; the start of a character counts as one. */
TEST(bytes_of_no_character_are_replaced)
{
    expect(put_json, "a\xff\xc3", "\"a" REPLACED REPLACED "\"");
    expect(put_json, "\xe2\x82z", "\"" REPLACED "z\"");
    expect(put_json, "\xc0\x80", "\"" REPLACED REPLACED "\"");
    expect(put_json, "\xed\xa0\x80", "\"" REPLACED REPLACED REPLACED "\"");
    expect(put_json, "\xf4\x90\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\"");
    expect(put_json, "\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xe2\x82\xac\xf0\x9f\x98\x80\"");
    expect(escape_markup, "<\xc3", "&lt;" REPLACED);
}
