/*
 * mutate FILE --list              every mutant: number, kind, line, function, before, after
 * mutate FILE --apply N           the text of mutant N
 * mutate --sample COUNT --seed S FILE...   COUNT of them, spread over files and kinds: file, number
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"
#include "sample.h"

static int fail(const char *what, const char *found, const char *expected)
{
    fprintf(stderr, "mutate: %s: found '%s', expected %s\n", what, found, expected);
    return 2;
}

static char *read_text(const char *path)
{
    FILE *const in = fopen(path, "rb");
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    char some[4096];
    for (size_t n = 1; in && out && n > 0;) {
        n = fread(some, 1, sizeof some, in);
        fwrite(some, 1, n, out);
    }
    const int is_bad = !in || !out || ferror(in);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    if (!is_bad)
        return text;
    free(text);
    return NULL;
}

static int read_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static void list(const mutant_list *all)
{
    for (size_t i = 0; i < all->n; i++) {
        printf("%zu\t%s\t%d\t", i, mutant_kind_name(all->m[i].kind), all->m[i].line);
        mutant_put_name(all, i, stdout);
        putchar('\t');
        mutant_put_before(all, i, stdout);
        putchar('\t');
        mutant_put_after(all, i, stdout);
        putchar('\n');
    }
}

/* Writes mutant `number`; NULL: lists all of them. */
static int show(const char *path, const char *number)
{
    uint64_t i = 0;
    char *const text = read_text(path);
    if (!text)
        return fail("file", path, "one that can be read");
    mutant_list all = mutants_read(text);
    int status = 0;
    if (!number)
        list(&all);
    else if (!read_number(number, &i) || i >= all.n)
        status = fail("--apply", number, "the number of a mutant");
    else
        mutant_put(&all, i, stdout);
    mutants_free(&all);
    free(text);
    return status;
}

static int draw(const char *count, const char *seed, int n, char **paths)
{
    uint64_t n_wanted, start;
    int status = 0;
    if (!read_number(count, &n_wanted))
        return fail("--sample", count, "a number");
    if (!read_number(seed, &start))
        return fail("--seed", seed, "a number");
    sample all = {.seed = start};
    for (int i = 0; i < n && status == 0; i++) {
        char *const text = read_text(paths[i]);
        if (!text) {
            status = fail("file", paths[i], "one that can be read");
            break;
        }
        mutant_list mutants = mutants_read(text);
        sample_add(&all, paths[i], &mutants);
        mutants_free(&mutants);
        free(text);
    }
    sample_order(&all);
    for (size_t i = 0; status == 0 && i < all.n && i < n_wanted; i++)
        printf("%s\t%zu\n", all.entries[i].path, all.entries[i].number);
    sample_free(&all);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[2], "--list") == 0)
        return show(argv[1], NULL);
    if (argc == 4 && strcmp(argv[2], "--apply") == 0)
        return show(argv[1], argv[3]);
    if (argc > 5 && strcmp(argv[1], "--sample") == 0 && strcmp(argv[3], "--seed") == 0)
        return draw(argv[2], argv[4], argc - 5, argv + 5);
    fprintf(stderr, "usage: mutate FILE --list\n"
                    "       mutate FILE --apply N\n"
                    "       mutate --sample COUNT --seed S FILE...\n");
    return 2;
}
