#include "chart.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void add(chart *c, const char *series, chart_kind kind, double x, double y)
{
    ifn_error err = {0};
    chart_point p = {.x = x, .y = y};
    snprintf(p.label, sizeof p.label, "%s <%g>", series, x);
    assert_ok(chart_add(c, series, kind, &p, &err), err);
}

static char *drawn(void (*draw)(const chart *charts, int n, FILE *out), const chart *c, int n)
{
    char *text = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&text, &bytes);
    assert_non_null(out);
    draw(c, n, out);
    fclose(out);
    return text;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        n++;
    return n;
}

TEST(points_have_places_on_axes_with_ticks)
{
    chart c = {.title = "t", .x_title = "x", .y_title = "y", .is_log_x = true};
    add(&c, "a", CHART_POINTS, 1, 10);
    add(&c, "a", CHART_POINTS, 1000, 40);
    add(&c, "a", CHART_POINTS, 0, 40); /* 0 has no place on a logarithmic axis */
    assert_int_equal(c.series[0].n, 2);
    const chart_axis x = chart_axis_of(&c, true), y = chart_axis_of(&c, false);
    assert_true(chart_place(&x, 1) > 0 && chart_place(&x, 1000) < 1);
    const double middle = (chart_place(&x, 1) + chart_place(&x, 1000)) / 2;
    assert_true(chart_place(&x, 31.6) > middle - 0.01 && chart_place(&x, 31.7) < middle + 0.01);
    assert_true(y.from == 0 && y.to > 40); /* what is twice as high is twice as fast */
    assert_true(x.n_ticks >= 4 && y.n_ticks >= 4);
    for (int i = 0; i < y.n_ticks; i++)
        assert_true(chart_place(&y, y.ticks[i]) >= 0 && chart_place(&y, y.ticks[i]) <= 1);
    chart_free(&c);
}

TEST(a_line_goes_from_left_to_right_whatever_came_first)
{
    chart c = {.title = "t", .x_title = "x", .y_title = "y"};
    add(&c, "a", CHART_LINE, 3, 1);
    add(&c, "a", CHART_LINE, 1, 2);
    add(&c, "a", CHART_LINE, 2, 3);
    for (int i = 0; i < 3; i++)
        assert_true(c.series[0].points[i].x == i + 1);
    chart_free(&c);
}

TEST(nothing_and_one_point_are_drawn_too)
{
    chart c = {.title = "t", .x_title = "x", .y_title = "y"};
    for (int i = 0; i < 2; i++) {
        char *const svg = drawn(chart_svg, &c, 1), *const text = drawn(chart_text, &c, 1);
        assert_non_null(strstr(svg, "</svg>"));
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(text, "nan"));
        free(svg);
        free(text);
        add(&c, "a", CHART_LINE, 0, 0);
    }
    chart_free(&c);
}

TEST(an_svg_says_in_words_what_it_shows)
{
    chart c = {.title = "a & b", .x_title = "x", .y_title = "y", .is_log_y = true, .note = "n <1>"};
    add(&c, "one <op>", CHART_POINTS, 1, 10);
    add(&c, "two", CHART_POINTS, 2, 20);
    add(&c, "roof", CHART_BOUND, 1, 30);
    add(&c, "roof", CHART_BOUND, 2, 40);
    char *const svg = drawn(chart_svg, &c, 1);
    static const char *const parts[] = {"role=\"img\" aria-labelledby=\"t d\"",
                                        "<title id=\"t\">a &amp; b</title>",
                                        "one &lt;op&gt;: 10 at 1. two: 20 at 2. </desc>",
                                        "<title>one &lt;op&gt; &lt;1&gt;</title>",
                                        "class=\"bound\"",
                                        "n &lt;1&gt;</text>",
                                        "prefers-color-scheme:dark"};
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(svg, parts[i]), "%s is missing in\n%s", parts[i], svg);
    char *const again = drawn(chart_svg, &c, 1);
    assert_string_equal(svg, again);
    free(again);
    free(svg);
    chart_free(&c);
}

TEST(charts_stand_one_below_the_other)
{
    chart c[2] = {{.title = "first", .x_title = "x", .y_title = "y"},
                  {.title = "second", .x_title = "x", .y_title = "y"}};
    add(&c[0], "a", CHART_LINE, 1, 1);
    add(&c[1], "a", CHART_LINE, 1, 1);
    char *const svg = drawn(chart_svg, c, 2);
    assert_int_equal(count(svg, "<svg"), 1);
    assert_non_null(strstr(svg, "first; second"));
    free(svg);
    chart_free(&c[0]);
    chart_free(&c[1]);
}

TEST(a_terminal_has_letters_on_eighty_columns)
{
    chart c = {.title = "t", .x_title = "depth", .y_title = "tokens/s"};
    add(&c, "first", CHART_LINE, 0, 100);
    add(&c, "first", CHART_LINE, 100, 50);
    add(&c, "second", CHART_POINTS, 50, 10);
    add(&c, "roof", CHART_BOUND, 0, 120);
    add(&c, "roof", CHART_BOUND, 100, 120);
    char *const text = drawn(chart_text, &c, 1);
    assert_non_null(strstr(text, "\n  a first\n  b second\n  . roof\n"));
    for (const char *line = text; line && *line;) {
        const size_t n = strcspn(line, "\n");
        assert_that(n <= 80, "%.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
    /* "a" stands twice in the plot and once in the legend */
    assert_true(count(text, "a") >= 3);
    free(text);
    chart_free(&c);
}
