#include "text_escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static void expect(void (*put)(const char *text, FILE *out), const char *text, const char *want)
{
    char got[128] = "";
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    put(text, out);
    fclose(out);
    assert_string_equal(got, want);
}

static void json_strings_have_no_quote_backslash_or_control_of_their_own(void **state)
{
    (void)state;
    expect(conform_put_json, "plain \xc3\xa4", "\"plain \xc3\xa4\"");
    expect(conform_put_json, "a\"b\\c\n\x7f", "\"a\\\"b\\\\c\\u000a\\u007f\"");
    expect(conform_put_json, "", "\"\"");
}

static void markup_has_no_tag_quote_or_control_of_its_own(void **state)
{
    (void)state;
    expect(conform_put_markup, "a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;");
    expect(conform_put_markup, "two\nlines", "two lines");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(json_strings_have_no_quote_backslash_or_control_of_their_own),
        RUN(markup_has_no_tag_quote_or_control_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
