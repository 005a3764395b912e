/*
 * The tokens of a C source that are code: what a mutant can change. Comments, preprocessor lines
 * and whatever stands outside of a function's body are left out.
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

/* Memory runs out: aborts. Brackets that do not match are nobody's: match is the token itself. */
token_list tokens_read(const char *text);
void tokens_free(token_list *self);

int token_is(const token_list *self, size_t i, const char *text);
/* A name of a type, as far as its looks tell: a keyword, ..._t, ifn_..., vf, vi, ... */
int token_is_type(const token_list *self, size_t i);
/* Between two operands: "a - b", and not "-b". */
int token_is_binary(const token_list *self, size_t i);
/* The ")" of a cast. */
int token_ends_cast(const token_list *self, size_t i);

#endif
