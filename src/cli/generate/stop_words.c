#include "stop_words.h"

/* Returns how many bytes of the word are at the start of `text`: the whole word, or all `bytes` bytes if the text ends
 * within it; else 0. */
static size_t matched(const char *word, const char *text, size_t bytes)
{
    size_t n = 0;
    while (n < bytes && word[n] && word[n] == text[n])
        n++;
    return n < bytes && word[n] ? 0 : n;
}

int stop_words_find(const arg_list *words, const char *text, size_t bytes, size_t *end)
{
    size_t held = bytes; /* the first place where a word may have begun */
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
