#include "bench_list.h"

#include <string.h>

#include "args.h"

ifn_status bench_list_read(const char *option, const char *text, int64_t least, int64_t most,
                           bench_list *out, ifn_error *err)
{
    out->n = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        char number[24] = "";
        if (out->n == BENCH_LIST_MAX)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: more than %d numbers", option,
                            (int)BENCH_LIST_MAX);
        /* A word that is too long for a number is truncated, but stays too long to be parsed as one. */
        memcpy(number, at, length < sizeof number - 1 ? length : sizeof number - 1);
        IFN_TRY(args_int(option, number, least, most, &out->at[out->n], err));
        out->n++;
        at += length;
        if (*at == '\0')
            return IFN_OK;
    }
}

int64_t bench_list_largest(const bench_list *self)
{
    int64_t largest = 0;
    for (int i = 0; i < self->n; i++)
        largest = self->at[i] > largest ? self->at[i] : largest;
    return largest;
}
