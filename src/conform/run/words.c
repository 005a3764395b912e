#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <inferno/text.h>

enum { MOST_LINES = 6, FROM_TOP = 64, MOST_DESCRIPTORS = 1 << 20 };

/* Moves a descriptor to a number near the upper limit, or returns it as it is where that fails. */
static int lift(int fd)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur < (rlim_t)2 * FROM_TOP)
        return fd;
    const int top = most.rlim_cur < MOST_DESCRIPTORS ? (int)most.rlim_cur : MOST_DESCRIPTORS;
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, top - FROM_TOP);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

int conform_words_pipe(int fds[2])
{
    if (pipe(fds) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        fds[i] = lift(fds[i]);
        (void)fcntl(fds[i], F_SETFL, O_NONBLOCK);
    }
    return 1;
}

void conform_words_catch(int fd)
{
    const int nothing = open("/dev/null", O_RDONLY);
    (void)dup2(fd, STDOUT_FILENO);
    (void)dup2(fd, STDERR_FILENO);
    close(fd);
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    setvbuf(stdout, NULL, _IONBF, 0);
}

static int32_t append(char *to, size_t room, int32_t used, const char *text, size_t n)
{
    const size_t left = room - (size_t)used, taken = n < left ? n : left;
    memcpy(to + used, text, taken);
    return used + (int32_t)taken;
}

static void keep(conform_words *w, const char *text, size_t n)
{
    w->n_kept = append(w->kept, sizeof w->kept, w->n_kept, text, n);
    w->n_last = append(w->last, sizeof w->last, w->n_last, text, n);
    w->n_bytes += (int64_t)n;
}

int64_t conform_words_hear(conform_words *words, int fd)
{
    const int64_t before = words->n_bytes;
    char text[4096];
    for (ssize_t n; (n = read(fd, text, sizeof text)) > 0 || (n < 0 && errno == EINTR);) {
        words->n_last = words->n_bytes == before ? 0 : words->n_last;
        if (n > 0)
            keep(words, text, (size_t)n);
    }
    return words->n_bytes - before;
}

void conform_words_add(conform_words *words, const conform_words *other)
{
    if (other->n_bytes == 0)
        return;
    words->n_kept =
        append(words->kept, sizeof words->kept, words->n_kept, other->kept, (size_t)other->n_kept);
    memcpy(words->last, other->last, sizeof words->last);
    words->n_last = other->n_last;
    words->n_bytes += other->n_bytes;
}

static size_t without_end_of_line(const char *text, size_t n)
{
    return n > 0 && text[n - 1] == '\n' ? n - 1 : n;
}

void conform_words_quote(const conform_words *words, char *out, size_t bytes)
{
    static const char more[] = "...";
    const size_t n = without_end_of_line(words->last, (size_t)words->n_last);
    const size_t whole = ifn_text_printable(words->last, n, out, bytes - strlen(more));
    if (whole >= bytes - strlen(more) || n == sizeof words->last)
        memcpy(out + strlen(out), more, sizeof more);
}

/* Prints one line; returns where the next begins. */
static int32_t show_line(const conform_words *w, int32_t at, const char *label, FILE *out)
{
    char line[4 * CONFORM_WORDS_KEPT + 1];
    int32_t end = at;
    while (end < w->n_kept && w->kept[end] != '\n')
        end++;
    ifn_text_printable(w->kept + at, (size_t)(end - at), line, sizeof line);
    fprintf(out, "%s said: %s\n", label, line);
    return end + 1;
}

void conform_words_show(const conform_words *words, const char *label, FILE *out)
{
    if (words->n_bytes == 0)
        return;
    fprintf(out, "%s printed %lld bytes, which begin:\n", label, (long long)words->n_bytes);
    for (int32_t at = 0, n = 0; at < words->n_kept && n < MOST_LINES; n++)
        at = show_line(words, at, label, out);
}
