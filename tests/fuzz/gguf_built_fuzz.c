/*
 * A GGUF file built by the grammar, where the input makes each choice: versions, value types, nested arrays, tensors
 * in any order. A choice may be a lie about a count, a length, a type or an offset. A file without a lie must open and
 * hold what was put in.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/gguf.h>

#include "fuzz_input.h"
#include "image.h"
#include "walk.h"

enum { MAX_KVS = 8, MAX_TENSORS = 6, MAX_NESTED = 8, LIES_FROM = 0xf0 };

typedef struct tensor {
    uint64_t dims[IFN_MAX_DIMS], offset, bytes;
    uint32_t n_dims, kind;
} tensor;

typedef struct builder {
    fuzz_bytes in;
    image out;
    bool lied;
    uint64_t alignment;
    int n_kvs, n_tensors;
    tensor tensors[MAX_TENSORS];
} builder;

/* The number of a type in the file, and the elements and bytes of a block. */
static const struct {
    uint32_t number, elements, bytes;
} kinds[] = {{0, 1, 4}, {1, 1, 2}, {8, 32, 34}, {12, 256, 144}, {24, 1, 1}, {28, 1, 8}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Returns the value, or another one if the input chooses to lie. */
static uint64_t perhaps(builder *b, uint64_t value)
{
    static const uint64_t extremes[] = {0,        1,         0xff,       UINT32_MAX,
                                        1u << 31, INT64_MAX, UINT64_MAX, (uint64_t)1 << 61};
    if (fuzz_u8(&b->in) < LIES_FROM)
        return value;
    const uint32_t pick = fuzz_below(&b->in, 12);
    uint64_t lie = fuzz_u64(&b->in, 8);
    if (pick < 8)
        lie = extremes[pick];
    else if (pick < 11)
        lie = value + pick - 9;
    b->lied = b->lied || lie != value;
    return lie;
}

static void put_length(builder *b, uint64_t value)
{
    image_length(&b->out, perhaps(b, value));
}

static void put_text(builder *b, const void *data, size_t bytes)
{
    put_length(b, bytes);
    image_put(&b->out, data, bytes);
}

static void put_some_text(builder *b)
{
    size_t bytes = fuzz_below(&b->in, 24);
    const uint8_t *text = fuzz_take(&b->in, &bytes);
    put_text(b, text, bytes);
}

static uint32_t width_of(ifn_gguf_type type)
{
    switch (type) {
#define X(NAME, number, bytes, text)                                                               \
    case IFN_GGUF_##NAME:                                                                          \
        return bytes;
        IFN_GGUF_VALUE_TYPES(X)
#undef X
    }
    return 0;
}

static void put_values(builder *b, ifn_gguf_type type, uint32_t n, int depth)
{
    for (uint32_t i = 0; i < n; i++) {
        if (type == IFN_GGUF_STRING) {
            put_some_text(b);
        } else if (type == IFN_GGUF_ARRAY) {
            ifn_gguf_type inner = (ifn_gguf_type)fuzz_below(&b->in, IFN_GGUF_FLOAT64 + 1);
            if (depth == MAX_NESTED && inner == IFN_GGUF_ARRAY)
                inner = IFN_GGUF_UINT8;
            const uint32_t n_inner = fuzz_below(&b->in, 4);
            image_u32(&b->out, (uint32_t)perhaps(b, inner));
            put_length(b, n_inner);
            put_values(b, inner, n_inner, depth + 1);
        } else {
            const uint64_t value = fuzz_u64(&b->in, (int)width_of(type));
            const uint64_t legal = type == IFN_GGUF_BOOL ? perhaps(b, value & 1) : value;
            uint8_t bytes[8];
            for (int j = 0; j < 8; j++)
                bytes[j] = (uint8_t)(legal >> 8 * j);
            image_put(&b->out, bytes, width_of(type));
        }
    }
}

/* Writes the i-th name, "a", "b", ...: each occurs once, unless it is a lie. */
static void put_name(builder *b, int i)
{
    const uint8_t name = (uint8_t)perhaps(b, (uint64_t)('a' + i));
    put_text(b, &name, 1);
}

static void put_kv(builder *b, int i)
{
    const ifn_gguf_type type = (ifn_gguf_type)fuzz_below(&b->in, IFN_GGUF_FLOAT64 + 1);
    put_name(b, i);
    image_u32(&b->out, (uint32_t)perhaps(b, type));
    put_values(b, type, 1, 0);
}

static void put_alignment(builder *b)
{
    b->alignment = (uint64_t)1 << fuzz_below(&b->in, 10);
    image_kv_u32(&b->out, "general.alignment", (uint32_t)perhaps(b, b->alignment));
}

/* The first dimension in the file is the last one of a view, and whole blocks. */
static void choose_tensor(builder *b, tensor *t)
{
    t->kind = fuzz_below(&b->in, N_KINDS);
    t->n_dims = fuzz_below(&b->in, IFN_MAX_DIMS + 1);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < t->n_dims; i++) {
        t->dims[i] = fuzz_below(&b->in, 5) * (i == 0 ? kinds[t->kind].elements : 1);
        elements *= t->dims[i];
    }
    if (t->n_dims == 0 && kinds[t->kind].elements > 1)
        t->kind = 0;
    t->bytes = elements / kinds[t->kind].elements * kinds[t->kind].bytes;
}

/* Places the tensors in the order of the table or in reverse; returns where they end. */
static uint64_t place_tensors(builder *b)
{
    const bool reverse = fuzz_below(&b->in, 2);
    uint64_t end = 0;
    for (int i = 0; i < b->n_tensors; i++) {
        tensor *t = &b->tensors[reverse ? b->n_tensors - 1 - i : i];
        t->offset = (end + b->alignment - 1) / b->alignment * b->alignment;
        end = t->offset + t->bytes;
    }
    return end;
}

static void put_tensor(builder *b, int i)
{
    const tensor *t = &b->tensors[i];
    put_name(b, i);
    image_u32(&b->out, (uint32_t)perhaps(b, t->n_dims));
    for (uint32_t d = 0; d < t->n_dims; d++)
        put_length(b, t->dims[d]);
    image_u32(&b->out, (uint32_t)perhaps(b, kinds[t->kind].number));
    image_u64(&b->out, perhaps(b, t->offset));
}

static void put_tensors(builder *b)
{
    for (int i = 0; i < b->n_tensors; i++)
        choose_tensor(b, &b->tensors[i]);
    const uint64_t data = place_tensors(b);
    for (int i = 0; i < b->n_tensors; i++)
        put_tensor(b, i);
    if (b->n_tensors > 0)
        image_pad(&b->out, (size_t)b->alignment);
    const uint64_t cut = perhaps(b, 0);
    image_zeros(&b->out, (size_t)(data > cut ? data - cut : 0));
}

static void build(builder *b)
{
    const uint32_t version = 1 + fuzz_below(&b->in, 3);
    const bool is_aligned = fuzz_below(&b->in, 2);
    b->alignment = 32;
    b->n_kvs = (int)fuzz_below(&b->in, MAX_KVS + 1);
    b->n_tensors = (int)fuzz_below(&b->in, MAX_TENSORS + 1);
    b->out = image_new(version, perhaps(b, (uint64_t)b->n_tensors),
                       perhaps(b, (uint64_t)(b->n_kvs + is_aligned)));
    if (is_aligned)
        put_alignment(b);
    for (int i = 0; i < b->n_kvs; i++)
        put_kv(b, i);
    put_tensors(b);
}

static void expect_all(const builder *b, const ifn_gguf *gguf)
{
    const uint64_t first = (uint64_t)ifn_gguf_n_kv(gguf) - (uint64_t)b->n_kvs;
    FUZZ_EXPECT(first <= 1 && ifn_gguf_n_tensors(gguf) == (uint64_t)b->n_tensors);
    FUZZ_EXPECT(ifn_gguf_alignment(gguf) == b->alignment);
    for (int i = 0; i < b->n_kvs; i++) {
        const char key[] = {(char)('a' + i), '\0'};
        FUZZ_EXPECT(ifn_gguf_find(gguf, key) == ifn_gguf_kv_at(gguf, first + (uint64_t)i));
    }
    for (int i = 0; i < b->n_tensors; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        const ifn_gguf_tensor *t = ifn_gguf_find_tensor(gguf, name);
        FUZZ_EXPECT(t && t == ifn_gguf_tensor_at(gguf, (uint64_t)i));
        FUZZ_EXPECT(t->bytes == b->tensors[i].bytes &&
                    t->gguf_type == kinds[b->tensors[i].kind].number);
        FUZZ_EXPECT(t->offset == ifn_gguf_data_offset(gguf) + b->tensors[i].offset);
    }
}

/* Opens the file in memory of its exact size, so that reading past the end is noticed. */
static int open_built(const builder *b)
{
    ifn_gguf *gguf;
    ifn_error err = {.status = IFN_OK, .text = ""};
    uint64_t sum;
    uint8_t *exact = malloc(b->out.bytes);
    if (!exact)
        abort();
    memcpy(exact, b->out.data, b->out.bytes);
    const ifn_status status = ifn_gguf_open_memory("fuzz", exact, b->out.bytes, NULL, &gguf, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT(status == IFN_OK || b->lied);
    if (status == IFN_OK && !b->lied)
        expect_all(b, gguf);
    FUZZ_EXPECT(status != IFN_OK || walk_everything(gguf, &sum));
    ifn_gguf_close(gguf);
    free(exact);
    return status == IFN_OK;
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    builder b = {.in = {data, bytes}};
    build(&b);
    const int opened = open_built(&b);
    image_free(&b.out);
    return opened;
}
