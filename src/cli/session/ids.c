#include "ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Skips blanks and at most one comma between two ids. */
static const char *skip_between(const char *p)
{
    static const char blanks[] = " \t\r\n";
    p += strspn(p, blanks);
    return *p == ',' ? p + 1 + strspn(p + 1, blanks) : p;
}

/* Accepts "1,2,3", "1 2 3" or "[1, 2, 3]", so that output of `tokenize` can be pasted. */
ifn_status ids_parse(const char *list, ifn_tokens *out, ifn_error *err)
{
    const char *p = list + strspn(list, " \t\r\n");
    const int bracketed = *p == '[';
    const char *const end = bracketed ? "]" : "";
    p += bracketed;
    p += strspn(p, " \t\r\n");
    if (*p == '\0' || *p == ']')
        return ifn_fail(err, IFN_ERR_ARGUMENT, "'%.40s': no ids, expected a list like 1,2,3", list);
    for (;;) {
        const size_t length = strspn(p, "0123456789");
        const unsigned long long value = length > 0 ? strtoull(p, NULL, 10) : 0;
        if (length == 0 || value > INT32_MAX || !strchr(" \t\r\n,]", p[length]))
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "'%.40s': expected ids in 0 .. %" PRId32 ", as in 1,2,3", p, INT32_MAX);
        IFN_TRY(ifn_tokens_append(out, (ifn_token)value, err));
        p += length;
        p += strspn(p, " \t\r\n");
        if (*p == *end)
            break;
        p = skip_between(p);
    }
    p += bracketed;
    p += strspn(p, " \t\r\n");
    if (*p != '\0')
        return ifn_fail(err, IFN_ERR_ARGUMENT, "'%.40s': expected nothing after the ids", p);
    return IFN_OK;
}

ifn_status ids_check(const ifn_tokens *ids, int64_t n_vocab, ifn_error *err)
{
    for (size_t i = 0; i < ids->n; i++)
        if (ids->ids[i] < 0 || ids->ids[i] >= n_vocab)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "id %" PRId32 " at index %zu: the vocabulary ends at %" PRId64,
                            ids->ids[i], i, n_vocab - 1);
    return IFN_OK;
}

void ids_print(FILE *out, const ifn_token *ids, size_t n)
{
    fputc('[', out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%" PRId32, i ? ", " : "", ids[i]);
    fputc(']', out);
}

void ids_json(json_writer *out, const ifn_token *ids, size_t n)
{
    json_begin_array(out);
    for (size_t i = 0; i < n; i++)
        json_put_int(out, ids[i]);
    json_end_array(out);
}
