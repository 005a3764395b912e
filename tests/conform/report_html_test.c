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
    while ((isalnum((unsigned char)*p) || *p == '-') && n + 1 < NAME_BYTES)
        name[n++] = *p++;
    name[n] = '\0';
    assert_true(n > 0);
    return p;
}

/* Returns the place after the attributes of a tag, each of which must have a quoted value. */
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

/* Skips the contents of style and script elements, which are no markup. */
static const char *skip_foreign(const char *p, const char *name)
{
    static const char *const foreign[] = {"style", "script"};
    for (size_t i = 0; i < N_OF(foreign); i++)
        if (strcmp(name, foreign[i]) == 0)
            while (strncmp(p, "</", 2) != 0)
                p++;
    return p;
}

/* Expects elements to be closed in reverse order and text to be escaped; ends the test otherwise. Returns the number
 * of elements. */
static int expect_well_formed(const char *text)
{
    static char open[DEEPEST][NAME_BYTES];
    int depth = 0, n = 0;
    const char *p = strchr(text, '>') + 1; /* after the doctype */
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
            p = skip_foreign(p, name);
        } else {
            p++;
        }
    }
    assert_int_equal(depth, 0);
    return n;
}

TEST(the_page_is_well_formed_and_complete)
{
    conform_report r = bench_measurement();
    conform_report_problem(&r, "a < b & c");
    memcpy(r.failures[0].nature, "deterministic", 14);
    for (int s = 0; s < 2; s++)
        reach_row_of(&conform_report_cell(&r, IFN_OP_MATMUL, s)->reach.needed,
                     (reach_key){REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE})
            ->at[reach_class(REACH_OCTAVES, 0, 4 + s)] = 8;
    char *text = written(conform_report_html, &r);
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\">",
        "<title>NOT conformant: scalar, ./mine.so (smoke, ) - inferno conform</title>",
        "a &lt; b &amp; c",
        "<div class=\"card norank\"><code>./mine.so</code><b>no level</b>",
        "the run is not conformant",
        "out[0,3]: &quot;&lt;one&gt;&quot; &amp; only",
        "<h2>Refusals</h2>",
        "raw F32</td><td>1</td><td class=\"bad\">1</td>",
        "<section id=\"invariances\">",
        "<h2>Certificate: ./mine.so</h2>",
        "<li>matmul: no case with m in [16, 32)</li>",
        "<dt>got</dt><dd><b>1.5</b> <span class=\"dim\">0x1.8p+0, 0x3fc00000</span></dd>",
        "<dt>want</dt><dd><b>1.25</b> <span class=\"dim\">0x1.4p+0, 0x3fa00000</span></dd>",
        "<dt>bound</dt><dd><b>0.125</b></dd>",
        "<dt>error/bound</dt><dd><b>2</b> <span class=\"dim\">2097152 ulp</span></dd>",
        "<dt>how often</dt><dd>deterministic</dd>",
        "<dt>found</dt><dd><code>matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234</code></dd>",
        "<pre>inferno conform --backend ./mine.so --case "
        "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process</pre>",
        "<dt>seeds</dt><dd>42</dd>",
        /* the map: element [0,3] by its error, two of [1,] without a number, [1,3] not compared */
        "<title id=\"f-",
        "-t\">Where out [2, 4] is wrong</title><desc id=\"f-",
        "-d\">3 of 8 cells of 1 x 1 elements hold one that is wrong. out[0,3]: ",
        "<rect class=\"e1\" x=\"24\" y=\"0\" width=\"8\" height=\"8\"/>"
        "<rect class=\"e6\" x=\"8\" y=\"8\" width=\"16\" height=\"8\"/>"
        "<rect class=\"n0\" x=\"24\" y=\"8\" width=\"8\" height=\"8\"/>",
        "<path class=\"cut\" d=\"M0 0M16 0V16\"/>",
        "</svg>up to 2^5 times the bound</span>",
        "</svg>no number, or other bits</span>",
    };
    assert_true(expect_well_formed(text) > 80);
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    free(text);
    conform_report_close(&r);
}

/* The page loads nothing, and has colours for light and dark screens. */
TEST(the_page_stands_alone)
{
    conform_report r = bench_measurement();
    char *text = written(conform_report_html, &r);
    static const char *const absent[] = {"http:", "https:", "src=", "<img", "url(", "@import"};
    for (size_t i = 0; i < N_OF(absent); i++)
        assert_that(!strstr(text, absent[i]), "found %s", absent[i]);
    assert_non_null(strstr(text, "prefers-color-scheme: dark"));
    free(text);
    conform_report_close(&r);
}

/* Every link within the page has a target. */
TEST(links_lead_somewhere)
{
    conform_report r = bench_measurement();
    char *text = written(conform_report_html, &r);
    int n = 0;
    for (const char *p = text; (p = strstr(p, "href=\"#")) != NULL; n++) {
        char id[96];
        p += 7;
        snprintf(id, sizeof id, "id=\"%.*s\"", (int)strcspn(p, "\""), p);
        assert_that(strstr(text, id), "nothing has %s", id);
    }
    assert_true(n > 10);
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
