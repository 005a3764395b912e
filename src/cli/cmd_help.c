/* help and completion: print manuals and shell completions from the option tables of all commands. */
#include <stdlib.h>
#include <string.h>

#include <inferno/inferno.h>

#include "command_list.h"
#include "commands.h"
#include "directory.h"
#include "messages.h"
#include "model_generate_options.h"

typedef struct help_options {
    const char *man_pages;
} help_options;

static const arg_option help_table[] = {
    {.name = "--man-pages",
     .kind = ARG_STRING,
     .value = "DIR",
     .at = offsetof(help_options, man_pages),
     .help = "write a page for man of every command to the new folder DIR"},
};

const arg_command help_command = {
    .program = INFERNO,
    .name = "help",
    .positionals = "[COMMAND [WORD]]",
    .min_positionals = 0,
    .max_positionals = 2,
    .summary = "Prints how a command is called, what it can be told, and examples.",
    .brief = "how a command is called, with examples",
    .examples = "inferno help generate\ninferno help conform merge\ninferno help --man-pages man1",
    .options = help_table,
    .n_options = sizeof help_table / sizeof *help_table,
};

static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};

const arg_command completion_command = {
    .program = INFERNO,
    .name = "completion",
    .positionals = "bash|zsh|fish",
    .min_positionals = 1,
    .max_positionals = 1,
    .summary = "Prints the script with which a shell completes the words of inferno. An\n"
               "installed copy has brought them along; otherwise, in a shell's start-up file:\n"
               "eval \"$(inferno completion bash)\"",
    .brief = "the script with which a shell completes these words",
    .examples = "inferno completion bash\ninferno completion zsh >_inferno",
    .words = shell_words,
};

static const char *const *backend_words(void)
{
    enum { MOST = 32 };
    static const char *words[MOST + 1];
    size_t n;
    const ifn_backend_desc *const *const list = ifn_backend_list(&n);
    for (size_t i = 0; i < n && i < MOST; i++)
        words[i] = list[i]->name;
    return words;
}

static const char *const op_words[] = {
#define X(NAME, name, cut, cut2, doc) #name,
    IFN_OPS(X)
#undef X
        NULL};

static const char *const dtype_words[] = {
#define X(NAME, gguf_type, block, bytes) #NAME,
    IFN_DTYPES(X)
#undef X
        NULL};

static const char *const *words_of(const char *option)
{
    const struct {
        const char *option;
        const char *const *words;
    } lists[] = {{"--backend", backend_words()}, {"--op", op_words}, {"--dtype", dtype_words}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(option, lists[i].option) == 0)
            return lists[i].words;
    return NULL;
}

/* Keeps the manuals of single words; subcommands take the options of their first word. */
static size_t first_words(manual pages[COMMAND_MANUALS])
{
    size_t n = 0;
    const size_t all = command_manuals(pages);
    for (size_t i = 0; i < all; i++)
        if (!strchr(pages[i].name, ' '))
            pages[n++] = pages[i];
    return n;
}

int cmd_completion(int argc, char **argv)
{
    static void (*const scripts[])(const manual_program *, FILE *) = {manual_bash, manual_zsh,
                                                                      manual_fish};
    int n = 0;
    const int done = args_begin(&completion_command, argc, argv, NULL, &n);
    if (done >= 0)
        return done;
    manual pages[COMMAND_MANUALS];
    const manual_program program = {INFERNO, pages, first_words(pages), words_of};
    for (size_t i = 0; shell_words[i]; i++)
        if (strcmp(argv[0], shell_words[i]) == 0) {
            scripts[i](&program, stdout);
            return EXIT_DONE;
        }
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = argv[0]};
    ifn_nearest_offer_all(&near, shell_words);
    message_note(INFERNO, "completion: found '%.60s', expected bash, zsh or fish%s", argv[0],
                 ifn_nearest_hint(&near, hint));
    return EXIT_USAGE;
}

/* Writes the file name of a manual: "inferno-conform-merge.1". */
static void file_name(const manual *page, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%s%s.1", page->program, page->name ? "-" : "",
             page->name ? page->name : "");
    for (char *c = out; *c; c++)
        if (*c == ' ')
            *c = '-';
}

static ifn_status add_page(directory *dir, const manual *page, const manual *commands, size_t n,
                           ifn_error *err)
{
    char name[128];
    char *text = NULL;
    size_t bytes = 0;
    FILE *const memory = open_memstream(&text, &bytes);
    if (!memory)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for a page");
    manual_page(page, commands, n, memory);
    file_name(page, name, sizeof name);
    const ifn_status status = fclose(memory) == 0
                                  ? directory_add(dir, name, text, bytes, err)
                                  : ifn_fail(err, IFN_ERR_NOMEM, "out of memory for a page");
    free(text);
    return status;
}

static ifn_status write_pages(const char *path, ifn_error *err)
{
    manual pages[COMMAND_MANUALS];
    const size_t n = command_manuals(pages);
    const manual program = command_program_manual(),
                 model_generate = args_manual(&model_generate_command);
    directory dir;
    IFN_TRY(directory_open(&dir, path, err));
    ifn_status status = add_page(&dir, &program, pages, n, err);
    if (status == IFN_OK)
        status = add_page(&dir, &model_generate, NULL, 0, err);
    for (size_t i = 0; i < n && status == IFN_OK; i++)
        status = add_page(&dir, &pages[i], NULL, 0, err);
    if (status == IFN_OK)
        status = directory_finish(&dir, err);
    directory_discard(&dir);
    return status;
}

/* Finds the manual "conform merge" by its words; NULL: there is none. */
static const manual *find_page(const manual *pages, size_t n, char **words, int n_words)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", words[0], n_words > 1 ? " " : "",
             n_words > 1 ? words[1] : "");
    for (size_t i = 0; i < n; i++)
        if (strcmp(pages[i].name, name) == 0)
            return &pages[i];
    return NULL;
}

static ifn_status print_page(char **words, int n_words, ifn_error *err)
{
    manual pages[COMMAND_MANUALS];
    const size_t n = command_manuals(pages);
    if (!command_find(words[0]))
        return command_unknown(words[0], err);
    const manual *page = find_page(pages, n, words, n_words);
    if (!page)
        page = find_page(pages, n, words, 1); /* "bench ops" is part of the manual of bench */
    manual_help(page, stdout);
    return IFN_OK;
}

int cmd_help(int argc, char **argv)
{
    help_options options = {0};
    ifn_error err;
    int n = 0;
    const int done = args_begin(&help_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    if (options.man_pages)
        return write_pages(options.man_pages, &err) == IFN_OK ? EXIT_DONE
                                                              : message_unwritten(INFERNO, &err);
    if (n > 0)
        return print_page(argv, n, &err) == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
    command_usage(stdout);
    return EXIT_DONE;
}
