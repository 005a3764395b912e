#include <ctype.h>
#include <string.h>

#include "bench.h"
#include "written.h"

enum { DEEPEST = 32, NAME_BYTES = 24 };

static const char *skip_value(const char *p)
{
    assert_int_equal(*p, '"');
    p = strchr(p + 1, '"');
    assert_non_null(p);
    return p + 1;
}

static const char *read_name(const char *p, char name[NAME_BYTES])
{
    size_t n = 0;
    while (isalnum((unsigned char)*p) && n + 1 < NAME_BYTES)
        name[n++] = *p++;
    name[n] = '\0';
    assert_true(n > 0);
    return p;
}

/* Behind the attributes of a tag: each has a quoted value. */
static const char *skip_attributes(const char *p)
{
    char name[NAME_BYTES];
    while (*p == ' ') {
        p = read_name(p + 1, name);
        assert_int_equal(*p, '=');
        p = skip_value(p + 1);
    }
    return p;
}

static const char *expect_entity(const char *p)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < N_OF(known); i++)
        if (strncmp(p, known[i], strlen(known[i])) == 0)
            return p + strlen(known[i]);
    fail_msg("'%.20s' is no entity", p);
    return p;
}

/* Elements are closed in the order in which they were opened; text is escaped. Ends the test if
 * not. Returns how many elements there are. */
static int expect_well_formed(const char *text)
{
    static char open[DEEPEST][NAME_BYTES];
    int depth = 0, n = 0;
    const char *p = strchr(text, '>') + 1; /* behind the doctype */
    while (*p) {
        char name[NAME_BYTES];
        if (*p == '&') {
            p = expect_entity(p);
        } else if (p[0] == '<' && p[1] == '/') {
            p = read_name(p + 2, name);
            assert_that(depth > 0 && strcmp(name, open[--depth]) == 0, "</%s> at '%.40s'", name, p);
            assert_int_equal(*p++, '>');
        } else if (*p == '<') {
            p = skip_attributes(read_name(p + 1, name));
            n++;
            const int is_closed = p[0] == '/';
            p += is_closed;
            assert_that(*p == '>', "<%s at '%.40s'", name, p);
            p++;
            assert_true(depth < DEEPEST);
            if (!is_closed)
                memcpy(open[depth++], name, sizeof name);
        } else {
            p++;
        }
    }
    assert_int_equal(depth, 0);
    return n;
}

TEST(the_page_is_well_formed_and_complete)
{
    conform_report r = bench_report();
    conform_report_problem(&r, "a < b & c");
    memcpy(r.failures[0].nature, "deterministic", 14);
    for (int s = 0; s < 2; s++)
        reach_row_of(&conform_report_cell(&r, IFN_OP_MATMUL, s)->reach.needed,
                     (reach_key){REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE})
            ->at[reach_class(REACH_OCTAVES, 0, 4 + s)] = 8;
    char *text = written(conform_report_html, &r);
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\">",
        "NOT conformant",
        "a &lt; b &amp; c",
        "<code>./mine.so</code><b>no level</b>",
        "the run is not conformant",
        "out[0,3]: &quot;&lt;one&gt;&quot; &amp; only",
        "<td class=\"l\">matmul</td><td class=\"g\">2</td>",
        "style=\"width:25%\"",
        "class=\"over\"",
        "<h2>Refusals</h2>",
        "raw F32</td><td>1</td><td>1</td>",
        "<h2>Invariances: ./mine.so</h2>",
        "<h2>Certificate: ./mine.so</h2>",
        "<li>matmul: no case with m in [16, 32)</li>",
        "<code>out[3]: got 1.5 (0x1.8p+0, 0x3fc00000), want 1.25 (0x1.4p+0, 0x3fa00000), bound "
        "0.125, error/bound 2, 2097152 ulp</code>",
        "found: <code>matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234</code>",
        "again: <code>inferno conform --backend ./mine.so --case "
        "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process</code>",
    };
    assert_true(expect_well_formed(text) > 80);
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    free(text);
    conform_report_close(&r);
}

/* Nothing is fetched, and both kinds of screens are served. */
TEST(the_page_stands_alone)
{
    conform_report r = bench_report();
    char *text = written(conform_report_html, &r);
    static const char *const absent[] = {"http:", "https:", "<script", "<link", "<img", "url("};
    for (size_t i = 0; i < N_OF(absent); i++)
        assert_that(!strstr(text, absent[i]), "found %s", absent[i]);
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    free(text);
    conform_report_close(&r);
}

TEST(an_empty_report_is_a_page)
{
    conform_report r;
    conform_report_open(&r, 0);
    char *text = written(conform_report_html, &r);
    assert_true(expect_well_formed(text) > 5);
    free(text);
    conform_report_close(&r);
}
