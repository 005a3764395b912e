#include "report_wrap.h"

#include <stdbool.h>
#include <string.h>

/* The column at which text begins after "what:" and the other labels of a failure. */
enum { LABEL_COLUMNS = 12 };

/* Returns the length in bytes of a colour's escape sequence at p; 0: there is none. */
static size_t colour_at(const char *p)
{
    return p[0] == '\033' && p[1] == '[' ? strcspn(p, "m") + 1 : 0;
}

static bool is_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* Returns true for lines to be copied whole, and for the verdict, which scripts search for. */
static bool is_kept_whole(const char *line, const char *end)
{
    static const char *const labels[] = {"  found: ", "  smallest: ", "  again: "};
    static const char *const verdicts[] = {": conformant", ": NOT conformant"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strncmp(line, labels[i], strlen(labels[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const char *const at = strstr(line, verdicts[i]);
        if (at && at < end)
            return true;
    }
    return false;
}

static int indent_of(const char *line)
{
    const int blanks = (int)strspn(line, " ");
    const size_t word = strcspn(line + blanks, " \n");
    const bool has_label = blanks == 2 && word > 0 && line[blanks + (int)word - 1] == ':';
    return has_label || blanks >= LABEL_COLUMNS ? LABEL_COLUMNS : blanks + 2;
}

/* Returns how many bytes fit on a line of `columns`: up to the last blank within it, else up to the next blank. */
static size_t break_at(const char *p, const char *end, int columns)
{
    const char *last = NULL;
    int used = 0;
    for (const char *q = p; q < end; used += is_character(*q), q++) {
        for (size_t n = colour_at(q); n && q + n <= end; n = colour_at(q))
            q += n;
        if (q == end)
            break;
        if (*q == ' ' && q > p && (used <= columns || !last))
            last = q;
        if (used >= columns && last)
            return (size_t)(last - p);
    }
    return (size_t)(end - p);
}

static void put_line(const char *line, const char *end, FILE *out)
{
    const int indent = indent_of(line);
    const size_t lead = strspn(line, " ");
    const char *p = line + lead;
    fprintf(out, "%*s", (int)lead, "");
    for (int room = REPORT_COLUMNS - (int)lead;; room = REPORT_COLUMNS - indent) {
        const size_t n = break_at(p, end, room);
        fwrite(p, 1, n, out);
        p += n;
        p += p < end ? strspn(p, " ") : 0;
        if (p >= end)
            return;
        fprintf(out, "\n%*s", indent, "");
    }
}

void conform_put_wrapped(const char *text, FILE *out)
{
    while (*text) {
        const char *const end = text + strcspn(text, "\n");
        if (is_kept_whole(text, end) || end - text <= REPORT_COLUMNS)
            fwrite(text, 1, (size_t)(end - text), out);
        else
            put_line(text, end, out);
        if (*end)
            fputc('\n', out);
        text = *end ? end + 1 : end;
    }
}
