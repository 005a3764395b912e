/*
 * The layout of simd's packed weights must not change unnoticed, as files of images outlive the program that made them.
 * If a hash changes here, increase LAYOUT_VERSION of simd.c and put the hashes of the new layout below.
 */
#include <inferno/backend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

#include "hash64.h"
#include "test.h"

enum { ROWS = 37, COLS = 512 };

/* Random bytes serve as codes and scales, since packing does not interpret them. */
static ifn_tensor make_weight(ifn_dtype dtype)
{
    const size_t bytes = ROWS * ifn_dtype_row_bytes(dtype, COLS);
    uint8_t *const data = malloc(bytes);
    uint32_t x = 1;
    for (size_t i = 0; i < bytes; i++) {
        x = x * 1664525u + 1013904223u;
        data[i] = (uint8_t)(x >> 24);
    }
    return (ifn_tensor){
        .name = "w", .data = data, .dtype = dtype, .n_dims = 2, .shape = {ROWS, COLS}};
}

static ifn_backend *open_level(const char *expression)
{
    ifn_backend *b = NULL;
    ifn_error err;
    return ifn_backend_open(expression, NULL, &b, &err) == IFN_OK ? b : NULL;
}

static const uint32_t uses = IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS;

/* The packed bytes depend on the width of a level's vectors, and on how its dot products read codes. */
TEST(each_level_packs_as_it_always_has)
{
    static const struct {
        const char *expression;
        ifn_dtype dtype;
        const char *layout;
        uint64_t hash;
    } known[] = {
        {"simd=baseline", IFN_DTYPE_F16, "simd/1 linear=baseline F16", 0x3ea96cf885fa166a},
        {"simd=baseline", IFN_DTYPE_Q8_0, "simd/1 linear_q8=baseline Q8_0", 0x3ab06b337b34f765},
        {"simd=baseline", IFN_DTYPE_Q4_K, "simd/1 linear_q8=baseline Q4_K", 0x37d49cc768fbca18},
        {"simd=baseline", IFN_DTYPE_Q5_1, "simd/1 linear_q8=baseline Q5_1", 0x4ae5f19cf410bc75},
        {"simd=baseline", IFN_DTYPE_Q3_K, "simd/1 linear_q8=baseline Q3_K", 0xf3a1b5397767a542},
        {"simd=avx2", IFN_DTYPE_F16, "simd/1 linear=avx2 F16", 0x58b3896302df06c2},
        {"simd=avx2", IFN_DTYPE_Q8_0, "simd/1 linear_q8=avx2 Q8_0", 0xffa92c322d50068e},
        {"simd=avx2", IFN_DTYPE_Q4_K, "simd/1 linear_q8=avx2 Q4_K", 0xa1f714091c19861f},
        {"simd=avx2", IFN_DTYPE_Q5_1, "simd/1 linear_q8=avx2 Q5_1", 0x5de12304a0718910},
        {"simd=avx2", IFN_DTYPE_Q3_K, "simd/1 linear_q8=avx2 Q3_K", 0x062f87d694a4a2dc},
        {"simd=avxvnni", IFN_DTYPE_F16, "simd/1 linear=avx2 F16", 0x58b3896302df06c2},
        {"simd=avxvnni", IFN_DTYPE_Q8_0, "simd/1 linear_q8=avxvnni Q8_0", 0xa55d7376f338b66d},
        {"simd=avxvnni", IFN_DTYPE_Q4_K, "simd/1 linear_q8=avxvnni Q4_K", 0xa1f714091c19861f},
        {"simd=avxvnni", IFN_DTYPE_Q5_1, "simd/1 linear_q8=avxvnni Q5_1", 0x5de12304a0718910},
        {"simd=avxvnni", IFN_DTYPE_Q3_K, "simd/1 linear_q8=avxvnni Q3_K", 0x062f87d694a4a2dc},
        {"simd=avx512", IFN_DTYPE_F16, "simd/1 linear=avx512 F16", 0xd67e260937b530ff},
        {"simd=avx512", IFN_DTYPE_Q8_0, "simd/1 linear_q8=avx512 Q8_0", 0x33b29c64d5a242d1},
        {"simd=avx512", IFN_DTYPE_Q4_K, "simd/1 linear_q8=avx512 Q4_K", 0xa18a827841179dd3},
        {"simd=avx512", IFN_DTYPE_Q5_1, "simd/1 linear_q8=avx512 Q5_1", 0x22cb750bdcc84304},
        {"simd=avx512", IFN_DTYPE_Q3_K, "simd/1 linear_q8=avx512 Q3_K", 0xb7d6a33b671e107d},
        {"simd=avx512vnni", IFN_DTYPE_F16, "simd/1 linear=avx512 F16", 0xd67e260937b530ff},
        {"simd=avx512vnni", IFN_DTYPE_Q8_0, "simd/1 linear_q8=avx512vnni Q8_0", 0x5bed507603bdfba0},
        {"simd=avx512vnni", IFN_DTYPE_Q4_K, "simd/1 linear_q8=avx512vnni Q4_K", 0xa18a827841179dd3},
        {"simd=avx512vnni", IFN_DTYPE_Q5_1, "simd/1 linear_q8=avx512vnni Q5_1", 0x22cb750bdcc84304},
        {"simd=avx512vnni", IFN_DTYPE_Q3_K, "simd/1 linear_q8=avx512vnni Q3_K", 0xb7d6a33b671e107d},
        {"simd=amxint8", IFN_DTYPE_Q8_0, "simd/1 linear_q8=amxint8 Q8_0", 0x5bed507603bdfba0},
        {"simd=amxint8", IFN_DTYPE_Q4_K, "simd/1 linear_q8=amxint8 Q4_K", 0xa18a827841179dd3},
        {"simd=amxbf16", IFN_DTYPE_F16, "simd/1 linear=amxbf16 F16", 0xd67e260937b530ff},
        {"simd=amxbf16", IFN_DTYPE_BF16, "simd/1 linear=amxbf16 BF16", 0x47059a6c358ad999},
    };
    int n_tried = 0;
    for (size_t i = 0; i < N_OF(known); i++) {
        ifn_backend *const b = open_level(known[i].expression);
        if (!b)
            continue;
        const ifn_tensor w = make_weight(known[i].dtype), *const p = &w;
        char layout[IFN_LAYOUT_BYTES];
        ifn_packed packed;
        ifn_error err = {0};
        size_t bytes;
        b->desc->layout(b, &w, uses, layout);
        assert_string_equal(layout, known[i].layout);
        assert_ok(b->desc->prepare(b, &p, 1, uses, &packed, &err), err);
        const void *const image = b->desc->image(b, &packed, &bytes);
        assert_that(ifn_hash64(image, bytes, 0) == known[i].hash, "%s: 0x%016llx", layout,
                    (unsigned long long)ifn_hash64(image, bytes, 0));
        b->desc->release(b, &packed);
        free((void *)(uintptr_t)w.data);
        ifn_backend_close(b);
        n_tried++;
    }
    if (!n_tried)
        skip(); /* a machine with other levels */
}

TEST(an_image_of_another_size_is_refused)
{
    ifn_backend *const b = open_level("simd");
    if (!b)
        skip();
    const ifn_tensor w = make_weight(IFN_DTYPE_Q8_0), *const p = &w;
    ifn_packed packed, adopted;
    ifn_error err = {0};
    size_t bytes;
    assert_ok(b->desc->prepare(b, &p, 1, uses, &packed, &err), err);
    const void *const image = b->desc->image(b, &packed, &bytes);
    assert_int_equal(b->desc->adopt(b, &w, uses, image, bytes - 1, &adopted, &err), IFN_ERR_SHAPE);
    assert_non_null(strstr(err.text, "expected"));
    assert_null(adopted.data);
    assert_ok(b->desc->adopt(b, &w, uses, image, bytes, &adopted, &err), err);
    assert_int_equal(adopted.ops, packed.ops);
    assert_true(adopted.bytes < packed.bytes);
    b->desc->release(b, &adopted);
    b->desc->release(b, &packed);
    free((void *)(uintptr_t)w.data);
    ifn_backend_close(b);
}

TEST(what_is_not_packed_has_no_layout)
{
    ifn_backend *const b = open_level("simd");
    if (!b)
        skip();
    const ifn_tensor w = make_weight(IFN_DTYPE_Q8_0);
    char layout[IFN_LAYOUT_BYTES] = "left over";
    b->desc->layout(b, &w, IFN_USE_LINEAR, layout);
    assert_string_equal(layout, "");
    free((void *)(uintptr_t)w.data);
    ifn_backend_close(b);
}
