/*
 * The tokens of a C source that a mutant can change: those of code. Comments, preprocessor lines and everything
 * outside of function bodies are left out.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include <stddef.h>

typedef enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    size_t begin, end;
    int line;      /* from 1 on */
    int in_body;   /* within a function's body */
    int is_active; /* may be changed: no type, declarator, label or static assertion */
    size_t match;  /* brackets: index of the other one */
    size_t outer;  /* index of the innermost bracket that is open here; 0: none */
    size_t name;   /* in a body: index of the function's name */
} token;

typedef struct token_list {
    const char *text; /* borrowed */
    token *t;         /* owned */
    size_t n;
} token_list;

/* Reads the tokens of a text. Aborts without memory. A bracket without a partner has its own index as `match`. */
token_list tokens_read(const char *text);
void tokens_free(token_list *self);

int token_is(const token_list *self, size_t i, const char *text);
/* Returns 1 for what looks like the name of a type: a keyword, ..._t, ifn_..., vf, vi, ... */
int token_is_type(const token_list *self, size_t i);
/* Returns 1 for an operator between two operands: "a - b", not "-b". */
int token_is_binary(const token_list *self, size_t i);
/* Returns 1 for the ")" of a cast. */
int token_ends_cast(const token_list *self, size_t i);

#endif
