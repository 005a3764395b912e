#include "mutants.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

const char *mutant_kind_name(mutant_kind kind)
{
    static const char *const names[] = {
#define X(NAME, name) name,
        MUTANT_KINDS(X)
#undef X
    };
    return names[kind];
}

/* A part of the new text of a mutant: a text, or a range of tokens. `add` concatenates the parts. */
typedef struct part {
    const char *text; /* NULL: tokens [first, last] */
    size_t first, last;
} part;

static void copy_part(const token_list *t, const part *p, FILE *out)
{
    if (p->text)
        fputs(p->text, out);
    else
        fwrite(t->text + t->t[p->first].begin, 1, t->t[p->last].end - t->t[p->first].begin, out);
}

static void add(mutant_list *self, mutant_kind kind, operand where, int n, const part *parts)
{
    const token_list *const t = &self->tokens;
    char *text = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&text, &bytes);
    if (self->n % 256 == 0)
        self->m = realloc(self->m, (self->n + 256) * sizeof *self->m);
    if (!out || !self->m)
        abort();
    for (int i = 0; i < n; i++)
        copy_part(t, &parts[i], out);
    fclose(out);
    self->m[self->n++] = (mutant){.kind = kind,
                                  .line = t->t[where.first].line,
                                  .begin = t->t[where.first].begin,
                                  .end = t->t[where.last].end,
                                  .text = text,
                                  .name = t->t[where.first].name};
}

#define TEXT(s)   ((part){.text = (s)})
#define TOKENS(o) ((part){.first = (o).first, .last = (o).last})
#define ONE(i)    ((operand){(i), (i)})
#define PARTS(...)                                                                                 \
    (int)(sizeof((part[]){__VA_ARGS__}) / sizeof(part)), (part[])                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void change_constant(mutant_list *self, size_t i)
{
    if (self->tokens.t[i].kind != TOKEN_NUMBER)
        return;
    add(self, MUTANT_CONSTANT, ONE(i), PARTS(TEXT("("), TOKENS(ONE(i)), TEXT(" + 1)")));
    add(self, MUTANT_CONSTANT, ONE(i), PARTS(TEXT("("), TOKENS(ONE(i)), TEXT(" - 1)")));
}

typedef struct exchange {
    const char *from, *to;
} exchange;

static void exchange_token(mutant_list *self, mutant_kind kind, size_t i, const exchange *list,
                           size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (token_is(&self->tokens, i, list[k].from))
            add(self, kind, ONE(i), PARTS(TEXT(list[k].to)));
}

#define EXCHANGE(self, kind, i, list)                                                              \
    exchange_token(self, kind, i, list, sizeof(list) / sizeof *(list))

static void change_operator(mutant_list *self, size_t i)
{
    static const exchange boundaries[] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    static const exchange binary[] = {
        {"+", "-"},   {"-", "+"},   {"*", "/"},   {"/", "*"}, {"%", "/"}, {"&&", "||"},
        {"||", "&&"}, {"==", "!="}, {"!=", "=="}, {"<", ">"}, {">", "<"}, {"<=", ">="},
        {">=", "<="}, {"<<", ">>"}, {">>", "<<"}, {"&", "|"}, {"|", "&"}, {"^", "|"}};
    static const exchange anywhere[] = {{"+=", "-="}, {"-=", "+="}, {"*=", "/="}, {"/=", "*="},
                                        {"|=", "&="}, {"&=", "|="}, {"++", "--"}, {"--", "++"}};
    /* The operations of vec.h, by which kernels add and multiply. */
    static const exchange vectors[] = {
        {"vf_add", "vf_sub"}, {"vf_sub", "vf_add"}, {"vf_mul", "vf_add"}, {"vf_div", "vf_mul"},
        {"vf_max", "vf_min"}, {"vf_min", "vf_max"}, {"vi_add", "vi_sub"}, {"vi_sub", "vi_add"},
        {"vi_shl", "vi_shr"}, {"vi_shr", "vi_shl"}, {"vi_and", "vi_or"},  {"vi_or", "vi_and"}};
    if (token_is_binary(&self->tokens, i)) {
        EXCHANGE(self, MUTANT_BOUNDARY, i, boundaries);
        EXCHANGE(self, MUTANT_OPERATOR, i, binary);
    }
    EXCHANGE(self, MUTANT_OPERATOR, i, anywhere);
    if (token_is(&self->tokens, i + 1, "("))
        EXCHANGE(self, MUTANT_OPERATOR, i, vectors);
}

static void move_index(mutant_list *self, size_t i)
{
    const token_list *const t = &self->tokens;
    if (!token_is(t, i, "[") || !operand_ends_at(t, i - 1) || t->t[i].match <= i + 1)
        return;
    const operand index = {i + 1, t->t[i].match - 1};
    add(self, MUTANT_INDEX, index, PARTS(TEXT("("), TOKENS(index), TEXT(") + 1")));
}

static int is_any(const token_list *t, size_t i, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (token_is(t, i, list[k]))
            return 1;
    return 0;
}

#define IS_ANY(t, i, list) is_any(t, i, list, sizeof(list) / sizeof *(list))

static void swap_operands(mutant_list *self, size_t i)
{
    static const char *const ordered[] = {"-", "/", "%", "<<", ">>"};
    static const char *const functions[] = {"vf_sub", "vf_div", "vi_sub", "vf_less", "memcpy"};
    const token_list *const t = &self->tokens;
    if (IS_ANY(t, i, ordered) && token_is_binary(t, i)) {
        const operand left = operand_left(t, i), right = operand_right(t, i);
        add(self, MUTANT_SWAP, (operand){left.first, right.last},
            PARTS(TEXT("("), TOKENS(right), TEXT(") "), TOKENS(ONE(i)), TEXT(" ("), TOKENS(left),
                  TEXT(")")));
    }
    if (IS_ANY(t, i, functions) && token_is(t, i + 1, "(")) {
        const size_t comma = operand_comma(t, i + 1);
        const operand left = {i + 2, comma - 1}, right = operand_right(t, comma);
        if (comma > i)
            add(self, MUTANT_SWAP, (operand){left.first, right.last},
                PARTS(TOKENS(right), TEXT(", "), TOKENS(left)));
    }
}

/* Drops a statement that ends in ";", unless it is a declaration or in the head of a loop. A return may be dropped
 * unless it is the last statement of a function. */
static void drop_statement(mutant_list *self, size_t i)
{
    static const char *const before[] = {";", "{", "}", ")", "else"};
    static const char *const structures[] = {"if", "for", "while", "do",   "else",   "switch",
                                             ";",  "{",   "}",     "case", "default"};
    const token_list *const t = &self->tokens;
    if (!IS_ANY(t, i - 1, before) || IS_ANY(t, i, structures) || !token_is(t, t->t[i].outer, "{"))
        return;
    if (token_ends_cast(t, i - 1) || (token_ends_cast(t, i + 2) && token_is(t, i + 4, ";")))
        return; /* (void)self; */
    if (token_is(t, i - 1, ")") && !operand_is_head(t, t->t[i - 1].match))
        return;
    if (token_is(t, i, "return") && !token_is(t, i - 1, ")"))
        return;
    const size_t end = operand_statement_end(t, i);
    if (end > i)
        add(self, MUTANT_STATEMENT, (operand){i, end}, PARTS(TEXT(";")));
}

static void negate(mutant_list *self, operand condition)
{
    if (condition.first <= condition.last)
        add(self, MUTANT_CONDITION, condition, PARTS(TEXT("!("), TOKENS(condition), TEXT(")")));
}

static void negate_condition(mutant_list *self, size_t i)
{
    const token_list *const t = &self->tokens;
    if ((token_is(t, i, "if") || token_is(t, i, "while")) && token_is(t, i + 1, "("))
        negate(self, (operand){i + 2, t->t[i + 1].match - 1});
    else if (token_is(t, i, "?"))
        negate(self, operand_left(t, i));
}

mutant_list mutants_read(const char *text)
{
    mutant_list self = {.tokens = tokens_read(text)};
    for (size_t i = 1; i < self.tokens.n; i++) {
        if (!self.tokens.t[i].is_active)
            continue;
        change_constant(&self, i);
        change_operator(&self, i);
        move_index(&self, i);
        swap_operands(&self, i);
        drop_statement(&self, i);
        negate_condition(&self, i);
    }
    return self;
}

void mutants_free(mutant_list *self)
{
    for (size_t i = 0; i < self->n; i++)
        free(self->m[i].text);
    free(self->m);
    tokens_free(&self->tokens);
    *self = (mutant_list){0};
}

static void put_range(const char *text, size_t begin, size_t end, FILE *out)
{
    fwrite(text + begin, 1, end - begin, out);
}

void mutant_put(const mutant_list *self, size_t i, FILE *out)
{
    const char *const text = self->tokens.text;
    put_range(text, 0, self->m[i].begin, out);
    fputs(self->m[i].text, out);
    fputs(text + self->m[i].end, out);
}

/* Writes text with single spaces between words and none at the ends. */
static void put_squeezed(const char *text, FILE *out)
{
    static const char space[] = " \t\n";
    text += strspn(text, space);
    while (*text) {
        const size_t n = strcspn(text, space), gap = strspn(text + n, space);
        fwrite(text, 1, n, out);
        if (text[n + gap])
            fputc(' ', out);
        text += n + gap;
    }
}

/* Writes the whole lines of a mutant, with `middle` in place of the changed bytes. */
static void put_lines(const mutant_list *self, const mutant *m, const char *middle, size_t n,
                      FILE *out)
{
    const char *const text = self->tokens.text;
    size_t first = m->begin, bytes;
    char *lines = NULL;
    FILE *const all = open_memstream(&lines, &bytes);
    if (!all)
        abort();
    while (first > 0 && text[first - 1] != '\n')
        first--;
    put_range(text, first, m->begin, all);
    fwrite(middle, 1, n, all);
    put_range(text, m->end, m->end + strcspn(text + m->end, "\n"), all);
    fclose(all);
    put_squeezed(lines, out);
    free(lines);
}

void mutant_put_before(const mutant_list *self, size_t i, FILE *out)
{
    const mutant *const m = &self->m[i];
    put_lines(self, m, self->tokens.text + m->begin, m->end - m->begin, out);
}

void mutant_put_after(const mutant_list *self, size_t i, FILE *out)
{
    put_lines(self, &self->m[i], self->m[i].text, strlen(self->m[i].text), out);
}

void mutant_put_name(const mutant_list *self, size_t i, FILE *out)
{
    const token *const name = &self->tokens.t[self->m[i].name];
    put_range(self->tokens.text, name->begin, name->end, out);
}
