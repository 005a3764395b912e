#include "topk.h"

#include <math.h>
#include <stdbool.h>

static bool is_above(float a, float b)
{
    return a > b || (isnan(b) && !isnan(a));
}

/* Inserts into a short sorted list. */
static int64_t insert(candidate *out, int64_t n, int64_t used, candidate one)
{
    int64_t at = used < n ? used : n;
    while (at > 0 && is_above(one.logit, out[at - 1].logit)) {
        if (at < n)
            out[at] = out[at - 1];
        at--;
    }
    if (at < n)
        out[at] = one;
    return used < n ? used + 1 : n;
}

int64_t topk(const float *logits, int64_t n_vocab, int64_t n, candidate *out)
{
    int64_t used = 0;
    for (int64_t i = 0; i < n_vocab; i++)
        used = insert(out, n, used, (candidate){.id = (int32_t)i, .logit = logits[i]});
    if (used == 0)
        return 0;
    const double max = (double)out[0].logit;
    double sum = 0;
    for (int64_t i = 0; i < n_vocab; i++)
        sum += exp((double)logits[i] - max);
    for (int64_t i = 0; i < used; i++)
        out[i].prob = exp((double)out[i].logit - max) / sum;
    return used;
}
