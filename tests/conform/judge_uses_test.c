/* Handles and images by what weights are prepared for: either hint, both, or none, and other ops. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "leaves.h"
#include "test.h"

enum { HEAD = 64, HINTS = IFN_USE_ONE_ROW | IFN_USE_MANY_ROWS };

/* A handle: the rows of a weight, each byte combined with `form`, and after them a mark that no op reads. */
typedef struct handle {
    const unsigned char *rows;
    size_t bytes; /* of the rows */
    uint32_t uses;
    int form;
} handle;

typedef uint64_t mark;

/* A way to treat `uses`: how a backend packs, names and refuses weights by them. */
typedef struct way {
    const char *name;
    int (*form)(uint32_t uses);
    int (*named)(uint32_t uses); /* what the name of the layout says */
    int (*is_raw)(
        uint32_t uses); /* no handle is made; no layout is named either, unless names_raw is set */
    int (*refuses)(uint32_t uses); /* prepare is refused */
    int (*is_wrong)(const handle *h, int64_t rows);
    mark (*marked)(uint32_t uses, const void *block);
    bool names_raw, goes_by_latest;
} way;

static const way *way_of(const ifn_backend *self);

static uint32_t latest;
static int n_named;

static int nothing(uint32_t uses)
{
    (void)uses;
    return 0;
}

static int hints_of(uint32_t uses)
{
    return (int)((uses & HINTS) / IFN_USE_ONE_ROW);
}

static int ops_of(uint32_t uses)
{
    return (int)(uses & (IFN_USE_GATHER_ROWS | IFN_USE_LINEAR));
}

static int one_alone(uint32_t uses)
{
    return (uses & HINTS) == IFN_USE_ONE_ROW;
}

static int count_names(uint32_t uses)
{
    (void)uses;
    return n_named++;
}

static int never(const handle *h, int64_t rows)
{
    (void)h, (void)rows;
    return 0;
}

static int rows_of_one(const handle *h, int64_t rows)
{
    return one_alone(h->uses) && rows > 1;
}

static int one_of_rows(const handle *h, int64_t rows)
{
    return (h->uses & HINTS) == IFN_USE_MANY_ROWS && rows == 1;
}

static int without_hints(const handle *h, int64_t rows)
{
    (void)rows;
    return !(h->uses & HINTS);
}

static mark unmarked(uint32_t uses, const void *block)
{
    (void)uses, (void)block;
    return 0;
}

static mark marked_by_uses(uint32_t uses, const void *block)
{
    (void)block;
    return uses;
}

static mark marked_by_address(uint32_t uses, const void *block)
{
    (void)uses;
    return (uintptr_t)block;
}

static void put_over(unsigned char *to, const unsigned char *from, size_t bytes, int form)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(from[i] ^ form);
}

static ifn_status make_handle(ifn_backend *self, size_t bytes, uint32_t uses, ifn_packed *out,
                              ifn_error *err)
{
    handle *const h = self->buffers->alloc(self->buffers->cookie, HEAD + bytes, HEAD);
    if (!h)
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory");
    *h = (handle){(unsigned char *)h + HEAD, bytes, uses, way_of(self)->form(uses)};
    *out = (ifn_packed){
        .data = h, .bytes = HEAD + bytes, .ops = uses & (IFN_USE_GATHER_ROWS | IFN_USE_LINEAR)};
    latest = uses;
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    self->buffers->free(self->buffers->cookie, packed->data, packed->bytes);
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    const way *const how = way_of(self);
    if (how->refuses(uses))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "not for these rows");
    for (int i = 0; i < n && !how->is_raw(uses); i++) {
        const size_t bytes = ifn_matrix_bytes(w[i]);
        const ifn_status status = make_handle(self, bytes + sizeof(mark), uses, &out[i], err);
        if (status != IFN_OK) {
            while (i-- > 0)
                release(self, &out[i]);
            return status;
        }
        handle *const h = out[i].data;
        const mark m = how->marked(uses, h);
        h->bytes = bytes;
        put_over((unsigned char *)h + HEAD, w[i]->data, bytes, h->form);
        memcpy((unsigned char *)h + HEAD + bytes, &m, sizeof m);
    }
    return IFN_OK;
}

static void layout(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES])
{
    const way *const how = way_of(self);
    (void)w;
    *out = '\0';
    if (!how->is_raw(uses) || how->names_raw)
        snprintf(out, IFN_LAYOUT_BYTES, "form %d", how->named(uses));
}

static const void *image(ifn_backend *self, const ifn_packed *packed, size_t *bytes)
{
    const handle *const h = packed->data;
    (void)self;
    *bytes = h->bytes + sizeof(mark);
    return h->rows;
}

static ifn_status adopt(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *from,
                        size_t bytes, ifn_packed *out, ifn_error *err)
{
    if (bytes != ifn_matrix_bytes(w) + sizeof(mark))
        return ifn_fail(err, IFN_ERR_SHAPE, "its size");
    const ifn_status status = make_handle(self, 0, uses, out, err);
    if (status == IFN_OK) {
        ((handle *)out->data)->rows = from;
        ((handle *)out->data)->bytes = bytes - sizeof(mark);
    }
    return status;
}

/* Returns the unpacked rows, which the caller frees; NULL if there is no memory. */
static unsigned char *rows_of(const ifn_backend *self, const handle *h)
{
    unsigned char *const rows = malloc(h->bytes);
    if (rows)
        put_over(rows, h->rows, h->bytes,
                 way_of(self)->goes_by_latest ? way_of(self)->form(latest) : h->form);
    return rows;
}

static ifn_status linear(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args raw = *a;
    ifn_tensor w[IFN_LINEAR_MAX];
    unsigned char *rows[IFN_LINEAR_MAX] = {NULL};
    ifn_status status = IFN_OK;
    bool is_wrong = false;
    for (int64_t i = 0; i < a->n_w; i++) {
        const handle *const h = a->packed[i];
        raw.packed[i] = NULL;
        if (!h)
            continue;
        w[i] = *a->w[i];
        w[i].data = rows[i] = rows_of(self, h);
        raw.w[i] = &w[i];
        is_wrong |= way_of(self)->is_wrong(h, a->rows);
        status = rows[i] ? status : IFN_ERR_NOMEM;
    }
    if (status == IFN_OK)
        status = ifn_linear(self->base, &raw);
    if (status == IFN_OK && is_wrong)
        a->out[0][0] += 1;
    for (int64_t i = 0; i < a->n_w; i++)
        free(rows[i]);
    return status;
}

static ifn_status gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_gather_rows_args raw = *a;
    ifn_tensor table = *a->table;
    raw.table = &table;
    raw.packed = NULL;
    if (!a->packed)
        return ifn_gather_rows(self->base, a);
    unsigned char *const rows = rows_of(self, a->packed);
    table.data = rows;
    const ifn_status status = rows ? ifn_gather_rows(self->base, &raw) : IFN_ERR_NOMEM;
    free(rows);
    return status;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear;
    table->gather_rows = gather_rows;
}

/* clang-format off */
/* X(name, form, named, is_raw, refuses, is_wrong, marked, names_raw, goes_by_latest) */
#define WAYS(X)                                                                                    \
    X(ignores, nothing, nothing, nothing, nothing, never, unmarked, false, false)                   \
    X(form_per_hint, hints_of, hints_of, nothing, nothing, never, unmarked, false, false)           \
    X(form_per_op, ops_of, ops_of, nothing, nothing, never, unmarked, false, false)                 \
    X(raw_for_one, nothing, nothing, one_alone, nothing, never, unmarked, false, false)             \
    X(names_of_one_form, nothing, hints_of, nothing, nothing, never, unmarked, false, false)        \
    X(one_row_kernel, nothing, nothing, nothing, nothing, rows_of_one, unmarked, false, false)      \
    X(tiles_alone, nothing, nothing, nothing, nothing, one_of_rows, unmarked, false, false)         \
    X(hints_needed, nothing, nothing, nothing, nothing, without_hints, unmarked, false, false)      \
    X(refuses_one, nothing, nothing, nothing, one_alone, never, unmarked, false, false)             \
    X(latest_hints, hints_of, hints_of, nothing, nothing, never, unmarked, false, true)             \
    X(hints_unnamed, hints_of, nothing, nothing, nothing, never, unmarked, false, false)            \
    X(ops_unnamed, ops_of, nothing, nothing, nothing, never, unmarked, false, false)                \
    X(uses_inside, nothing, nothing, nothing, nothing, never, marked_by_uses, false, false)         \
    X(address_inside, nothing, nothing, nothing, nothing, never, marked_by_address, false, false)   \
    X(raw_and_named, nothing, nothing, one_alone, nothing, never, unmarked, true, false)            \
    X(named_anew, nothing, count_names, nothing, nothing, never, unmarked, false, false)
/* clang-format on */

#define X(word, form, named, is_raw, refuses, is_wrong, marked, names_raw, latest)                 \
    static const way way_##word = {#word,    form,   named,     is_raw, refuses,                   \
                                   is_wrong, marked, names_raw, latest};                           \
    static const ifn_backend_desc desc_##word = {                                                  \
        IFN_BACKEND_STAMP,  .name = #word,    .summary = "",  .fill = fill,  .prepare = prepare,   \
        .release = release, .layout = layout, .image = image, .adopt = adopt};                     \
    static const conform_tested word = {#word, leaf_open, &desc_##word};
WAYS(X)
#undef X

static const way *way_of(const ifn_backend *self)
{
    static const way *const all[] = {
#define X(word, ...) &way_##word,
        WAYS(X)
#undef X
    };
    for (size_t i = 0; i < N_OF(all); i++)
        if (strcmp(self->desc->name, all[i]->name) == 0)
            return all[i];
    abort();
}

/* Writes a name that fills all the room and has no NUL. */
static void layout_endless(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                           char out[IFN_LAYOUT_BYTES])
{
    (void)self, (void)w, (void)uses;
    memset(out, 'x', IFN_LAYOUT_BYTES);
}

static const ifn_backend_desc desc_endless = {
    IFN_BACKEND_STAMP,  .name = "ignores",        .summary = "",  .fill = fill,  .prepare = prepare,
    .release = release, .layout = layout_endless, .image = image, .adopt = adopt};
static const conform_tested endless = {"endless", leaf_open, &desc_endless};

static leaf_statistics judge_rows(const conform_tested *tested, int64_t rows, conform_check check)
{
    return leaf_judge(tested,
                      (conform_case){.op = IFN_OP_LINEAR,
                                     .dim = {rows, 5, 8, 2, 3, 0},
                                     .tier = TIER_T1,
                                     .family = FAMILY_NORMAL,
                                     .prepared = 1},
                      check);
}

static void expect_honest(const conform_tested *tested)
{
    for (int64_t rows = 1; rows <= 3; rows += 2) {
        const leaf_statistics s = judge_rows(tested, rows, CHECK_PREPARE);
        assert_that(s.n_check + s.n_other == 0, "%s: %s", tested->label, s.first);
    }
}

/* Expects calls of so many rows to fail by `check`, and by no other. */
static void expect_caught(const conform_tested *tested, int64_t rows, conform_check check,
                          const char *said)
{
    const leaf_statistics s = judge_rows(tested, rows, check);
    assert_that(s.n_check > 0 && s.n_passed > 0 && s.n_other == 0 && strstr(s.first, said),
                "%s: %d, %d, %d: %s", tested->label, s.n_check, s.n_passed, s.n_other, s.first);
}

TEST(hints_may_be_gone_by_or_not)
{
    expect_honest(&ignores);
    expect_honest(&form_per_hint);
    expect_honest(&form_per_op);
    expect_honest(&raw_for_one);
    expect_honest(&names_of_one_form);
}

TEST(a_handle_for_one_row_is_right_for_more)
{
    expect_caught(&one_row_kernel, 3, CHECK_VALUE, "");
}

TEST(a_handle_for_many_rows_is_right_for_one)
{
    expect_caught(&tiles_alone, 1, CHECK_VALUE, "");
}

TEST(hints_may_be_missing)
{
    expect_caught(&hints_needed, 3, CHECK_VALUE, "");
}

TEST(weights_are_prepared_for_either_hint)
{
    expect_caught(&refuses_one, 3, CHECK_PREPARE, "prepare: not for these rows");
}

TEST(a_handle_is_read_by_its_own_hints)
{
    expect_caught(&latest_hints, 3, CHECK_PREPARE, "");
}

TEST(layouts_of_other_hints_have_other_names)
{
    expect_caught(&hints_unnamed, 3, CHECK_PREPARE, "image: differs at byte 0 of");
}

TEST(layouts_of_other_ops_have_other_names)
{
    expect_caught(&ops_unnamed, 3, CHECK_PREPARE, "though both are named 'form 0'");
}

TEST(images_of_one_name_have_the_same_bytes)
{
    expect_caught(&uses_inside, 3, CHECK_PREPARE, "image: differs at byte ");
    expect_caught(&address_inside, 3, CHECK_PREPARE, "image: differs at byte ");
}

TEST(what_has_a_name_is_made)
{
    expect_caught(&raw_and_named, 3, CHECK_PREPARE,
                  "layout: names 'form 0' where prepare makes no handle");
}

TEST(a_layout_keeps_its_name)
{
    const leaf_statistics s = judge_rows(&named_anew, 3, CHECK_PREPARE);
    assert_that(s.n_check > 0 && s.n_other == 0 && strstr(s.first, " when asked again"), "%s",
                s.first);
}

TEST(the_name_of_a_layout_has_an_end)
{
    expect_caught(&endless, 3, CHECK_PREPARE, "layout: a name without an end");
}
