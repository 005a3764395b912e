/* Breaks one rule at a time of all that the headers of the ops state about the irregular ops. */
#include <inferno/ops.h>

#include "legal_calls.h"
#include "test.h"

#define HUGE_EXTENT (INT64_MAX / 2)

/* `first` is the tensor of w[0]; the two ops differ in its name, its size and that of x. */
#define LINEAR_RULES(name, first, first_name, first_bytes, x_bytes)                                \
    do {                                                                                           \
        ACCEPT(name, a.bias[1] = mem[4]);                                                          \
        ACCEPT(name, (a.n_w = 1, a.w[1] = NULL, a.out[1] = NULL));                                 \
        ACCEPT(name, (a.rows = 0, a.x = NULL, a.out[0] = NULL, a.out[1] = NULL));                  \
        ACCEPT(name, (first.data = NULL, a.packed[0] = mem[5]));                                   \
        ACCEPT(name, (first.shape[0] = 0, first.data = NULL, a.out[0] = NULL));                    \
        REFUSE(name, a.rows = -1, "rows -1, expected 0 or more");                                  \
        REFUSE(name, a.k = -32, "k -32, expected 0 or more");                                      \
        REFUSE(name, a.n_w = 0, "n_w 0, expected 1 to 4");                                         \
        REFUSE(name, a.n_w = 5, "n_w 5, expected 1 to 4");                                         \
        REFUSE(name, a.x = NULL, "x is NULL, expected " x_bytes " bytes");                         \
        REFUSE(name, a.w[1] = NULL, "w[1] is NULL, expected a tensor");                            \
        REFUSE(name, first.data = NULL, "w[0] is NULL, expected " first_bytes " bytes");           \
        REFUSE(name, a.out[1] = NULL, "out[1] is NULL, expected 84 bytes");                        \
        REFUSE(name, a.out_stride[1] = 6, "out_stride[1] 6, expected 7 or more");                  \
        REFUSE(name, a.n_w = 3, "w[2] is NULL, expected a tensor");                                \
        REFUSE(name, a.rows = HUGE_EXTENT, "x: larger than any memory");                           \
        REFUSE(name, a.out_stride[0] = INT64_MAX, "out[0]: larger than any memory");               \
        REFUSE(name, first.n_dims = 1, "w[0] " first_name ": 1 dimensions, expected 2");           \
        REFUSE(name, first.shape[1] = 64, "w[0] " first_name ": shape [5, 64], expected [*, 32]"); \
        REFUSE(name, first.dtype = IFN_DTYPE_Q8_32F,                                               \
               "w[0] " first_name ": dtype Q8_32F, expected one that files hold");                 \
        REFUSE(name, a.bias[1] = a.out[1] + 20, "out[1] overlaps bias[1]");                        \
        REFUSE(name, a.bias[0] = a.out[1], "out[1] overlaps bias[0]");                             \
        REFUSE(name, a.out[1] = a.out[0] + 14, "out[1] overlaps out[0]");                          \
        REFUSE(name, a.out[0] = mem[6], "out[0] overlaps w[0]");                                   \
        REFUSE(name, a.out[0] = mem[7], "out[0] overlaps w[1]");                                   \
        REFUSE(name, a.out[1] = mem[2], "out[1] overlaps x");                                      \
    } while (0)

TEST(linear_keeps_its_contract)
{
    LINEAR_RULES(linear, legal_w5, "w5", "640", "384");
    ACCEPT(linear, (a.w[0] = &legal_q5, a.w[1] = &legal_q7));
    ACCEPT(linear, (a.k = 0, legal_w5.shape[1] = 0, legal_w7.shape[1] = 0, a.x = NULL));
    REFUSE(linear, a.x_stride = 31, "x_stride 31, expected 32 or more");
    ACCEPT(linear, a.x_stride = 40);
    ACCEPT(linear, (a.n_w = 4, a.w[2] = a.w[3] = &legal_w7, a.out[2] = mem[4], a.out[3] = mem[5],
                    a.out_stride[2] = a.out_stride[3] = 7));
}

/* Both outputs lie in one buffer [rows, 5 + 7]: their rows interleave and share no element. */
TEST(outputs_of_a_linear_may_lie_side_by_side)
{
    ACCEPT(linear, (a.out[1] = a.out[0] + 5, a.out_stride[0] = 12, a.out_stride[1] = 12));
    REFUSE(linear, (a.out[1] = a.out[0] + 4, a.out_stride[0] = 12, a.out_stride[1] = 12),
           "out[1] overlaps out[0]");
    REFUSE(linear, (a.out[1] = a.out[0] + 6, a.out_stride[0] = 12, a.out_stride[1] = 12),
           "out[1] overlaps out[0]");
}

/* Three weights without columns, each of which is legal alone, have too many features together. */
TEST(features_of_a_linear_can_be_counted)
{
    const ifn_tensor tall = {"tall", NULL, IFN_DTYPE_F32, 2, {INT64_MAX / 2, 0}};
    ifn_linear_args a = IFN_ARGS(linear, .n_w = 2, .w = {&tall, &tall, &tall});
    for (int i = 0; i < 3; i++)
        a.out_stride[i] = INT64_MAX / 2;
    if (SIZE_MAX < UINT64_MAX) { /* the bytes of a row overflow before the features do */
        assert_refused("linear", &a.call, IFN_ERR_SHAPE, "out[0]: larger than any memory");
        return;
    }
    assert_accepted("linear", &a.call);
    a.n_w = 3;
    assert_refused("linear", &a.call, IFN_ERR_SHAPE, "features: larger than any memory");
}

TEST(linear_q8_keeps_its_contract)
{
    LINEAR_RULES(linear_q8, legal_q5, "q5", "170", "120");
    ACCEPT(linear_q8, a.x_stride = 2);
    REFUSE(linear_q8, a.x_stride = 0, "x_stride 0, expected 1 or more");
    REFUSE(linear_q8, a.k = 33, "k 33, expected a multiple of 32 for Q8_32F");
    REFUSE(linear_q8, a.w[0] = &legal_w5, "w[0] w5: dtype F32, expected a quantized one");
    REFUSE(linear_q8, legal_q7.dtype = IFN_DTYPE_F16,
           "w[1] q7: dtype F16, expected a quantized one");
    REFUSE(linear_q8, legal_q7.dtype = IFN_DTYPE_Q6_K,
           "w[1] q7: rows of 32, expected a multiple of 256 for Q6_K");
}

/* The cache of a sequence may begin within a longer one, and another tensor may begin where it ends. */
TEST(behind_the_positions_of_a_call_a_cache_is_not_its)
{
    const ifn_attention_args legal = legal_attention();
    const size_t row = (size_t)legal.head_dim * sizeof(float);
    const size_t seen =
        (size_t)((legal.n_kv_heads - 1) * legal.max_pos + legal.first_pos + legal.rows) * row;
    assert_true(legal.first_pos + legal.rows < legal.max_pos);
    ACCEPT(attention, a.k_cache = (char *)a.out - seen);
    REFUSE(attention, a.k_cache = (char *)a.out - seen + 4, "out overlaps k_cache");
    ACCEPT(kv_store,
           (a.v_cache = (char *)a.k_cache +
                        ((a.n_kv_heads - 1) * a.max_pos + a.first_pos + a.rows) * a.head_dim * 4));
}

TEST(attention_keeps_its_contract)
{
    ACCEPT(attention, a.cache_dtype = IFN_DTYPE_Q8_0);
    ACCEPT(attention, (a.rows = 0, a.out = NULL, a.q = NULL));
    ACCEPT(attention, (a.n_heads = a.n_kv_heads = 0, a.out = NULL, a.q = NULL));
    REFUSE(attention, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(attention, a.max_pos = -1, "max_pos -1, expected 0 or more");
    REFUSE(attention, a.n_heads = -6, "n_heads -6, expected 0 or more");
    REFUSE(attention, a.n_kv_heads = -3, "n_kv_heads -3, expected 0 or more");
    REFUSE(attention, a.head_dim = -1, "head_dim -1, expected 0 or more");
    REFUSE(attention, a.first_pos = -1, "first_pos -1: 2 from there on do not fit 9");
    REFUSE(attention, a.first_pos = 8, "first_pos 8: 2 from there on do not fit 9");
    REFUSE(attention, a.n_heads = 7, "n_heads 7, expected a multiple of n_kv_heads 3");
    REFUSE(attention, a.n_kv_heads = 0, "n_heads 6, expected a multiple of n_kv_heads 0");
    REFUSE(attention, a.cache_dtype = IFN_DTYPE_Q4_0,
           "cache_dtype Q4_0, expected F32, F16 or Q8_0");
    REFUSE(attention, (a.head_dim = 40, a.cache_dtype = IFN_DTYPE_Q8_0),
           "head_dim 40, expected a multiple of 32 for Q8_0");
    REFUSE(attention, a.phase = 3, "phase 3, expected 0 to 2");
    REFUSE(attention, a.phase = -1, "phase -1, expected 0 to 2");
    REFUSE(attention, a.out = NULL, "out is NULL, expected 1536 bytes");
    REFUSE(attention, a.q = NULL, "q is NULL, expected 1536 bytes");
    REFUSE(attention, a.k_cache = NULL, "k_cache is NULL, expected 3456 bytes");
    REFUSE(attention, a.v_cache = NULL, "v_cache is NULL, expected 3456 bytes");
    REFUSE(attention, a.q = a.out, "out overlaps q");
    REFUSE(attention, a.k_cache = a.out, "out overlaps k_cache");
    REFUSE(attention, a.v_cache = a.out, "out overlaps v_cache");
    REFUSE(attention, a.head_dim = HUGE_EXTENT, "head_dim: larger than any memory");
}

/* Two spans with 2 rows together, and a cache of 7 positions. */
TEST(spans_of_kv_store_fit_their_cache_and_keep_apart)
{
    ifn_span s[] = {{0, 2, 1}, {3, 3, 1}};
#define SPANS (a.spans = s, a.n_spans = 2, a.first_pos = 0)
    ACCEPT(kv_store, SPANS);
    REFUSE(kv_store, a.n_spans = -1, "n_spans -1, expected 0 or more");
    REFUSE(kv_store, a.n_spans = 2, "spans is NULL, expected 2");
    REFUSE(kv_store, (SPANS, a.first_pos = 1), "first_pos 1, expected 0 beside spans");
    REFUSE(kv_store, (SPANS, a.rows = 3), "rows 3, expected those of the spans, 2");
    REFUSE(kv_store, (SPANS, a.n_spans = 1), "rows 2, expected those of the spans, 1");
    s[1] = (ifn_span){0, 2, 1};
    REFUSE(kv_store, SPANS, "spans[1] overlaps spans[0]");
    s[1] = (ifn_span){4, 3, 1};
    REFUSE(kv_store, SPANS, "spans[1] {4, 3, 1}, expected one inside [0, 7)");
    s[1] = (ifn_span){-1, 3, 1};
    REFUSE(kv_store, SPANS, "spans[1] {-1, 3, 1}, expected one inside [0, 7)");
    s[1] = (ifn_span){INT64_MAX, INT64_MAX, 1};
    REFUSE(kv_store, SPANS,
           "spans[1] {9223372036854775807, 9223372036854775807, 1}, expected one inside [0, 7)");
    s[0] = (ifn_span){1, 2, 2};
    s[1] = (ifn_span){2, 2, 0}; /* no rows, among those of another */
    ACCEPT(kv_store, SPANS);
    s[1] = s[0], s[0] = (ifn_span){2, 2, 0};
    ACCEPT(kv_store, SPANS);
}

TEST(spans_of_attention_may_read_the_same_keys)
{
    ifn_span s[] = {{0, 2, 1}, {0, 2, 1}};
    ACCEPT(attention, SPANS);
    REFUSE(attention, (SPANS, a.spans = NULL), "spans is NULL, expected 2");
    REFUSE(attention, (SPANS, a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[1]),
           "n_spans 2, expected 0 or 1 in phase 1");
    s[0].rows = 2;
    ACCEPT(attention, (SPANS, a.n_spans = 1, a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[1],
                       a.out = NULL));
    s[0].begin = 6;
    REFUSE(attention, (SPANS, a.n_spans = 1), "spans[0] {6, 2, 2}, expected one inside [0, 9)");
#undef SPANS
}

/* Rows 15 and 16 of a cache of two pages and one more row. */
#define PAGES                                                                                      \
    (a.pages = table, a.n_pages = 3, a.page_rows = 16, a.max_pos = 33, a.first_pos = 15, a.rows = 2)

TEST(pages_of_kv_store_are_of_the_cache_and_written_once)
{
    int32_t table[] = {1, 0, -1}; /* no row is in the third */
    ifn_span s[] = {{0, 15, 1}, {16, 2, 1}};
    ACCEPT(kv_store, PAGES);
    ACCEPT(kv_store, (PAGES, a.n_pages = 2));
    ACCEPT(kv_store, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0));
    REFUSE(kv_store, (PAGES, a.page_rows = 8), "page_rows 8, expected a power of two, 16 to 256");
    REFUSE(kv_store, (PAGES, a.page_rows = 48), "page_rows 48, expected a power of two, 16 to 256");
    REFUSE(kv_store, (PAGES, a.page_rows = 512), "page_rows 512, expected 0 to 256");
    REFUSE(kv_store, (PAGES, a.page_rows = 0), "n_pages 3, expected 0 beside page_rows 0");
    REFUSE(kv_store, (PAGES, a.pages = NULL), "pages is NULL, expected 3");
    REFUSE(kv_store, (PAGES, a.n_pages = -1), "n_pages -1, expected 0 or more");
    REFUSE(kv_store, (PAGES, a.n_pages = 1), "n_pages 1, expected 2 or more");
    s[1] = (ifn_span){0, 33, 1};
    REFUSE(kv_store, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0),
           "spans[1] ends at position 34, expected at most 33");
    s[1] = (ifn_span){8, 2, 1};
    REFUSE(kv_store, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0),
           "spans[1] begins at 8, expected a multiple of 16");
    s[1] = (ifn_span){32, 0, 1};
    REFUSE(kv_store, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0),
           "pages[2] -1, expected one of [0, 2)");
    table[1] = 2;
    REFUSE(kv_store, PAGES, "pages[1] 2, expected one of [0, 2)");
    table[1] = 1;
    REFUSE(kv_store, PAGES, "pages[0] and pages[1] are both page 1, and are written");
    s[1] = (ifn_span){16, 2, 1};
    REFUSE(kv_store, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0),
           "pages[0] and pages[1] are both page 1, and are written");
    ACCEPT(kv_store, (PAGES, a.rows = 1)); /* which is read elsewhere only */
}

TEST(pages_of_attention_may_be_read_again)
{
    int32_t table[] = {1, 1, -1};
    const ifn_span s[] = {{0, 9, 1}, {16, 9, 1}};
    ACCEPT(attention, PAGES);
    ACCEPT(attention, (PAGES, a.spans = s, a.n_spans = 2, a.first_pos = 0));
    REFUSE(attention, (PAGES, a.page_rows = 8), "page_rows 8, expected a power of two, 16 to 256");
    REFUSE(attention, (PAGES, a.pages = NULL), "pages is NULL, expected 3");
    REFUSE(attention, (PAGES, a.n_pages = 1), "n_pages 1, expected 2 or more");
    REFUSE(attention, (PAGES, a.first_pos = 32, a.rows = 2),
           "first_pos 32: 2 from there on do not fit 33");
    table[0] = -1;
    REFUSE(attention, PAGES, "pages[0] -1, expected one of [0, 2)");
    ACCEPT(attention, (PAGES, a.rows = 0, a.first_pos = 0));
}

TEST(phases_of_attention_need_only_what_they_touch)
{
    ACCEPT(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[1], a.out = NULL));
    ACCEPT(attention, (a.phase = IFN_ATTENTION_MERGE, a.partials = mem[1], a.q = NULL,
                       a.k_cache = NULL, a.v_cache = NULL));
    REFUSE(attention, a.phase = IFN_ATTENTION_PARTIALS, "partials is NULL, expected 1632 bytes");
    REFUSE(attention, (a.phase = IFN_ATTENTION_MERGE, a.first_pos = 255, a.max_pos = 257),
           "partials is NULL, expected 3264 bytes");
    REFUSE(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[1], a.q = NULL),
           "q is NULL, expected 1536 bytes");
    REFUSE(attention, (a.phase = IFN_ATTENTION_MERGE, a.partials = mem[1], a.out = NULL),
           "out is NULL, expected 1536 bytes");
    REFUSE(attention, (a.phase = IFN_ATTENTION_MERGE, a.partials = a.out), "out overlaps partials");
    REFUSE(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[2] + 383),
           "partials overlaps q");
    REFUSE(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[3]),
           "partials overlaps k_cache");
    REFUSE(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[4]),
           "partials overlaps v_cache");
}

TEST(reshape_data_keeps_its_contract)
{
    ACCEPT(reshape_data, a.x = a.out);
    ACCEPT(reshape_data, (a.rows = 0, a.out_cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(reshape_data, a.rows = -3, "rows -3, expected 0 or more");
    REFUSE(reshape_data, a.cols = -4, "cols -4, expected 0 or more");
    REFUSE(reshape_data, a.out_rows = -2, "out_rows -2, expected 0 or more");
    REFUSE(reshape_data, a.out_cols = -6, "out_cols -6, expected 0 or more");
    REFUSE(reshape_data, a.out_cols = 5, "out [2, 5], expected the elements of [3, 4]");
    REFUSE(reshape_data, a.rows = INT64_MAX, "x: larger than any memory");
    REFUSE(reshape_data, a.out_rows = INT64_MAX, "out: larger than any memory");
    REFUSE(reshape_data, a.out = NULL, "out is NULL, expected 48 bytes");
    REFUSE(reshape_data, a.x = NULL, "x is NULL, expected 48 bytes");
    REFUSE(reshape_data, a.x = a.out + 1, "out overlaps x, expected equal or apart");
}

TEST(gather_rows_keeps_its_contract)
{
    ACCEPT(gather_rows, (a.n = 0, a.out = NULL, a.ids = NULL));
    ACCEPT(gather_rows, (legal_w5.data = NULL, a.packed = mem[5]));
    ACCEPT(gather_rows, a.table = &legal_q5);
    REFUSE(gather_rows, a.n = -1, "n -1, expected 0 or more");
    REFUSE(gather_rows, a.out = NULL, "out is NULL, expected 512 bytes");
    REFUSE(gather_rows, a.ids = NULL, "ids is NULL, expected 16 bytes");
    REFUSE(gather_rows, a.table = NULL, "table is NULL, expected a tensor");
    REFUSE(gather_rows, legal_w5.data = NULL, "table is NULL, expected 640 bytes");
    REFUSE(gather_rows, legal_w5.data = a.out + 100, "out overlaps table");
    REFUSE(gather_rows, a.out = mem[6] + 159, "out overlaps table");
    REFUSE(gather_rows, a.ids = (const int32_t *)a.out, "out overlaps ids");
}

TEST(gather_rows_looks_at_its_table)
{
    REFUSE(gather_rows, legal_w5.n_dims = 3, "table w5: 3 dimensions, expected 2");
    REFUSE(gather_rows, legal_w5.n_dims = 1, "table w5: 1 dimensions, expected 2");
    REFUSE(gather_rows, legal_w5.shape[0] = -5, "table w5: shape [-5, 32], expected 0 or more");
    REFUSE(gather_rows, legal_w5.shape[1] = -32, "table w5: shape [5, -32], expected 0 or more");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_COUNT,
           "table w5: dtype ?, expected one that files hold");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_Q8_32F,
           "table w5: dtype Q8_32F, expected one that files hold");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_Q4_K,
           "table w5: rows of 32, expected a multiple of 256 for Q4_K");
    REFUSE(gather_rows, legal_w5.shape[0] = INT64_MAX, "table: larger than any memory");
}

TEST(gather_rows_looks_at_the_ids_of_its_part_only)
{
    ACCEPT(gather_rows, legal_ids[1] = 0);
    REFUSE_AS(gather_rows, legal_ids[1] = -1, IFN_ERR_ARGUMENT, "ids[1] -1, w5 has 5 rows");
    REFUSE_AS(gather_rows, legal_ids[3] = 5, IFN_ERR_ARGUMENT, "ids[3] 5, w5 has 5 rows");
    ACCEPT(gather_rows, (legal_ids[3] = 5, a.part_end = 3));
    ACCEPT(gather_rows, (legal_ids[0] = 5, a.part_begin = 1, a.part_end = 4));
    REFUSE_AS(gather_rows, (legal_ids[2] = 9, a.part_begin = 2, a.part_end = 3), IFN_ERR_ARGUMENT,
              "ids[2] 9, w5 has 5 rows");
    REFUSE(gather_rows, (legal_ids[3] = 5, a.part_end = 9),
           "part [0, 9), expected a range inside [0, 4)");
    REFUSE(gather_rows, (a.part_begin = -9, a.part_end = 2),
           "part [-9, 2), expected a range inside [0, 4)");
}
