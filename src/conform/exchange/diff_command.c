#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "diff.h"
#include "messages.h"
#include "output_file.h"
#include "report_wrap.h"

static void put_html(const void *what, FILE *out)
{
    diff_html(what, out);
}

static void put_text(const void *what, FILE *out)
{
    diff_text(what, out);
}

/* A line for each thing, to be searched; broken at column 80 for people at a terminal. */
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

typedef struct diff_words {
    const char *a, *b, *html;
    int is_writing, is_worse;
} diff_words;

static ifn_status show(diff_words *w, const conform_report *a, const conform_report *b,
                       ifn_error *err)
{
    report_diff d;
    ifn_status status = IFN_OK;
    diff_open(&d, a, b);
    d.path_a = w->a;
    d.path_b = w->b;
    w->is_writing = 1;
    if (w->html)
        status = conform_write_document(w->html, put_html, &d, err);
    if (status == IFN_OK && (!w->html || strcmp(w->html, "-") != 0))
        status = print(&d, err);
    w->is_worse = diff_is_worse(&d);
    diff_close(&d);
    return status;
}

static ifn_status take_words(diff_words *w, int argc, char **argv, ifn_error *err)
{
    int n = argc;
    if (argc >= 3 && strcmp(argv[argc - 2], "--html") == 0) {
        w->html = argv[argc - 1];
        n -= 2;
    }
    if (n != 3 || argv[1][0] == '-' || argv[2][0] == '-')
        return ifn_fail(err, IFN_ERR_ARGUMENT, "found %d words, expected A.json B.json [--html F]",
                        argc - 1);
    w->a = argv[1];
    w->b = argv[2];
    return conform_check_output(w->html, err);
}

static ifn_status compare(diff_words *w, int argc, char **argv, ifn_error *err)
{
    conform_report a, b;
    IFN_TRY(take_words(w, argc, argv, err));
    IFN_TRY(conform_report_read(w->a, &a, err));
    ifn_status status = conform_report_read(w->b, &b, err);
    if (status == IFN_OK) {
        status = show(w, &a, &b, err);
        conform_report_close(&b);
    }
    conform_report_close(&a);
    return status;
}

int conform_diff_main(int argc, char **argv)
{
    diff_words w = {.a = NULL};
    ifn_error err = {0};
    if (compare(&w, argc, argv, &err) != IFN_OK)
        return conform_complain("conform diff", &err, w.is_writing);
    return w.is_worse ? EXIT_NO : EXIT_DONE;
}
