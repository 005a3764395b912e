#include "judge_lend.h"

void judge_shown_open(judge_shown *s, const ifn_tensor *const *w, int n)
{
    *s = (judge_shown){.copies = {.data = NULL}};
    ifn_tensor *const copies =
        guard_block_take(&s->copies, (size_t)n * sizeof *copies, _Alignof(ifn_tensor), 0);
    for (int i = 0; i < n; i++) {
        s->given[i] = copies && w[i] ? &copies[i] : w[i];
        if (copies && w[i])
            copies[i] = *w[i];
        for (int j = 0; j < i; j++)
            if (w[j] == w[i])
                s->given[i] = s->given[j]; /* the same weight again */
    }
}

void judge_shown_close(judge_shown *s)
{
    guard_block_give_back(&s->copies);
}

ifn_status judge_prepare_shown(ifn_backend *who, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err)
{
    judge_shown s;
    judge_shown_open(&s, w, n);
    const ifn_status status = who->desc->prepare(who, s.given, n, uses, out, err);
    judge_shown_close(&s);
    return status;
}
