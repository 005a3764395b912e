/* Draws the certificate as maps: how often each op was tried, by regime, octave and relation. Every field has a number
 * or a word; colours only repeat them. */
#include <string.h>

#include "escape.h"
#include "run_report.h"

/* The certificate of one op, summed over dtypes, forms of weights and dtypes of the output. */
typedef struct map {
    int64_t reached[REACH_CLASSES], needed[REACH_CLASSES];
    int32_t holes[REACH_CLASSES], left_out[REACH_CLASSES]; /* promises that are not kept */
} map;

static void note_hole(void *cookie, const reach_hole *hole)
{
    map *const m = cookie;
    *(hole->is_left_out ? &m->left_out[hole->class] : &m->holes[hole->class]) += 1;
}

static void draw(const conform_reach *reach, map *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < reach->reached.n; i++)
        for (int class = 0; class < REACH_CLASSES; class ++)
            m->reached[class] += reach->reached.rows[i].at[class];
    for (int i = 0; i < reach->needed.n; i++)
        for (int class = 0; class < REACH_CLASSES; class ++)
            m->needed[class] += reach->needed.rows[i].at[class];
    conform_reach_missing(reach, note_hole, m);
}

static void put_field(const map *m, int class, FILE *out)
{
    const long long n = (long long)m->reached[class];
    if (m->holes[class])
        fprintf(out, "<td class=\"m hole\">%lld: %d missing</td>", n, m->holes[class]);
    else if (m->left_out[class])
        fprintf(out, "<td class=\"m left\">%lld, left out</td>", n);
    else if (n || m->needed[class])
        fprintf(out, "<td class=\"m m%d\">%lld</td>", n < 8 ? 1 : n < 64 ? 2 : n < 512 ? 3 : 4, n);
    else
        fputs("<td class=\"m dim\">-</td>", out);
}

static void put_text(const char *open, const char *text, const char *close, FILE *out)
{
    fputs(open, out);
    escape_markup(text, out);
    fputs(close, out);
}

typedef struct pages {
    const conform_report *report;
    int tested;
    FILE *out;
    map maps[IFN_OP_COUNT];
} pages;

static bool has_promises(const pages *p, int op)
{
    return conform_report_cell(p->report, (ifn_op)op, p->tested)->reach.needed.n > 0;
}

static bool has_class(const pages *p, int class)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (p->maps[op].reached[class] || p->maps[op].needed[class])
            return true;
    return false;
}

/* Writes a map for a kind whose lists have a single class each, of the same name for every op: regimes, relations. */
static void put_by_op(const pages *p, reach_kind kind)
{
    char room[64];
    fputs("<div class=\"wide\"><table>\n<tr><th class=\"l\">op</th>", p->out);
    for (int list = 0; list < reach_lists_of(kind); list++)
        if (has_class(p, reach_class(kind, list, 0)))
            put_text("<th>", reach_list_name(IFN_OP_MATMUL, kind, list, room, sizeof room), "</th>",
                     p->out);
    fputs("</tr>\n", p->out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        if (!has_promises(p, op))
            continue;
        put_text("<tr><td class=\"l\">", ifn_op_name((ifn_op)op), "</td>", p->out);
        for (int list = 0; list < reach_lists_of(kind); list++)
            if (has_class(p, reach_class(kind, list, 0)))
                put_field(&p->maps[op], reach_class(kind, list, 0), p->out);
        fputs("</tr>\n", p->out);
    }
    fputs("</table></div>\n", p->out);
}

static bool has_octave(const pages *p, int octave)
{
    for (int dim = 0; dim < reach_lists_of(REACH_OCTAVES); dim++)
        if (has_class(p, reach_class(REACH_OCTAVES, dim, octave)))
            return true;
    return false;
}

static void put_octave_head(const pages *p)
{
    fputs("<tr><th class=\"l\">op</th><th class=\"l\">dimension</th>", p->out);
    for (int octave = 0; octave < REACH_N_OCTAVES; octave++)
        if (has_octave(p, octave))
            fprintf(p->out, octave < 2 ? "<th>%lld</th>" : "<th>from %lld</th>",
                    octave ? 1LL << (octave - 1) : 0LL);
    fputs("</tr>\n", p->out);
}

static void put_octaves_of(const pages *p, int op)
{
    char room[64];
    for (int dim = 0; dim < reach_lists_of(REACH_OCTAVES); dim++) {
        const char *const name = reach_list_name((ifn_op)op, REACH_OCTAVES, dim, room, sizeof room);
        if (!name)
            return;
        put_text("<tr><td class=\"l\">", dim ? "" : ifn_op_name((ifn_op)op), "</td>", p->out);
        put_text("<td class=\"l\">", name, "</td>", p->out);
        for (int octave = 0; octave < REACH_N_OCTAVES; octave++)
            if (has_octave(p, octave))
                put_field(&p->maps[op], reach_class(REACH_OCTAVES, dim, octave), p->out);
        fputs("</tr>\n", p->out);
    }
}

static void put_octaves(const pages *p)
{
    fputs("<div class=\"wide\"><table>\n", p->out);
    put_octave_head(p);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (has_promises(p, op))
            put_octaves_of(p, op);
    fputs("</table></div>\n", p->out);
}

typedef struct lister {
    FILE *out;
    ifn_op op;
    int64_t n;
} lister;

static void put_hole(void *cookie, const reach_hole *hole)
{
    lister *const l = cookie;
    char text[200];
    l->n++;
    conform_reach_say(l->op, hole, text, sizeof text);
    put_text(hole->is_left_out ? "<li class=\"dim\">left out: " : "<li>", text, "</li>\n", l->out);
}

/* Lists all holes, and what was left out, in words. */
static void put_missing(const pages *p)
{
    lister l = {.out = p->out};
    fputs("<details><summary>What is missing, in words</summary>\n<ul>\n", p->out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        l.op = (ifn_op)op;
        conform_reach_missing(&conform_report_cell(p->report, l.op, p->tested)->reach, put_hole,
                              &l);
    }
    fputs(l.n ? "" : "<li>nothing</li>\n", p->out);
    fputs("</ul></details>\n", p->out);
}

static void put_certificate(pages *p)
{
    int64_t n_holes = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_reach *const reach =
            &conform_report_cell(p->report, (ifn_op)op, p->tested)->reach;
        draw(reach, &p->maps[op]);
        n_holes += conform_reach_count_holes(reach);
    }
    put_text("<h2>Certificate: ", p->report->label[p->tested], "</h2>\n", p->out);
    fprintf(
        p->out,
        "<p class=\"sub\">Cases that were judged. <b class=\"%s\">%s</b> The darker, the more; "
        "\"2: 1 missing\" means 2 cases, and that one promise of the profile is not kept; \"left "
        "out\", that the backend declares not to support it; a dash, that there is no such "
        "case.</p>\n",
        n_holes ? "bad" : "good", n_holes ? "It has holes." : "It is whole.");
    fputs("<h3>By regime of inputs</h3>\n", p->out);
    put_by_op(p, REACH_REGIMES);
    fputs("<h3>By octave of each dimension</h3>\n", p->out);
    put_octaves(p);
    fputs("<h3>By relation</h3>\n", p->out);
    put_by_op(p, REACH_RELATIONS);
    put_missing(p);
}

void conform_report_reach_html(const conform_report *r, FILE *out)
{
    static pages p;
    for (int s = 0; s < r->n_tested; s++) {
        int n = 0;
        p = (pages){.report = r, .tested = s, .out = out};
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += has_promises(&p, op);
        if (n)
            put_certificate(&p);
    }
}
