#include "stop_words.h"

/* How many bytes of the word stand at `text`: all of it, or as many as there are; else 0. */
static size_t matched(const char *word, const char *text, size_t bytes)
{
    size_t n = 0;
    while (n < bytes && word[n] && word[n] == text[n])
        n++;
    return n < bytes && word[n] ? 0 : n;
}

int stop_words_find(const arg_list *words, const char *text, size_t bytes, size_t *end)
{
    size_t held = bytes; /* from here on a word may have begun */
    for (*end = 0; *end < bytes; (*end)++)
        for (int i = 0; i < words->n; i++) {
            const size_t n = matched(words->items[i], text + *end, bytes - *end);
            if (n > 0 && words->items[i][n] == '\0')
                return 1;
            if (n > 0 && held == bytes)
                held = *end;
        }
    *end = held;
    return 0;
}
