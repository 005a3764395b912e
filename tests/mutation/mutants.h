/*
 * Mutants of a C source: copies with one small change. They depend on the text alone, so a number identifies a mutant.
 */
#ifndef MUTANTS_H
#define MUTANTS_H

#include <stdio.h>

#include "tokens.h"

/* X(NAME, name): the kinds of change. */
#define MUTANT_KINDS(X)                                                                            \
    X(CONSTANT, "constant")   /* n is n + 1, n - 1 */                                              \
    X(BOUNDARY, "boundary")   /* < is <= */                                                        \
    X(INDEX, "index")         /* a[i] is a[i + 1] */                                               \
    X(SWAP, "swap")           /* a - b is b - a */                                                 \
    X(OPERATOR, "operator")   /* + is -, && is ||, == is !=, < is > */                             \
    X(STATEMENT, "statement") /* f(x); is ; */                                                     \
    X(CONDITION, "condition") /* if (c) is if (!(c)) */

typedef enum mutant_kind {
#define X(NAME, name) MUTANT_##NAME,
    MUTANT_KINDS(X)
#undef X
        MUTANT_KIND_COUNT
} mutant_kind;

typedef struct mutant {
    mutant_kind kind;
    int line;          /* from 1 on */
    size_t begin, end; /* bytes of the text that are replaced */
    char *text;        /* owned: the new text */
    size_t name;       /* index of the token that names its function */
} mutant;

typedef struct mutant_list {
    token_list tokens;
    mutant *m; /* owned; in the order of their places */
    size_t n;
} mutant_list;

const char *mutant_kind_name(mutant_kind kind);

/* Returns all mutants of a text, which the list borrows. Aborts without memory. */
mutant_list mutants_read(const char *text);
void mutants_free(mutant_list *self);

/* Writes the mutated text. */
void mutant_put(const mutant_list *self, size_t i, FILE *out);
/* Write the lines of the change, before and after, with single spaces: these identify a mutant. */
void mutant_put_before(const mutant_list *self, size_t i, FILE *out);
void mutant_put_after(const mutant_list *self, size_t i, FILE *out);
/* Writes the name of its function. */
void mutant_put_name(const mutant_list *self, size_t i, FILE *out);

#endif
