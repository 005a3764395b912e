#include "args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/nearest.h>

#include "build.h"
#include "messages.h"

/* The state of one pass over argv. */
typedef struct scan {
    const arg_command *command;
    char **argv;
    int argc, next;
    void *values;
} scan;

ifn_status args_int(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                    ifn_error *err)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    const bool is_number = (*text >= '0' && *text <= '9') || *text == '-';
    if (is_number && *end == '\0' && errno == 0 && value >= min && value <= max) {
        *out = value;
        return IFN_OK;
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT,
                    "%s: found '%.60s', expected a number in %" PRId64 " .. %" PRId64, what, text,
                    min, max);
}

static ifn_status parse_float(const arg_option *option, const char *text, double *out,
                              ifn_error *err)
{
    char *end;
    const double value = strtod(text, &end);
    /* tests for what is accepted, so that a NaN is refused */
    if (*text != '\0' && *end == '\0' && value >= option->float_range[0] &&
        value <= option->float_range[1]) {
        *out = value;
        return IFN_OK;
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%s', expected a number in %g .. %g",
                    option->name, text, option->float_range[0], option->float_range[1]);
}

/* Joins an option's choices: "off|basic|f16". */
static void join_choices(const arg_option *option, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; option->choices[i] && used < bytes; i++) {
        const int n = snprintf(out + used, bytes - used, "%s%s", i ? "|" : "", option->choices[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

static int find_choice(const arg_option *option, const char *text)
{
    for (int i = 0; option->choices[i]; i++)
        if (strcmp(option->choices[i], text) == 0)
            return i;
    return -1;
}

static ifn_status parse_choice(const arg_option *option, const char *text, int *out, ifn_error *err)
{
    const int choice = find_choice(option, text);
    if (choice >= 0) {
        *out = choice;
        return IFN_OK;
    }
    char words[192], hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = text};
    ifn_nearest_offer_all(&near, option->choices);
    join_choices(option, words, sizeof words);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: found '%s', expected %s%s", option->name, text,
                    words, ifn_nearest_hint(&near, hint));
}

static ifn_status add_to_list(const arg_option *option, const char *text, arg_list *list,
                              ifn_error *err)
{
    if (list->n == ARG_LIST_MOST)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: given more than %d times", option->name,
                        ARG_LIST_MOST);
    list->items[list->n++] = text;
    return IFN_OK;
}

static ifn_status store(const arg_option *option, const char *text, void *values, ifn_error *err)
{
    void *at = (char *)values + option->at;
    switch (option->kind) {
    case ARG_FLAG:
        *(bool *)at = true;
        return IFN_OK;
    case ARG_INT:
        return args_int(option->name, text, option->int_range[0], option->int_range[1], at, err);
    case ARG_FLOAT:
        return parse_float(option, text, at, err);
    case ARG_CHOICE:
    case ARG_OPTIONAL_CHOICE:
        return parse_choice(option, text, at, err);
    case ARG_STRING:
    case ARG_OPTIONAL_STRING:
    case ARG_ATTACHED_STRING:
        *(const char **)at = text;
        return IFN_OK;
    case ARG_LIST:
        return add_to_list(option, text, at, err);
    case ARG_CALL:
        return option->set(values, text, err);
    case ARG_REFUSED:
        break; /* has no value to store */
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: an option of no kind", option->name);
}

/* True if the word is this name, or begins with it and has a value attached: `-n5` is -n with 5,
 * `--top-k=5` is --top-k with 5. *attached points to that value; NULL: none is attached. */
static bool is_name(const char *word, const char *name, const char **attached)
{
    const size_t length = name ? strlen(name) : 0;
    *attached = NULL;
    if (length == 0 || strncmp(word, name, length) != 0)
        return 0;
    if (word[length] == '\0')
        return 1;
    const bool is_long = word[1] == '-';
    if (is_long && word[length] != '=')
        return 0;
    *attached = word + length + is_long;
    return 1;
}

/* Finds the option of a word. A name that is the whole word wins over one with a value attached: -ngl is not
 * -n with "gl". */
static const arg_option *find_option(const arg_command *command, const char *word,
                                     const char **attached)
{
    const arg_option *found = NULL;
    const char *value;
    for (size_t i = 0; i < command->n_options; i++) {
        const arg_option *const option = &command->options[i];
        if (!is_name(word, option->name, &value) && !is_name(word, option->alias, &value))
            continue;
        if (!found || !value) {
            found = option;
            *attached = value;
        }
        if (!value)
            return found;
    }
    return found;
}

static ifn_status next_value(scan *s, const char *name, const char **out, ifn_error *err)
{
    if (s->next == s->argc)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: needs a value", name);
    *out = s->argv[s->next++];
    return IFN_OK;
}

static ifn_status unknown(const arg_command *command, const char *word, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = word};
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].kind != ARG_REFUSED)
            ifn_nearest_offer(&near, command->options[i].name);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: unknown option%s (see %s%s%s --help)", word,
                    ifn_nearest_hint(&near, hint), command->program, command->name ? " " : "",
                    command->name ? command->name : "");
}

static ifn_status take_other(scan *s, char *word, ifn_error *err)
{
    const char *value = NULL;
    char *equals = strchr(word, '=');
    if (!s->command->other || strncmp(word, "--", 2) != 0)
        return unknown(s->command, word, err);
    if (equals) {
        *equals = '\0';
        return s->command->other(s->values, word, equals + 1, err);
    }
    IFN_TRY(next_value(s, word, &value, err));
    return s->command->other(s->values, word, value, err);
}

/* Finds the value of an option without an attached one: the next word, if the option takes it. */
static ifn_status find_value(scan *s, const arg_option *option, const char **value, ifn_error *err)
{
    const char *const next = s->next < s->argc ? s->argv[s->next] : NULL;
    bool is_value = 0;
    switch (option->kind) {
    case ARG_FLAG:
        return IFN_OK;
    case ARG_OPTIONAL_CHOICE:
        *value = option->choices[0];
        is_value = next && find_choice(option, next) >= 0;
        break;
    case ARG_OPTIONAL_STRING:
        *value = "";
        is_value = next && *next != '-';
        break;
    case ARG_ATTACHED_STRING:
        *value = "";
        break;
    default:
        return next_value(s, option->name, value, err);
    }
    if (is_value)
        *value = s->argv[s->next++];
    return IFN_OK;
}

static ifn_status take_option(scan *s, char *word, ifn_error *err)
{
    const char *value = NULL;
    const arg_option *option = find_option(s->command, word, &value);
    if (!option)
        return take_other(s, word, err);
    if (option->kind == ARG_REFUSED)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: %s", option->name, option->help);
    if (option->kind == ARG_FLAG && value)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: takes no value, found '%s'", option->name,
                        value);
    if (!value)
        IFN_TRY(find_value(s, option, &value, err));
    IFN_TRY(store(option, value, s->values, err));
    if (s->command->heard)
        s->command->heard(s->values, option, value);
    return IFN_OK;
}

static bool is_request(const char *word, args_request *request)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        *request = ARGS_HELP;
    else if (strcmp(word, "--version") == 0)
        *request = ARGS_VERSION;
    return *request != ARGS_RUN;
}

static const char *positionals_of(const arg_command *command)
{
    return command->positionals ? command->positionals : "";
}

static ifn_status check_count(const arg_command *command, int n, ifn_error *err)
{
    if (n >= command->min_positionals && n <= command->max_positionals)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s arguments, expected %s",
                    n < command->min_positionals ? "too few" : "too many",
                    *positionals_of(command) ? command->positionals : "none");
}

ifn_status args_parse(const arg_command *command, int argc, char **argv, void *values,
                      int *n_positionals, args_request *request, ifn_error *err)
{
    scan s = {.command = command, .argv = argv, .argc = argc, .next = 1, .values = values};
    int n = 0, only_positionals = 0;
    *request = ARGS_RUN;
    while (s.next < argc) {
        char *word = argv[s.next++];
        /* a lone "-" is a positional: standard input or output */
        if (only_positionals || word[0] != '-' || word[1] == '\0')
            argv[n++] = word;
        else if (strcmp(word, "--") == 0)
            only_positionals = 1;
        else if (is_request(word, request))
            return IFN_OK;
        else
            IFN_TRY(take_option(&s, word, err));
    }
    *n_positionals = n;
    return check_count(command, n, err);
}

static bool is_listed(const arg_command *command, const arg_option *option)
{
    return !option->commands || !command->bits || option->commands & command->bits;
}

/* The i-th option among those that the command's help lists. */
static manual_option option_at(const void *table, size_t i)
{
    const arg_command *const command = table;
    const arg_option *option = command->options;
    while (!is_listed(command, option) || i-- > 0)
        option++;
    return (manual_option){.name = option->name,
                           .alias = option->alias,
                           .value = option->value,
                           .help = option->help,
                           .words = option->choices,
                           .is_optional = option->kind == ARG_OPTIONAL_CHOICE ||
                                          option->kind == ARG_OPTIONAL_STRING,
                           .is_attached = option->kind == ARG_ATTACHED_STRING};
}

static size_t count_listed(const arg_command *command)
{
    size_t n = 0;
    for (size_t i = 0; i < command->n_options; i++)
        n += is_listed(command, &command->options[i]);
    return n;
}

manual args_manual(const arg_command *command)
{
    return (manual){.program = command->program,
                    .name = command->name,
                    .brief = command->brief,
                    .forms = positionals_of(command),
                    .is_optioned = count_listed(command) > 0,
                    .summary = command->summary,
                    .examples = command->examples,
                    .words = command->words,
                    .table = command,
                    .n_options = count_listed(command),
                    .option_at = option_at};
}

void args_usage(const arg_command *command, FILE *out)
{
    const manual page = args_manual(command);
    manual_help(&page, out);
}

int args_begin(const arg_command *command, int argc, char **argv, void *values, int *n_positionals)
{
    args_request request;
    ifn_error err;
    if (args_parse(command, argc, argv, values, n_positionals, &request, &err) != IFN_OK) {
        if (!command->name)
            return message_error(command->program, &err);
        message_note(command->program, "%s: %s", command->name, err.text);
        return EXIT_USAGE;
    }
    if (request == ARGS_RUN)
        return -1;
    if (request == ARGS_HELP)
        args_usage(command, stdout);
    else
        build_print(command->program, stdout);
    return EXIT_DONE;
}
