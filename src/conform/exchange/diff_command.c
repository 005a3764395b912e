#include <stdlib.h>
#include <unistd.h>

#include "complain.h"
#include "diff.h"
#include "messages.h"
#include "output_file.h"
#include "outputs.h"
#include "report_wrap.h"

static void put_html(const void *what, FILE *out)
{
    diff_html(what, out);
}

static void put_text(const void *what, FILE *out)
{
    diff_text(what, out);
}

/* Prints the text with one line per item, so that grep finds it; on a terminal breaks lines at column 80. */
static ifn_status print(const report_diff *d, ifn_error *err)
{
    char *text;
    size_t bytes;
    IFN_TRY(conform_collect(put_text, d, &text, &bytes, err));
    if (isatty(STDOUT_FILENO))
        conform_put_wrapped(text, stdout);
    else
        fwrite(text, 1, bytes, stdout);
    free(text);
    return IFN_OK;
}

typedef struct comparison {
    const conform_options *options;
    bool is_writing, is_worse;
} comparison;

static ifn_status show(comparison *c, const conform_report *a, const conform_report *b,
                       ifn_error *err)
{
    const char *const html = c->options->html;
    report_diff d;
    ifn_status status = IFN_OK;
    diff_open(&d, a, b);
    d.path_a = c->options->words[0];
    d.path_b = c->options->words[1];
    c->is_writing = true;
    if (html)
        status = conform_write_document(html, put_html, &d, err);
    if (status == IFN_OK && !conform_output_is_stream(html))
        status = print(&d, err);
    c->is_worse = diff_is_worse(&d);
    diff_close(&d);
    return status;
}

static ifn_status compare(comparison *c, ifn_error *err)
{
    char **const files = c->options->words;
    conform_report a, b;
    IFN_TRY(conform_outputs_check(c->options, err));
    IFN_TRY(conform_report_read(files[0], &a, err));
    ifn_status status = conform_report_read(files[1], &b, err);
    if (status == IFN_OK) {
        status = show(c, &a, &b, err);
        conform_report_close(&b);
    }
    conform_report_close(&a);
    return status;
}

int conform_diff_main(const conform_options *options)
{
    comparison c = {.options = options};
    ifn_error err = {0};
    if (compare(&c, &err) != IFN_OK)
        return conform_complain("conform diff", &err, c.is_writing);
    return c.is_worse ? EXIT_NO : EXIT_DONE;
}
