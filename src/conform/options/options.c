#include "options.h"

#include <stdio.h>
#include <string.h>

#include <inferno/nearest.h>

#include "build.h"
#include "outputs.h"

static const arg_command *command_of(const conform_options *o)
{
    return &conform_commands[o->command];
}

bool conform_options_tell(const conform_options *o)
{
    const manual page = conform_command_manual(o->command);
    if (o->help)
        manual_help(&page, stdout);
    else if (o->version)
        build_print(page.program, stdout);
    return o->help || o->version;
}

static ifn_status no_option(const char *word, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = word};
    ifn_nearest_offer_all(&near, conform_subcommand_words);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "found '%.60s', expected an option%s%s", word,
                    near.name ? "" : "; --help lists them", ifn_nearest_hint(&near, hint));
}

/* Refuses --for and --resume with cases that are the same for every seed, as these would be run again and again. */
static ifn_status check_rounds(const conform_options *o, ifn_error *err)
{
    const char *const rounds = o->seconds > 0 ? "--for" : o->resume ? "--resume" : NULL;
    const char *const same = o->id ? "--case" : o->filter.is_exhaustive ? "--exhaustive" : NULL;
    return rounds && same ? ifn_fail(err, IFN_ERR_ARGUMENT,
                                     "%s and %s: the cases are the same for every seed, expected "
                                     "one of them",
                                     rounds, same)
                          : IFN_OK;
}

/* Refuses options that do not belong to the command. */
static ifn_status check_given(const conform_options *o, ifn_error *err)
{
    const arg_command *const command = command_of(o);
    for (size_t i = 0; i < command->n_options; i++) {
        const arg_option *const option = &command->options[i];
        if (o->given >> i & 1 && !(option->commands >> o->command & 1))
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "%s: does not apply to %s (see inferno %s --help)", option->name,
                            o->command == SUBCOMMAND_COUNT ? "a run of ops"
                                                           : conform_subcommand_words[o->command],
                            command->name);
    }
    return IFN_OK;
}

static ifn_status check_number(const conform_options *o, ifn_error *err)
{
    const arg_command *const command = command_of(o);
    const int n = o->command == SUBCOMMAND_e2e ? o->n_models : o->n_words;
    if (n >= command->min_positionals && n <= command->max_positionals)
        return IFN_OK;
    if (o->command == SUBCOMMAND_COUNT)
        return no_option(o->words[0], err);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "found %d words that are no options, expected %s", n,
                    command->positionals);
}

static ifn_status check(const conform_options *o, ifn_error *err)
{
    IFN_TRY(check_given(o, err));
    IFN_TRY(check_number(o, err));
    IFN_TRY(check_rounds(o, err));
    if (o->repeat && !o->id)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--repeat: found no --case, expected one beside it");
    return conform_outputs_check_streams(o, err);
}

/* Maps the older options "--e2e MODEL" and "--museum" to the commands e2e and museum. */
static void take_older_form(conform_options *o, const char *name, conform_subcommand command)
{
    const uint64_t bit = conform_option_bit(name);
    if (o->command != SUBCOMMAND_COUNT || !(o->given & bit))
        return;
    o->given &= ~bit;
    o->command = command;
}

/* Stores the positional arguments of e2e and museum as if they were values of the older options. */
static ifn_status take_words(conform_options *o, ifn_error *err)
{
    for (int i = 0; o->command == SUBCOMMAND_e2e && i < o->n_words; i++)
        IFN_TRY(conform_set_model(o, o->words[i], err));
    if (o->command == SUBCOMMAND_museum && o->n_words)
        o->museum = o->words[0];
    return IFN_OK;
}

static conform_subcommand find_command(const char *word)
{
    int i = 0;
    while (i < SUBCOMMAND_COUNT && (!word || strcmp(word, conform_subcommand_words[i]) != 0))
        i++;
    return (conform_subcommand)i;
}

/* Parses with the options of all commands, as --e2e or --museum may come last and determine the command. */
static ifn_status read_words(conform_options *o, int argc, char **argv, ifn_error *err)
{
    arg_command any = *command_of(o);
    args_request request;
    any.min_positionals = 0;
    any.max_positionals = ARGS_ANY_NUMBER;
    o->words = argv;
    const ifn_status status = args_parse(&any, argc, argv, o, &o->n_words, &request, err);
    o->help = request == ARGS_HELP;
    o->version = request == ARGS_VERSION;
    take_older_form(o, "--e2e", SUBCOMMAND_e2e);
    take_older_form(o, "--museum", SUBCOMMAND_museum);
    return status;
}

ifn_status conform_options_parse(conform_options *out, int argc, char **argv, ifn_error *err)
{
    *out = (conform_options){.command = find_command(argc > 1 ? argv[1] : NULL),
                             .patience = PATIENCE_USUAL,
                             .filter = {.profile = PROFILE_SMOKE, .seed = 1}};
    const int first = out->command != SUBCOMMAND_COUNT;
    IFN_TRY(read_words(out, argc - first, argv + first, err));
    if (out->help || out->version)
        return IFN_OK;
    if (out->command == SUBCOMMAND_museum && !(out->given & conform_option_bit("--profile")))
        out->filter.profile = PROFILE_CI;
    IFN_TRY(take_words(out, err));
    return check(out, err);
}
