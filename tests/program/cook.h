/* A command for tests of manuals. */
#ifndef IFN_TEST_COOK_H
#define IFN_TEST_COOK_H

#include <stdlib.h>

#include "manual.h"
#include "test.h"

static const char *const cook_colours[] = {"red", "green", NULL};
static const char *const cook_firsts[] = {"soup", "cake", NULL};

static const manual_option cook_table[] = {
    {.name = "--salt",
     .alias = "-s",
     .value = "N",
     .help = "how much of it; isn't \"none\" by default"},
    {.name = "--colour", .words = cook_colours, .help = "of the pot"},
    {.name = "--lid", .words = cook_colours, .is_optional = 1, .help = ".on or off"},
    {.name = "--store", .value = "PATH", .is_attached = 1, .help = "what is left over"},
    {.name = "-q",
     .alias = "--quiet",
     .help = "say nothing while it cooks, and nothing when it is done: whoever is "
             "hungry comes and looks by himself"},
};

static inline manual_option cook_option_at(const void *table, size_t i)
{
    return ((const manual_option *)table)[i];
}

static inline manual cook_manual(void)
{
    return (manual){.program = "cook",
                    .name = "boil",
                    .brief = "until it's done",
                    .forms = "POT\nPAN [LID]",
                    .is_optioned = 1,
                    .summary = "Boils.\nSlowly.",
                    .examples = "cook boil pot\ncook boil pan 'a lid'",
                    .words = cook_firsts,
                    .table = cook_table,
                    .n_options = N_OF(cook_table),
                    .option_at = cook_option_at};
}

static const char *const cook_tastes[] = {"sweet", "sour", NULL};

static inline const char *const *cook_words_of(const char *option)
{
    return option[0] == '-' && option[1] == 'q' ? cook_tastes : NULL;
}

/* Returns what `write` writes about the command; the caller frees it. */
static inline char *cook_text(void (*write)(const manual *, FILE *))
{
    char *text = NULL;
    size_t bytes;
    const manual page = cook_manual();
    FILE *const out = open_memstream(&text, &bytes);
    assert_non_null(out);
    write(&page, out);
    fclose(out);
    return text;
}

#endif
