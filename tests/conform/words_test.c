#include "words.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static conform_words heard(const char *text, size_t bytes)
{
    conform_words w = {.n_bytes = 0};
    int fds[2];
    assert_true(conform_words_pipe(fds));
    assert_int_equal(write(fds[1], text, bytes), bytes);
    assert_int_equal(conform_words_hear(&w, fds[0]), bytes);
    assert_int_equal(conform_words_hear(&w, fds[0]), 0);
    close(fds[0]);
    close(fds[1]);
    return w;
}

TEST(nobody_waits_for_words)
{
    conform_words w = {.n_bytes = 0};
    static const char text[4096];
    int fds[2], n = 0;
    assert_true(conform_words_pipe(fds));
    assert_true(fds[0] > 100 && fds[1] > 100);
    assert_true(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
    assert_int_equal(conform_words_hear(&w, fds[0]), 0);
    while (write(fds[1], text, sizeof text) > 0)
        n++;
    assert_int_equal(conform_words_hear(&w, fds[0]), n * (int)sizeof text);
    close(fds[0]);
    assert_int_equal(conform_words_hear(&w, fds[0]), 0);
    close(fds[1]);
}

TEST(the_beginning_is_kept_and_all_is_counted)
{
    char text[CONFORM_WORDS_KEPT + 10], quoted[16];
    memset(text, 'x', sizeof text);
    const conform_words w = heard(text, sizeof text);
    assert_int_equal(w.n_bytes, sizeof text);
    assert_int_equal(w.n_kept, CONFORM_WORDS_KEPT);
    conform_words_quote(&w, quoted, sizeof quoted);
    assert_string_equal(quoted, "xxxxxxxxxxxx...");
}

TEST(what_was_heard_last_is_quoted)
{
    conform_words w = {.n_bytes = 0};
    char quoted[16];
    int fds[2];
    assert_true(conform_words_pipe(fds));
    for (int i = 0; i < 200; i++) {
        assert_int_equal(write(fds[1], i < 199 ? "often " : "last", i < 199 ? 6 : 4),
                         i < 199 ? 6 : 4);
        conform_words_hear(&w, fds[0]);
    }
    conform_words_hear(&w, fds[0]);
    conform_words_quote(&w, quoted, sizeof quoted);
    assert_string_equal(quoted, "last");
    close(fds[0]);
    close(fds[1]);
}

TEST(words_are_quoted_on_one_line)
{
    char quoted[80];
    const conform_words w = heard("a\"b\\\n\t\r\033[2J\x80z", 13);
    conform_words_quote(&w, quoted, sizeof quoted);
    assert_string_equal(quoted, "a\"b\\\\x0a\\x09\\x0d\\x1b[2J\\x80z");
}

TEST(they_are_shown_line_by_line)
{
    char text[256] = "";
    const conform_words w = heard("one\ntwo\033", 8), none = {.n_bytes = 0};
    FILE *out = fmemopen(text, sizeof text, "w");
    conform_words_show(&none, "x", out);
    conform_words_show(&w, "x", out);
    fclose(out);
    assert_string_equal(text, "x printed 8 bytes, which begin:\nx said: one\nx said: two\\x1b\n");
}
