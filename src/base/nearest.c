/*
 * The distance is that of optimal string alignment: the least number of letters to insert, drop,
 * change, or swap with their neighbour. Three rows of its table are enough.
 */
#include <inferno/nearest.h>
#include <stdbool.h>

#include <stdio.h>
#include <string.h>

enum { MAX_LETTERS = 63 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Fills the row of letter a[i - 1]; `last` is the row before it, `before` the one before that. */
static void fill_row(const char *a, const char *b, size_t n, size_t i, const size_t *before,
                     const size_t *last, size_t *row)
{
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
        const size_t change = lower(a[i - 1]) != lower(b[j - 1]);
        row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + change);
        if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
            lower(a[i - 2]) == lower(b[j - 1]))
            row[j] = least(row[j], before[j - 2] + 1);
    }
}

static size_t distance(const char *a, size_t m, const char *b, size_t n)
{
    size_t rows[3][MAX_LETTERS + 1];
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++)
        fill_row(a, b, n, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[m % 3][n];
}

/* True if `name` begins with the first n letters of `word`, at least two of them after the dashes of an option. */
static bool begins_with(const char *name, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lower(name[i]) != lower(word[i]))
            return 0;
    return n > strspn(word, "-") + 1;
}

void ifn_nearest_offer(ifn_nearest *self, const char *name)
{
    const size_t m = strlen(self->word), n = strlen(name);
    if (m == 0 || m > MAX_LETTERS || n > MAX_LETTERS)
        return;
    const bool is_start = n > m && begins_with(name, self->word, m);
    const size_t d = is_start ? 1 : distance(self->word, m, name, n);
    if (3 * d > (m > n ? m : n) || (self->name && d >= self->distance))
        return;
    self->name = name;
    self->distance = d;
}

void ifn_nearest_offer_all(ifn_nearest *self, const char *const *names)
{
    for (; *names; names++)
        ifn_nearest_offer(self, *names);
}

const char *ifn_nearest_hint(const ifn_nearest *self, char out[IFN_NEAREST_ROOM])
{
    out[0] = '\0';
    if (self->name)
        snprintf(out, IFN_NEAREST_ROOM, ", did you mean '%s'?", self->name);
    return out;
}
