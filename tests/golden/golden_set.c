#include "golden_set.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

static int is_yaml(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".yaml") == 0;
}

golden_set golden_set_read(const char *folder)
{
    struct dirent **names;
    char dir[1024];
    snprintf(dir, sizeof dir, "%s", source_path(folder));
    const int n_found = scandir(dir, &names, is_yaml, alphasort);
    assert_that(n_found > 0, "%s: no golden files", dir);
    const size_t n = n_found > 0 ? (size_t)n_found : 0;
    golden_set set = {.specs = calloc(n, sizeof *set.specs), .n = n};
    assert_non_null(set.specs);
    for (size_t i = 0; i < set.n; i++) {
        char path[2048];
        ifn_error err = {0};
        snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
        free(names[i]);
        assert_ok(golden_spec_read(path, &set.specs[i], &err), err);
    }
    free(names);
    return set;
}

void golden_set_free(golden_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        golden_spec_free(&set->specs[i]);
    free(set->specs);
    *set = (golden_set){0};
}

int golden_set_tries(const golden_set *set, size_t i)
{
    const size_t rows = set->specs[i].prompt_ids.n + set->specs[i].expect_ids.n;
    return i % GOLDEN_STRIDE == 0 && (GOLDEN_ROWS == 0 || rows <= GOLDEN_ROWS);
}
