#include "product.h"

#include <omp.h>
#include <stdlib.h>

/* The objects of the library that a call has made; `clear` destroys them. */
typedef struct call {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_attr_t attr;
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t primitive;
    void *scratch;
    dnnl_memory_t memory[5];
    dnnl_exec_arg_t args[5];
    int n;
} call;

static ifn_status status_of(dnnl_status_t status)
{
    switch (status) {
    case dnnl_success:
        return IFN_OK;
    case dnnl_out_of_memory:
        return IFN_ERR_NOMEM;
    default:
        return IFN_ERR_UNSUPPORTED;
    }
}

static ifn_status begin(call *c, dnnl_engine_t engine)
{
    *c = (call){.engine = engine};
    IFN_TRY(status_of(dnnl_stream_create(&c->stream, engine, dnnl_stream_default_flags)));
    IFN_TRY(status_of(dnnl_primitive_attr_create(&c->attr)));
    return status_of(dnnl_primitive_attr_set_scratchpad_mode(c->attr, dnnl_scratchpad_mode_user));
}

static ifn_status clear(call *c, ifn_status status)
{
    for (int i = 0; i < c->n; i++)
        dnnl_memory_destroy(c->memory[i]);
    if (c->primitive)
        dnnl_primitive_destroy(c->primitive);
    if (c->desc)
        dnnl_primitive_desc_destroy(c->desc);
    free(c->scratch);
    if (c->attr)
        dnnl_primitive_attr_destroy(c->attr);
    if (c->stream)
        dnnl_stream_destroy(c->stream);
    return status;
}

static ifn_status describe(dnnl_memory_desc_t *out, const matrix *m)
{
    const dnnl_dims_t extents = {m->rows, m->cols}, strides = {m->down, m->right};
    return status_of(dnnl_memory_desc_init_by_strides(out, 2, extents, m->type, strides));
}

static ifn_status bind(call *c, int arg, const dnnl_memory_desc_t *desc, const void *data)
{
    dnnl_memory_t memory;
    IFN_TRY(status_of(dnnl_memory_create(&memory, desc, c->engine, (void *)(uintptr_t)data)));
    c->memory[c->n] = memory;
    c->args[c->n++] = (dnnl_exec_arg_t){arg, memory};
    return IFN_OK;
}

/* Gives the call scratch of its own, as all calls of a thread share the library's. */
static ifn_status add_scratch(call *c)
{
    const dnnl_memory_desc_t *const desc =
        dnnl_primitive_desc_query_md(c->desc, dnnl_query_scratchpad_md, 0);
    const size_t bytes = desc ? dnnl_memory_desc_get_size(desc) : 0;
    if (bytes == 0)
        return IFN_OK;
    c->scratch = malloc(bytes);
    return c->scratch ? bind(c, DNNL_ARG_SCRATCHPAD, desc, c->scratch) : IFN_ERR_NOMEM;
}

/* Runs on one thread: the host (parallel:) cuts calls into parts and runs these on its own threads. */
static ifn_status execute(call *c)
{
    omp_set_num_threads(1);
    IFN_TRY(add_scratch(c));
    IFN_TRY(status_of(dnnl_primitive_create(&c->primitive, c->desc)));
    IFN_TRY(status_of(dnnl_primitive_execute(c->primitive, c->stream, c->n, c->args)));
    return status_of(dnnl_stream_wait(c->stream));
}

/* --- copies --- */

static ifn_status reorder(call *c, const matrix *from, const matrix *to)
{
    dnnl_memory_desc_t source, target;
    IFN_TRY(describe(&source, from));
    IFN_TRY(describe(&target, to));
    IFN_TRY(status_of(dnnl_reorder_primitive_desc_create(&c->desc, &source, c->engine, &target,
                                                         c->engine, c->attr)));
    IFN_TRY(bind(c, DNNL_ARG_FROM, &source, from->data));
    IFN_TRY(bind(c, DNNL_ARG_TO, &target, to->data));
    return execute(c);
}

static ifn_status copy(dnnl_engine_t engine, const matrix *from, const matrix *to)
{
    call c;
    ifn_status status = begin(&c, engine);
    if (status == IFN_OK)
        status = reorder(&c, from, to);
    return clear(&c, status);
}

static bool is_packed(const matrix *m)
{
    return m->right == 1 ? m->down == m->cols : m->down == 1 && m->right == m->rows;
}

/* Makes `packed` a matrix like m that has this type and no gaps: m itself, or uninitialised memory in *room, which the
 * caller frees. */
static ifn_status find_room(const matrix *m, dnnl_data_type_t type, matrix *packed, void **room)
{
    const size_t bytes = type == dnnl_f32 ? sizeof(float) : sizeof(uint16_t);
    *packed = *m;
    *room = NULL;
    if (m->type == type && is_packed(m))
        return IFN_OK;
    packed->type = type;
    packed->down = m->right == 1 ? m->cols : 1;
    packed->right = m->right == 1 ? 1 : m->rows;
    packed->data = *room = malloc((size_t)(m->rows * m->cols) * bytes);
    return packed->data ? IFN_OK : IFN_ERR_NOMEM;
}

/* --- products --- */

static ifn_status multiply(call *c, const matrix *a, const matrix *b, const float *bias,
                           const matrix *out)
{
    const matrix row = {bias, dnnl_f32, 1, out->cols, out->cols, 1};
    dnnl_memory_desc_t left, right, added, result;
    dnnl_matmul_desc_t desc;
    IFN_TRY(describe(&left, a));
    IFN_TRY(describe(&right, b));
    IFN_TRY(describe(&added, &row));
    IFN_TRY(describe(&result, out));
    IFN_TRY(status_of(dnnl_matmul_desc_init(&desc, &left, &right, bias ? &added : NULL, &result)));
    IFN_TRY(status_of(dnnl_primitive_desc_create(&c->desc, &desc, c->attr, c->engine, NULL)));
    IFN_TRY(bind(c, DNNL_ARG_SRC, &left, a->data));
    IFN_TRY(bind(c, DNNL_ARG_WEIGHTS, &right, b->data));
    if (bias)
        IFN_TRY(bind(c, DNNL_ARG_BIAS, &added, bias));
    IFN_TRY(bind(c, DNNL_ARG_DST, &result, out->data));
    return execute(c);
}

static ifn_status multiply_packed(dnnl_engine_t engine, const matrix *a, const matrix *b,
                                  const float *bias, const matrix *out)
{
    call c;
    ifn_status status = begin(&c, engine);
    if (status == IFN_OK)
        status = multiply(&c, a, b, bias, out);
    return clear(&c, status);
}

/* Multiplies copies without gaps: for rows with gaps the library falls back on a kernel that writes past the end of its
 * own memory (2.6.3, gemm:jit on AVX-512, few columns). */
static ifn_status with_rooms(const product_way *way, const matrix *a, const matrix *b,
                             const float *bias, const matrix *out, void **rooms)
{
    const dnnl_data_type_t type = way->in_bf16 ? dnnl_bf16 : dnnl_f32;
    matrix left, right, result;
    IFN_TRY(find_room(a, type, &left, &rooms[0]));
    IFN_TRY(find_room(b, type, &right, &rooms[1]));
    IFN_TRY(find_room(out, dnnl_f32, &result, &rooms[2]));
    if (rooms[0])
        IFN_TRY(copy(way->engine, a, &left));
    if (rooms[1])
        IFN_TRY(copy(way->engine, b, &right));
    IFN_TRY(multiply_packed(way->engine, &left, &right, bias, &result));
    return rooms[2] ? copy(way->engine, &result, out) : IFN_OK;
}

ifn_status product_of(const product_way *way, const matrix *a, const matrix *b, const float *bias,
                      const matrix *out)
{
    void *rooms[3] = {NULL, NULL, NULL};
    const ifn_status status = with_rooms(way, a, b, bias, out, rooms);
    for (int i = 0; i < 3; i++)
        free(rooms[i]);
    return status;
}

bool product_has_bf16(dnnl_engine_t engine)
{
    static const uint16_t one = 0x3f80;
    float sum = 0;
    const matrix factor = {&one, dnnl_bf16, 1, 1, 1, 1}, out = {&sum, dnnl_f32, 1, 1, 1, 1};
    const product_way way = {engine, true};
    return product_of(&way, &factor, &factor, NULL, &out) == IFN_OK;
}
