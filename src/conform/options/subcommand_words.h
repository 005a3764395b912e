/* The subcommands of `inferno conform`. */
#ifndef CONFORM_SUBCOMMAND_WORDS_H
#define CONFORM_SUBCOMMAND_WORDS_H

#define CONFORM_SUBCOMMANDS(X)                                                                     \
    X(merge) X(level) X(export) X(judge) X(debug) X(diff) X(e2e) X(museum)

typedef enum conform_subcommand {
#define X(name) SUBCOMMAND_##name,
    CONFORM_SUBCOMMANDS(X)
#undef X
        SUBCOMMAND_COUNT /* none: ops are judged */
} conform_subcommand;

#endif
