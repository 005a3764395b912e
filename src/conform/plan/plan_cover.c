#include "plan_cover.h"

#include <stdlib.h>

/* A multiple of a width, one more or one less than one, the largest width first; then small sizes and the rest. */
int conform_size_class(int64_t size)
{
    static const int64_t widths[] = {64, 32, 16, 8};
    if (size < 2)
        return size < 1 ? 0 : 1;
    for (int i = 0; i < 4; i++) {
        const int64_t rest = size % widths[i];
        if (rest == 0 || rest == 1 || rest == widths[i] - 1)
            return 2 + 3 * i + (rest == 0 ? 0 : rest == 1 ? 1 : 2);
    }
    return size < 8 ? 14 + (int)size % 2 : 16 + (int)(size % 8);
}

static int n_triples(int n)
{
    return n * (n - 1) * (n - 2) / 6;
}

ifn_status conform_cover_open(conform_cover *self, int n_dims, ifn_error *err)
{
    *self = (conform_cover){.n_factors = n_dims + 5};
    self->seen = calloc((size_t)n_triples(self->n_factors) * COVER_VALUES * COVER_VALUES,
                        sizeof *self->seen);
    return self->seen ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "plan: no memory for its coverage");
}

void conform_cover_close(conform_cover *self)
{
    free(self->seen);
    self->seen = NULL;
}

static void values_of(const conform_cover *self, const conform_case *c, int value[COVER_FACTORS])
{
    const int n_dims = self->n_factors - 5;
    for (int i = 0; i < n_dims; i++)
        value[i] = conform_size_class(c->dim[i]);
    value[n_dims] = (int)c->dtype;
    value[n_dims + 1] = (int)c->out_dtype;
    value[n_dims + 2] = (int)c->family;
    value[n_dims + 3] = c->alias;
    value[n_dims + 4] = c->prepared + 2 * (int)c->tier;
}

int conform_cover_gain(conform_cover *self, const conform_case *c, int mark)
{
    int value[COVER_FACTORS], gain = 0;
    uint32_t *table = self->seen;
    values_of(self, c, value);
    for (int i = 0; i < self->n_factors; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++, table += COVER_VALUES * COVER_VALUES) {
                uint32_t *row = &table[value[i] * COVER_VALUES + value[j]];
                const uint32_t bit = (uint32_t)1 << value[k];
                gain += !(*row & bit);
                if (mark)
                    *row |= bit;
            }
    if (mark)
        self->n_covered += gain;
    return gain;
}
