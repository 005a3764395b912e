#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "signals.h"

enum { BAR_CELLS = 30, COUNT_NS = 100000000, SHORT_NS = 1000000000 };

int progress_is_plain(void)
{
    const char *no_color = getenv("NO_COLOR");
    return no_color && *no_color;
}

FILE *progress_terminal(int quiet)
{
    return !quiet && !progress_is_plain() && isatty(STDERR_FILENO) ? stderr : NULL;
}

void progress_init(progress *self, const char *what, FILE *out)
{
    *self = (progress){.out = out, .what = what, .percent = -1};
}

void progress_hold_back(progress *self)
{
    self->from_ns = (int64_t)ifn_clock_ns() + SHORT_NS;
}

static bool is_early(const progress *self)
{
    return self->from_ns && (int64_t)ifn_clock_ns() < self->from_ns;
}

void progress_step(progress *self, int64_t done, int64_t total)
{
    const int percent = total > 0 ? (int)((double)done * 100.0 / (double)total) : 100;
    if (!self->out || percent == self->percent || is_early(self))
        return;
    self->percent = percent;
    self->is_shown = 1;
    signals_bar(1);
    fprintf(self->out, "\r%s [", self->what);
    for (int i = 0; i < BAR_CELLS; i++)
        fputc(i * 100 < percent * BAR_CELLS ? '#' : ' ', self->out);
    fprintf(self->out, "] %3d%%", percent);
    fflush(self->out);
}

void progress_line(progress *self, const char *format, ...)
{
    va_list args;
    if (!self->out)
        return;
    self->is_shown = 1;
    signals_bar(1);
    fputs(SIGNALS_ERASE, self->out);
    va_start(args, format);
    vfprintf(self->out, format, args);
    va_end(args);
    fflush(self->out);
}

void progress_count(progress *self, const char *what, const char *things, int64_t done,
                    int64_t total)
{
    if (!self->out)
        return;
    const int64_t now = (int64_t)ifn_clock_ns();
    if (self->counted_ns && now - self->counted_ns < COUNT_NS && done < total)
        return;
    self->counted_ns = now;
    progress_line(self, "%-24s %8lld of %lld %s", what, (long long)done, (long long)total, things);
}

void progress_clear(progress *self)
{
    if (self->is_shown)
        fputs(SIGNALS_ERASE, self->out);
    self->is_shown = 0;
    self->percent = -1;
    self->counted_ns = 0;
    signals_bar(0);
}

static void hear(void *cookie, int64_t done, int64_t total)
{
    progress_step(cookie, done, total);
}

ifn_progress progress_listener(progress *self)
{
    return (ifn_progress){.step = hear, .cookie = self};
}
