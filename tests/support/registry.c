#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static test_entry *first, **end = &first;

void test_add(test_entry *entry)
{
    *end = entry;
    end = &entry->next;
}

static bool is_of(const test_entry *entry, const char *name)
{
    const char *const slash = strrchr(entry->file, '/'), *const base =
                                                             slash ? slash + 1 : entry->file;
    const size_t n = name ? strlen(name) : 0;
    return !name || (strncmp(base, name, n) == 0 && strcmp(base + n, "_test.c") == 0);
}

int test_run(const char *name)
{
    size_t n = 0, room = 0;
    for (const test_entry *e = first; e; e = e->next)
        room++;
    struct CMUnitTest *const tests = calloc(room + 1, sizeof *tests);
    if (!tests)
        abort();
    for (const test_entry *e = first; e; e = e->next)
        if (is_of(e, name))
            tests[n++] = e->test;
    const int failed = _cmocka_run_group_tests(name ? name : "tests", tests, n, NULL, NULL);
    free(tests);
    return failed;
}
