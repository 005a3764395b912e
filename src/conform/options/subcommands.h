/* The words that may follow `inferno conform`, each a command of its own. */
#ifndef CONFORM_SUBCOMMANDS_H
#define CONFORM_SUBCOMMANDS_H

#define CONFORM_SUBCOMMANDS(X)                                                                     \
    X(merge) X(level) X(export) X(judge) X(debug) X(diff) X(e2e) X(museum)

typedef enum conform_subcommand {
#define X(name) SUBCOMMAND_##name,
    CONFORM_SUBCOMMANDS(X)
#undef X
        SUBCOMMAND_COUNT
} conform_subcommand;

/* The words; NULL at their end. */
extern const char *const conform_subcommand_words[SUBCOMMAND_COUNT + 1];

#endif
