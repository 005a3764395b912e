#include "extent.h"

#include <stdlib.h>
#include <string.h>

#include "module.h"

typedef struct reader {
    const char *at;
    const conform_case *c;
    int depth, failed;
} reader;

enum { MAX_DEPTH = 8 };

static int64_t read_sum(reader *r);

static char next(reader *r)
{
    r->at += strspn(r->at, " ");
    return *r->at;
}

static int64_t fail(reader *r)
{
    r->failed = 1;
    return 0;
}

static int64_t read_dim(reader *r)
{
    const conform_module *const m = conform_module_of(r->c->op);
    const size_t n = strcspn(r->at, " +-*/()");
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        if (strlen(m->dim_names[i]) == n && strncmp(m->dim_names[i], r->at, n) == 0) {
            r->at += n;
            return r->c->dim[i];
        }
    return fail(r);
}

static int64_t read_brackets(reader *r)
{
    if (r->depth++ == MAX_DEPTH)
        return fail(r);
    r->at++;
    const int64_t value = read_sum(r);
    r->depth--;
    if (next(r) != ')')
        return fail(r);
    r->at++;
    return value;
}

static int64_t read_factor(reader *r)
{
    const char c = next(r);
    if (c == '(')
        return read_brackets(r);
    if (c < '0' || c > '9')
        return read_dim(r);
    char *end;
    const int64_t value = strtoll(r->at, &end, 10);
    r->at = end;
    return value;
}

static int64_t read_product(reader *r)
{
    int64_t value = read_factor(r);
    for (char op; !r->failed && ((op = next(r)) == '*' || op == '/');) {
        r->at++;
        const int64_t other = read_factor(r);
        if (op == '/' && other == 0)
            return fail(r);
        value = op == '*' ? value * other : value / other;
    }
    return value;
}

static int64_t read_sum(reader *r)
{
    int64_t value = read_product(r);
    for (char op; !r->failed && ((op = next(r)) == '+' || op == '-');) {
        r->at++;
        const int64_t other = read_product(r);
        value = op == '+' ? value + other : value - other;
    }
    return value;
}

int conform_extent(const char *text, const conform_case *c, int64_t *out)
{
    reader r = {.at = text, .c = c};
    *out = read_sum(&r);
    return !r.failed && next(&r) == '\0';
}
