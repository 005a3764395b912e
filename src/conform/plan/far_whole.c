#include "far_whole.h"

#include "stream.h"

static const far_whole wholes[] = {
    {IFN_OP_COPY_IN, "bytes", "host", "out", 1},
    {IFN_OP_COPY_OUT, "bytes", "x", "host", 1},
    {IFN_OP_ARGMAX_WITH_PROB, "n", "x", NULL, sizeof(float)},
};

/* Of bytes past the border at least, and how many elements more there may be. */
enum { PAGES = 3 << 12, MORE = 1 << 10 };

const far_whole *conform_far_whole_of(ifn_op op)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (wholes[i].op == op)
            return &wholes[i];
    return NULL;
}

conform_case conform_far_whole_case(const far_whole *self, const conform_case *home)
{
    conform_case c = *home;
    c.dim[0] = ((INT64_C(1) << 32) + PAGES) / (int64_t)self->element_bytes +
               (int64_t)(conform_hash(home->seed, "far", 1) % MORE);
    return c;
}
