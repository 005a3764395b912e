#include "progress.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "memory_file.h"
#include "signals.h"
#include "test.h"

TEST(a_bar_is_drawn_once_per_percent_and_erased)
{
    memory_file f;
    progress bar;
    memory_file_open(&f);
    progress_init(&bar, "work", f.file);
    progress_step(&bar, 500, 1000);
    progress_step(&bar, 501, 1000);
    progress_step(&bar, 1000, 1000);
    progress_clear(&bar);
    progress_clear(&bar);
    memory_file_close(&f);
    assert_string_equal(f.data, "\rwork [###############               ]  50%"
                                "\rwork [##############################] 100%"
                                "\r\x1b[K");
    free(f.data);
}

TEST(a_bar_that_is_held_back_is_not_drawn_within_a_second)
{
    memory_file f;
    progress bar;
    memory_file_open(&f);
    progress_init(&bar, "work", f.file);
    progress_hold_back(&bar);
    progress_step(&bar, 500, 1000);
    fflush(f.file);
    assert_string_equal(f.data, "");
    bar.from_ns = (int64_t)ifn_clock_ns() - 1; /* the time has passed */
    progress_step(&bar, 510, 1000);
    fflush(f.file);
    assert_string_equal(f.data, "\rwork [################              ]  51%");
    progress_clear(&bar);
    memory_file_close(&f);
    free(f.data);
}

TEST(words_stand_in_its_place)
{
    memory_file f;
    progress line;
    memory_file_open(&f);
    progress_init(&line, "work", f.file);
    progress_line(&line, "%d of %d", 1, 2);
    progress_line(&line, "done");
    progress_clear(&line);
    progress_clear(&line);
    memory_file_close(&f);
    assert_string_equal(f.data, "\r\x1b[K1 of 2\r\x1b[Kdone\r\x1b[K");
    free(f.data);
}

static int times(const char *text, const char *what)
{
    int n = 0;
    while ((text = strstr(text, what)))
        n++, text++;
    return n;
}

TEST(a_count_is_drawn_first_and_last_and_now_and_then)
{
    memory_file f;
    progress line;
    memory_file_open(&f);
    progress_init(&line, "work", f.file);
    const uint64_t start = ifn_clock_ns();
    for (int i = 0; i <= 100000; i++)
        progress_count(&line, "add", "cases", i, 100000);
    const int tenths = (int)((ifn_clock_ns() - start) / 100000000);
    progress_clear(&line);
    memory_file_close(&f);
    const char *const first = SIGNALS_ERASE "add                             0 of 100000 cases";
    const char *const last =
        SIGNALS_ERASE "add                        100000 of 100000 cases" SIGNALS_ERASE;
    assert_memory_equal(f.data, first, strlen(first));
    assert_string_equal(f.data + strlen(f.data) - strlen(last), last);
    assert_in_range(times(f.data, "cases"), 2, 2 + tenths);
    free(f.data);
}

TEST(of_nothing_all_is_done)
{
    memory_file f;
    progress bar;
    memory_file_open(&f);
    progress_init(&bar, "work", f.file);
    progress_step(&bar, 0, 0);
    memory_file_close(&f);
    assert_non_null(strstr(f.data, "100%"));
    free(f.data);
}

/* https://no-color.org: set and not empty. */
TEST(no_color_asks_for_words_alone)
{
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_false(progress_is_plain());
    assert_int_equal(setenv("NO_COLOR", "", 1), 0);
    assert_false(progress_is_plain());
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    assert_true(progress_is_plain());
    assert_int_equal(unsetenv("NO_COLOR"), 0);
}

TEST(nobody_watching_means_nothing_is_drawn)
{
    progress bar;
    progress_init(&bar, "work", NULL);
    const ifn_progress listener = progress_listener(&bar);
    listener.step(listener.cookie, 1, 2);
    progress_line(&bar, "words");
    progress_count(&bar, "add", "cases", 1, 2);
    progress_clear(&bar);
    assert_int_equal(bar.percent, -1);
}

TEST(the_listener_draws)
{
    memory_file f;
    progress bar;
    memory_file_open(&f);
    progress_init(&bar, "work", f.file);
    const ifn_progress listener = progress_listener(&bar);
    listener.step(listener.cookie, 1, 4);
    memory_file_close(&f);
    assert_non_null(strstr(f.data, " 25%"));
    free(f.data);
}
