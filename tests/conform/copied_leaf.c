#include "copied_leaf.h"

#include <string.h>

copied_handle *copied_take(ifn_backend *self, const ifn_tensor *w)
{
    const size_t bytes = ifn_matrix_bytes(w);
    copied_handle *const h =
        self->buffers->alloc(self->buffers->cookie, COPIED_HEAD + bytes, COPIED_HEAD);
    if (!h)
        return NULL;
    memset(h, 0, COPIED_HEAD);
    *h = (copied_handle){NULL, w->data, w->name, w->shape[0], w->shape[1], w->dtype, bytes};
    return h;
}

ifn_packed copied_packed(copied_handle *h)
{
    return (ifn_packed){.data = h, .bytes = COPIED_HEAD + h->bytes, .ops = IFN_USE_GATHER_ROWS};
}

void copied_release(ifn_backend *self, ifn_packed *packed)
{
    self->buffers->free(self->buffers->cookie, packed->data, packed->bytes);
}

void copied_release_of(copied_handle **list, ifn_backend *self, ifn_packed *packed)
{
    while (*list && *list != packed->data)
        list = &(*list)->next;
    if (*list)
        *list = (*list)->next;
    copied_release(self, packed);
}

static ifn_status gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const copied_handle *const h = a->packed;
    ifn_gather_rows_args raw = *a;
    ifn_tensor table = *a->table;
    raw.table = &table;
    raw.packed = NULL;
    if (h)
        table.data = copied_data(h);
    return ifn_gather_rows(self->base, &raw);
}

void copied_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->gather_rows = gather_rows;
}

conform_case copied_case(uint64_t seed)
{
    return (conform_case){.op = IFN_OP_GATHER_ROWS,
                          .dtype = IFN_DTYPE_F16,
                          .dim = {9, 5, 24},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .prepared = 1,
                          .seed = seed};
}
