/*
 * Malformed files from outside: published vulnerabilities, and what fuzzers of other parsers found.
 *
 * Two indices give the expected answers. malformed/index.tsv has the verdict on the container of every file;
 * malformed/handmade/index.tsv says "either" where both answers are right.
 */
#include <inferno/gguf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"
#include "walk.h"

enum { N_COLUMNS = 7 };

/* Cuts a line of tab-separated text into fields, in place; missing fields are "". */
static void cut_fields(char *line, char *fields[N_COLUMNS])
{
    for (int i = 0; i < N_COLUMNS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
}

typedef void visitor(char *fields[N_COLUMNS], void *cookie);

/* Calls visit for each line after the heading; returns their number. */
static size_t each_line(const char *relative, visitor *visit, void *cookie)
{
    char *text = read_file(external_path(relative), NULL);
    assert_non_null(text);
    size_t n = 0;
    char *line = strchr(text, '\n');
    while (line && line[1]) {
        char *fields[N_COLUMNS], *end = strchr(line + 1, '\n');
        if (end)
            *end = '\0';
        cut_fields(line + 1, fields);
        visit(fields, cookie);
        n++;
        line = end;
    }
    free(text);
    return n;
}

typedef struct handmade {
    const char *name; /* the name to look for */
    int is_either;
} handmade;

static void note_either(char *fields[N_COLUMNS], void *cookie)
{
    handmade *h = cookie;
    if (strcmp(fields[0], h->name) == 0)
        h->is_either = strcmp(fields[3], "either") == 0;
}

static int is_either(const char *file)
{
    const char *slash = strchr(file, '/');
    handmade h = {slash ? slash + 1 : "", 0};
    if (strncmp(file, "handmade/", 9) == 0)
        each_line("malformed/handmade/index.tsv", note_either, &h);
    return h.is_either;
}

/* Opens a file, reads everything in it and closes it. Returns whether a strict reader would accept the file. */
static int is_accepted(const char *path, const fail_alloc *memory, ifn_error *err)
{
    ifn_gguf *gguf;
    uint64_t sum;
    if (ifn_gguf_open(path, &memory->allocator, &gguf, err) != IFN_OK) {
        assert_null(gguf);
        return 0;
    }
    assert_true(walk_everything(gguf, &sum));
    const ifn_gguf_kv *nested = ifn_gguf_first_nested_array(gguf);
    if (nested)
        snprintf(err->text, sizeof err->text, "%s: %.*s: array of arrays", path,
                 (int)nested->key.bytes, nested->key.data);
    ifn_gguf_close(gguf);
    return nested == NULL;
}

typedef struct tally {
    int n_wrong, n_accepted, n_rejected;
} tally;

static void judge(char *fields[N_COLUMNS], void *cookie)
{
    tally *t = cookie;
    char relative[256];
    snprintf(relative, sizeof relative, "malformed/%s", fields[0]);
    const char *path = external_path(relative);
    const size_t file_bytes = strtoul(fields[1], NULL, 10);
    fail_alloc memory;
    ifn_error err = {.text = ""};
    fail_alloc_init(&memory, -1);
    const int accepted = is_accepted(path, &memory, &err);
    const int expected = strcmp(fields[3], "accept") == 0;
    if (accepted != expected && !is_either(fields[0])) {
        print_error("%s: expected %s (%s), got %s %s\n", fields[0], fields[3], fields[4],
                    accepted ? "accept" : "reject", err.text);
        t->n_wrong++;
    }
    if (!accepted)
        assert_that(strstr(err.text, path), "'%s' does not name %s", err.text, path);
    assert_int_equal(memory.live_blocks, 0);
    assert_that(memory.peak_bytes <= 4096 + 12 * file_bytes, "%s: %zu bytes of memory for %zu",
                fields[0], memory.peak_bytes, file_bytes);
    t->n_accepted += accepted;
    t->n_rejected += !accepted;
}

static void every_malformed_file_gets_its_verdict(void **state)
{
    (void)state;
    tally t = {0, 0, 0};
    const size_t n = each_line("malformed/index.tsv", judge, &t);
    print_message("%zu files: %d accepted, %d rejected\n", n, t.n_accepted, t.n_rejected);
    assert_true(n > 200 && t.n_accepted > 0 && t.n_rejected > 0);
    assert_int_equal(t.n_wrong, 0);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(every_malformed_file_gets_its_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
