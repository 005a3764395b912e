#include <string.h>

#include "bench.h"
#include "written.h"

static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
static const reach_key f32 = {IFN_DTYPE_F32, 0, IFN_DTYPE_F32};
static const reach_key f16 = {IFN_DTYPE_F16, 0, IFN_DTYPE_F32};

static conform_report report(void)
{
    conform_report r;
    conform_report_open(&r, 2);
    memcpy(r.label[0], "a<b", 4);
    memcpy(r.label[1], "other", 6);
    return r;
}

static int64_t *at(reach_table *table, reach_key key, int class)
{
    return &reach_row_of(table, key)->at[class];
}

static void expect(const conform_report *r, const char *const *parts, size_t n)
{
    char *const text = written(conform_report_reach_html, r);
    for (size_t i = 0; i < n; i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    free(text);
}

/* Every field has its number or words, and there is no column for what no op has. */
TEST(a_map_has_a_field_for_each_class)
{
    static const char *const parts[] = {
        "<h2>Certificate: a&lt;b</h2>",
        "It has holes.",
        "<tr><th class=\"l\">op</th><th class=\"l\">dimension</th><th>1</th><th>from 8</th></tr>",
        "<tr><td class=\"l\">gather_rows</td><td class=\"l\">n</td><td class=\"m m3\">70</td>"
        "<td class=\"m hole\">5: 1 missing</td></tr>",
        "<tr><td class=\"l\"></td><td class=\"l\">table_rows</td><td class=\"m dim\">-</td>"
        "<td class=\"m left\">0, left out</td></tr>",
        "<li>gather_rows: 5 cases with n in [8, 16), expected 8</li>",
        "<li class=\"dim\">left out: gather_rows F16: no case with table_rows in [8, 16)</li>",
    };
    conform_report r = report();
    conform_reach *const reach = &conform_report_cell(&r, IFN_OP_GATHER_ROWS, 0)->reach;
    *at(&reach->reached, f32, reach_class(REACH_OCTAVES, 0, 1)) = 70;
    *at(&reach->reached, f32, reach_class(REACH_OCTAVES, 0, 4)) = 5;
    *at(&reach->needed, any, reach_class(REACH_OCTAVES, 0, 4)) = 8;
    *at(&reach->refused, f16, reach_class(REACH_OCTAVES, 1, 4)) = 1;
    *at(&reach->needed, (reach_key){IFN_DTYPE_F16, REACH_ANY_FORM, REACH_ANY_DTYPE},
        reach_class(REACH_OCTAVES, 1, 4)) = 1;
    expect(&r, parts, N_OF(parts));
    conform_report_close(&r);
}

TEST(a_whole_certificate_says_so)
{
    static const char *const parts[] = {
        "<b class=\"good\">It is whole.</b>",
        "<tr><th class=\"l\">op</th><th>T1/tiny</th></tr>\n<tr><td class=\"l\">add</td>"
        "<td class=\"m m1\">1</td></tr>",
        "<tr><th class=\"l\">op</th><th>R4</th></tr>\n<tr><td class=\"l\">add</td>"
        "<td class=\"m m2\">9</td></tr>",
        "<li>nothing</li>",
    };
    conform_report r = report();
    conform_reach *const reach = &conform_report_cell(&r, IFN_OP_ADD, 0)->reach;
    const int regime = reach_class(REACH_REGIMES, TIER_T1 * FAMILY_COUNT + FAMILY_TINY, 0);
    *at(&reach->needed, any, regime) = *at(&reach->reached, f32, regime) = 1;
    *at(&reach->reached, f32, reach_class(REACH_RELATIONS, 4, 0)) = 9;
    expect(&r, parts, N_OF(parts));
    conform_report_close(&r);
}

TEST(what_promises_nothing_has_no_map)
{
    conform_report r = report();
    *at(&conform_report_cell(&r, IFN_OP_ADD, 0)->reach.reached, f32, 0) = 3;
    char *const text = written(conform_report_reach_html, &r);
    assert_string_equal(text, "");
    free(text);
    conform_report_close(&r);
}
