#include "tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Longest first. */
static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                    "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                    "*=",  "/=",  "%=",  "&=", "|=", "^="};

enum { N_SIGNS = sizeof signs / sizeof *signs };

static const char *const types[] = {
    "const", "static", "void",   "char",     "short",    "int",      "long",
    "float", "double", "signed", "unsigned", "struct",   "enum",     "union",
    "vf",    "vi",     "vb",     "vdot",     "register", "volatile", "extern"};

enum { N_TYPES = sizeof types / sizeof *types };

static const char *const words_of_control[] = {"return", "case", "sizeof", "goto", "else", "do"};

enum { N_CONTROL = sizeof words_of_control / sizeof *words_of_control };

static int is_one_of(const token_list *self, size_t i, const char *const *list, int n)
{
    for (int k = 0; k < n; k++)
        if (token_is(self, i, list[k]))
            return 1;
    return 0;
}

int token_is(const token_list *self, size_t i, const char *text)
{
    const size_t n = strlen(text);
    return i < self->n && self->t[i].end - self->t[i].begin == n &&
           memcmp(self->text + self->t[i].begin, text, n) == 0;
}

int token_is_type(const token_list *self, size_t i)
{
    if (i >= self->n || self->t[i].kind != TOKEN_WORD)
        return 0;
    const char *const word = self->text + self->t[i].begin;
    const size_t n = self->t[i].end - self->t[i].begin;
    return is_one_of(self, i, types, N_TYPES) || (n > 2 && memcmp(word + n - 2, "_t", 2) == 0) ||
           (n > 4 && memcmp(word, "ifn_", 4) == 0 && !token_is(self, i + 1, "("));
}

int token_ends_cast(const token_list *self, size_t i)
{
    if (!token_is(self, i, ")") || self->t[i].match == i)
        return 0;
    const size_t open = self->t[i].match;
    if (open + 1 == i || !token_is_type(self, open + 1) || token_is(self, open - 1, "sizeof"))
        return 0;
    for (size_t k = open + 1; k < i; k++)
        if (self->t[k].kind != TOKEN_WORD && !token_is(self, k, "*"))
            return 0;
    return 1;
}

int token_is_binary(const token_list *self, size_t i)
{
    if (i == 0 || self->t[i].kind != TOKEN_SIGN)
        return 0;
    if (is_one_of(self, i - 1, words_of_control, N_CONTROL) || token_ends_cast(self, i - 1))
        return 0;
    if (token_is_type(self, i - 1)) /* const float *x */
        return 0;
    return self->t[i - 1].kind != TOKEN_SIGN || token_is(self, i - 1, ")") ||
           token_is(self, i - 1, "]");
}

static void *grow(void *p, size_t bytes)
{
    void *const out = realloc(p, bytes);
    if (!out)
        abort();
    return out;
}

static void add(token_list *self, token_kind kind, size_t begin, size_t end, int line)
{
    if (self->n % 1024 == 0)
        self->t = grow(self->t, (self->n + 1024) * sizeof *self->t);
    self->t[self->n] =
        (token){.kind = kind, .begin = begin, .end = end, .line = line, .match = self->n};
    self->n++;
}

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the end of the comment, quoted text or preprocessor line that begins at i; i if none does. */
static size_t skip_comment(const char *s, size_t i)
{
    const char *end = NULL;
    if (s[i] == '/' && s[i + 1] == '*')
        end = strstr(s + i + 2, "*/");
    else if (s[i] == '/' && s[i + 1] == '/')
        return i + strcspn(s + i, "\n");
    else
        return i;
    return end ? (size_t)(end - s) + 2 : strlen(s);
}

static size_t skip_directive(const char *s, size_t i)
{
    while (s[i] && s[i] != '\n') {
        const size_t behind = skip_comment(s, i);
        if (behind > i)
            i = behind;
        else
            i += s[i] == '\\' && s[i + 1] ? 2 : 1;
    }
    return i;
}

static size_t skip_quoted(const char *s, size_t i)
{
    const char quote = s[i++];
    while (s[i] && s[i] != quote)
        i += s[i] == '\\' && s[i + 1] ? 2 : 1;
    return i + (s[i] != '\0');
}

/* "0x1.7f7d1cp-20f" is one number. */
static size_t skip_number(const char *s, size_t i)
{
    const int is_hex = s[i] == '0' && (s[i + 1] | 32) == 'x';
    for (; is_word(s[i]) || s[i] == '.'; i++) {
        const char c = (char)(s[i] | 32);
        if ((c == 'p' || (c == 'e' && !is_hex)) && (s[i + 1] == '-' || s[i + 1] == '+'))
            i++;
    }
    return i;
}

static size_t skip_sign(const char *s, size_t i)
{
    for (int k = 0; k < N_SIGNS; k++)
        if (strncmp(s + i, signs[k], strlen(signs[k])) == 0)
            return i + strlen(signs[k]);
    return i + 1;
}

static void split(token_list *self)
{
    const char *const s = self->text;
    int line = 1, is_first = 1; /* is_first: in its line */
    for (size_t i = 0, next; s[i]; i = next) {
        const int here = line;
        next = skip_comment(s, i);
        if (next > i || isspace((unsigned char)s[i])) {
            next = next > i ? next : i + 1;
        } else if (s[i] == '#' && is_first) {
            next = skip_directive(s, i);
        } else if (s[i] == '"' || s[i] == '\'') {
            next = skip_quoted(s, i);
            add(self, TOKEN_TEXT, i, next, here);
        } else if (isdigit((unsigned char)s[i]) ||
                   (s[i] == '.' && isdigit((unsigned char)s[i + 1]))) {
            next = skip_number(s, i);
            add(self, TOKEN_NUMBER, i, next, here);
        } else if (is_word(s[i])) {
            for (next = i; is_word(s[next]); next++)
                ;
            add(self, TOKEN_WORD, i, next, here);
        } else {
            next = skip_sign(s, i);
            add(self, TOKEN_SIGN, i, next, here);
        }
        is_first = is_first && (isspace((unsigned char)s[i]) || s[i] == '/');
        for (size_t k = i; k < next; k++)
            if (s[k] == '\n') {
                line++;
                is_first = 1;
            }
    }
}

static void match_brackets(token_list *self)
{
    size_t *const open = grow(NULL, (self->n + 1) * sizeof *open);
    size_t depth = 0;
    for (size_t i = 0; i < self->n; i++) {
        self->t[i].outer = depth > 0 ? open[depth - 1] : 0;
        if (token_is(self, i, "(") || token_is(self, i, "[") || token_is(self, i, "{"))
            open[depth++] = i;
        if (depth > 0 &&
            (token_is(self, i, ")") || token_is(self, i, "]") || token_is(self, i, "}"))) {
            self->t[i].match = open[--depth];
            self->t[open[depth]].match = i;
        }
    }
    free(open);
}

/* Returns the name before the "(" of its parameters; for IFN_KERNEL(add)(...) that is add. */
static size_t name_before(const token_list *self, size_t open)
{
    const size_t i = open > 0 ? open - 1 : 0;
    return token_is(self, i, ")") && i > 0 ? i - 1 : i;
}

/* A "{" after ")" and outside of all other brackets opens the body of a function. */
static void find_bodies(token_list *self)
{
    for (size_t i = 0; i < self->n; i++) {
        const size_t end = self->t[i].match;
        if (end <= i)
            continue;
        if (token_is(self, i, "{") && i > 0 && token_is(self, i - 1, ")"))
            for (size_t k = i + 1; k < end; k++) {
                self->t[k].in_body = self->t[k].is_active = 1;
                self->t[k].name = name_before(self, self->t[i - 1].match);
            }
        i = end;
    }
}

/* Returns 1 for declarations such as float *x, acc[8]; vf a = ...; const ifn_range keys = ... */
static int is_declaration(const token_list *self, size_t i)
{
    if (self->t[i].kind != TOKEN_WORD || is_one_of(self, i, words_of_control, N_CONTROL))
        return 0;
    if (token_is_type(self, i) || token_is(self, i, "_Static_assert"))
        return 1;
    while (token_is(self, i + 1, "*"))
        i++;
    return i + 1 < self->n && self->t[i + 1].kind == TOKEN_WORD;
}

static int begins_statement(const token_list *self, size_t i)
{
    static const char *const before[] = {";", "{", "}", ":"};
    if (is_one_of(self, i - 1, before, 4))
        return 1;
    return token_is(self, i - 1, "(") && i >= 2 && token_is(self, i - 2, "for");
}

/* Only what follows "=" in a declaration is code. */
static void quiet_declaration(token_list *self, size_t i)
{
    int is_value = 0;
    const int is_assertion = token_is(self, i, "_Static_assert");
    for (; i < self->n && !token_is(self, i, ";"); i++) {
        const size_t end = self->t[i].match;
        if (token_is(self, i, "=") && !is_assertion)
            is_value = 1;
        else if (token_is(self, i, ","))
            is_value = 0;
        if (!is_value)
            self->t[i].is_active = 0;
        for (; end > i && i < end; i++)
            self->t[i].is_active = is_value;
        if (!is_value)
            self->t[i].is_active = 0;
    }
}

/* Handles "enum { n = VL }", whose "{" holds constants, not statements. */
static void quiet(token_list *self)
{
    for (size_t i = 1; i < self->n; i++) {
        if (!self->t[i].in_body)
            continue;
        if (begins_statement(self, i) && is_declaration(self, i))
            quiet_declaration(self, i);
        if (token_is(self, i, "case"))
            for (size_t k = i; k < self->n && !token_is(self, k, ":"); k++)
                self->t[k].is_active = 0;
    }
}

token_list tokens_read(const char *text)
{
    token_list self = {.text = text};
    split(&self);
    match_brackets(&self);
    find_bodies(&self);
    quiet(&self);
    return self;
}

void tokens_free(token_list *self)
{
    free(self->t);
    *self = (token_list){0};
}
