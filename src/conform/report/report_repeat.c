#include "report_repeat.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "shrunk_file.h"

/* The most characters of values that a command line may have, so that it can be copied from a terminal. */
enum { LONGEST_VALUES = 600 };

/* Returns true for checks that only the parent of a worker can make, or that end the worker. */
static bool needs_worker(const char *check)
{
    static const conform_check outside[] = {CHECK_CRASH,   CHECK_GUARD, CHECK_HANG,
                                            CHECK_PRINTED, CHECK_FRESH, CHECK_FIRST};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (strcmp(conform_check_name(outside[i]), check) == 0)
            return true;
    return false;
}

/* Returns the values of the smallest case, which the caller frees; NULL: there are none, or too many. */
static char *values_of(const conform_failure *f)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = f->values ? open_memstream(&text, &bytes) : NULL;
    if (!to)
        return NULL;
    conform_put_values(f, to);
    if (fclose(to) == 0 && bytes > 0 && bytes <= LONGEST_VALUES)
        return text;
    free(text);
    return NULL;
}

const char *conform_repeated_id(const conform_failure *f)
{
    return f->shrunk[0] ? f->shrunk : f->id;
}

static void put_made(const conform_report *r, const conform_failure *f, FILE *out)
{
    char *const values = values_of(f);
    fputs("inferno conform --backend ", out);
    escape_shell(r->label[f->tested], out);
    fputs(" --case ", out);
    escape_shell(values ? f->written : conform_repeated_id(f), out);
    if (values) {
        fputs(" --values ", out);
        escape_shell(values, out);
    }
    fputs(r->how, out);
    if (strncmp(f->nature, "nondeterministic", 16) == 0)
        fputs(" --repeat until", out);
    if (!needs_worker(f->check))
        fputs(" --in-process", out);
    free(values);
}

/* A report that was read back has no values and no options; it keeps the whole command instead. */
void conform_put_repeat(const conform_report *r, const conform_failure *f, FILE *out)
{
    if (f->again)
        fputs(f->again, out);
    else
        put_made(r, f, out);
}

char *conform_repeat_text(const conform_report *r, const conform_failure *f)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&text, &bytes);
    if (to) {
        conform_put_repeat(r, f, to);
        fclose(to);
    }
    return text ? text : strdup("");
}
