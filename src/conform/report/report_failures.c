/* Prints failures as text: one of each cause, and how many cases it stands for. */
#include "report_failures.h"

#include <stdbool.h>
#include <string.h>

#include "report_numbers.h"
#include "report_repeat.h"

/* How many causes are shown in full for each op, backend and judgement. */
enum { SHOWN = 3 };

static void print_numbers(const conform_verdict *v, FILE *out)
{
    static const numbers_form in_lines = {"\n            ", "\n            ", 4};
    if (!conform_has_numbers(v))
        return;
    fputs("  worst:    ", out);
    conform_put_numbers(v, &in_lines, out);
    fputc('\n', out);
}

/* Prints each part of the sentence, which "; " separates, on a line of its own. */
static void print_when(const char *when, FILE *out)
{
    const char *label = "when:";
    while (*when) {
        const char *const end = strstr(when, "; ");
        const size_t n = end ? (size_t)(end - when) : strlen(when);
        fprintf(out, "  %-9s %.*s\n", label, (int)n, when);
        when += end ? n + 2 : n;
        label = "";
    }
}

static int64_t stands_for(const conform_failure *f)
{
    return f->cases > 0 ? f->cases : 1;
}

static void print_body(const conform_report *r, const conform_failure *f, FILE *out)
{
    fprintf(out, "  what:     %s: %s\n", f->check, f->verdict.detail);
    print_numbers(&f->verdict, out);
    if (f->nature[0])
        fprintf(out, "  how often: %s\n", f->nature);
    print_when(f->when, out);
    fprintf(out, "  found:    %s\n", f->id);
    if (strcmp(conform_repeated_id(f), f->id) != 0)
        fprintf(out, "  smallest: %s\n", conform_repeated_id(f));
    fputs("  again:    ", out);
    conform_put_repeat(r, f, out);
    fputc('\n', out);
}

static void print_head(const conform_report *r, const conform_failure *f, int64_t cases, FILE *out)
{
    const conform_case c = f->c;
    fprintf(out, "%s %s on %s: %s", ifn_op_name(f->op), ifn_dtype_name(c.dtype),
            r->label[f->tested], f->check);
    if (cases > 1)
        fprintf(out, ", %lld cases", (long long)cases);
    fputc('\n', out);
}

static void print_alone(const conform_report *r, const conform_failure *f, FILE *out)
{
    print_head(r, f, 1, out);
    print_body(r, f, out);
}

static bool is_same_judgement(const conform_failure *a, const conform_failure *b)
{
    return a->op == b->op && a->tested == b->tested && strcmp(a->check, b->check) == 0;
}

/* Failures with the same op, backend, judgement and dtype most likely come from one mistake. */
static bool is_same_cause(const conform_failure *a, const conform_failure *b)
{
    return is_same_judgement(a, b) && a->c.dtype == b->c.dtype;
}

typedef bool is_alike(const conform_failure *a, const conform_failure *b);

static bool is_first(const conform_report *r, int64_t i, is_alike *alike)
{
    for (int64_t j = 0; j < i; j++)
        if (alike(&r->failures[j], &r->failures[i]))
            return false;
    return true;
}

int conform_report_is_first(const conform_report *r, int64_t i)
{
    return is_first(r, i, is_same_judgement);
}

/* Returns the first failure of the cause of failure i that was shrunk, else failure i; *cases: how many cases fail by
 * this cause. */
static const conform_failure *gather(const conform_report *r, int64_t i, int64_t *cases)
{
    const conform_failure *best = &r->failures[i];
    *cases = 0;
    for (int64_t j = i; j < r->n_failures; j++) {
        const conform_failure *const f = &r->failures[j];
        if (!is_same_cause(&r->failures[i], f))
            continue;
        *cases += stands_for(f);
        if (!best->shrunk[0] && f->shrunk[0])
            best = f;
    }
    return best;
}

/* Finds the pattern in the detail of a failure by value, such as "one row" in "out[0,3]: one row: 4 of ...". Returns
 * its length; 0: there is none. */
static size_t word_of(const conform_failure *f, const char **out)
{
    const char *text = strchr(f->verdict.detail, ':');
    if (!conform_is_by_value(&f->verdict) || !text || text[1] != ' ')
        return 0;
    *out = text += 2;
    return strcspn(text, ":");
}

/* Prints the other patterns of wrong elements that failures of the same cause have. */
static void print_others(const conform_report *r, const conform_failure *shown, FILE *out)
{
    const char *words[REPORT_KEPT + 1], *word = "";
    size_t lengths[REPORT_KEPT + 1];
    int n = 0;
    lengths[0] = word_of(shown, &words[0]);
    if (lengths[0] == 0)
        return;
    for (int64_t i = 0; i < r->n_failures && n < REPORT_KEPT; i++) {
        bool is_new = is_same_cause(&r->failures[i], shown);
        const size_t length = is_new ? word_of(&r->failures[i], &word) : 0;
        for (int k = 0; k <= n; k++)
            is_new &= length != lengths[k] || strncmp(word, words[k], length) != 0;
        if (!length || !is_new)
            continue;
        n++;
        words[n] = word;
        lengths[n] = length;
        fprintf(out, n == 1 ? "  others:   %.*s" : ", %.*s", (int)length, word);
    }
    if (n)
        fputc('\n', out);
}

static void print_cause(const conform_report *r, int64_t i, FILE *out)
{
    int64_t cases;
    const conform_failure *const f = gather(r, i, &cases);
    fputc('\n', out);
    print_head(r, f, cases, out);
    print_others(r, f, out);
    print_body(r, f, out);
}

/* Prints the causes after the first SHOWN as a list of dtypes with their numbers of cases: "Q4_0 31, Q5_1 12". */
static void print_rest(const conform_report *r, int64_t first, FILE *out)
{
    const conform_failure *const f = &r->failures[first];
    int n = 0;
    for (int64_t i = first; i < r->n_failures; i++) {
        int64_t cases;
        if (!is_same_judgement(f, &r->failures[i]) || !is_first(r, i, is_same_cause) || n++ < SHOWN)
            continue;
        (void)gather(r, i, &cases);
        if (n == SHOWN + 1)
            fprintf(out, "\n%s on %s: %s as well, one each by --all:\n ", ifn_op_name(f->op),
                    r->label[f->tested], f->check);
        fprintf(out, " %s %lld", ifn_dtype_name(r->failures[i].c.dtype), (long long)cases);
    }
    if (n > SHOWN)
        fputc('\n', out);
}

static void print_causes(const conform_report *r, int64_t first, FILE *out)
{
    int n = 0;
    for (int64_t i = first; i < r->n_failures && n < SHOWN; i++)
        if (is_same_judgement(&r->failures[first], &r->failures[i]) &&
            is_first(r, i, is_same_cause)) {
            print_cause(r, i, out);
            n++;
        }
    print_rest(r, first, out);
}

void conform_report_failures(const conform_report *r, FILE *out)
{
    for (int64_t i = 0; i < r->n_failures; i++) {
        if (r->shows_all) {
            fputc('\n', out);
            print_alone(r, &r->failures[i], out);
        } else if (is_first(r, i, is_same_judgement)) {
            print_causes(r, i, out);
        }
    }
}
