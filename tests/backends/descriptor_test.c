#include "descriptor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fakes.h"
#include "test.h"

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)self, (void)w, (void)n, (void)uses, (void)out, (void)err;
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    (void)self, (void)packed;
}

TEST(a_sound_descriptor_is_copied)
{
    ifn_backend_desc d;
    assert_int_equal(ifn_desc_accept(&fake_simd, "x", &d, NULL), IFN_OK);
    assert_string_equal(d.name, "simd");
    assert_true(d.granule == fake_simd.granule && d.fill == fake_simd.fill);
    assert_false(ifn_desc_is_wrapper(&d));
    assert_int_equal(ifn_desc_accept(&fake_trace, "x", &d, NULL), IFN_OK);
    assert_true(ifn_desc_is_wrapper(&d));
}

/* The fields that a descriptor lacks, as it was compiled against an older header, are not read. */
TEST(callbacks_an_old_descriptor_lacks_are_null)
{
    ifn_backend_desc old = fake_simd, d;
    old.desc_bytes = (uint32_t)offsetof(ifn_backend_desc, scratch_bytes);
    old.table_bytes = (uint32_t)offsetof(ifn_op_table, attention);
    assert_int_equal(ifn_desc_accept(&old, "x", &d, NULL), IFN_OK);
    assert_true(d.usable == fake_simd.usable);
    assert_true(d.scratch_bytes == NULL && d.granule == NULL);
}

TEST(prepare_with_release_is_accepted)
{
    ifn_backend_desc with = fake_simd, d;
    with.prepare = prepare;
    with.release = release;
    assert_int_equal(ifn_desc_accept(&with, "x", &d, NULL), IFN_OK);
    assert_true(d.prepare == prepare && d.release == release);
}

/* Sizes depend on the width of a function pointer. */
#define BY_WIDTH(wide, narrow) (sizeof(void (*)(void)) == 8 ? (wide) : (narrow))

/* Such a descriptor has its flags where call_bytes is now. */
TEST(what_was_built_before_sizes_were_recorded_is_refused)
{
    ifn_backend_desc old = fake_simd, accepted;
    ifn_error err = {0};
    old.call_bytes = IFN_BACKEND_WRAPPER;
    old.args_bytes = (const uint32_t *)(uintptr_t)1;
    assert_int_equal(ifn_desc_accept(&old, "x", &accepted, &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text,
                        "backend 'x': built with headers from before ABI 2.0 was settled, "
                        "build it with those of this library");
}

/* The sizes may not exceed those of this library, nor be less than the call header. */
TEST(sizes_of_arguments_are_held_to_what_they_can_be)
{
    uint32_t sizes[IFN_OP_COUNT];
    ifn_backend_desc desc = fake_simd, accepted;
    ifn_error err = {0};
    memcpy(sizes, desc.args_bytes, sizeof sizes);
    desc.args_bytes = sizes;
    assert_int_equal(ifn_desc_accept(&desc, "x", &accepted, &err), IFN_OK);
    sizes[IFN_OP_SILU] += 8;
    assert_int_equal(ifn_desc_accept(&desc, "x", &accepted, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "of the arguments of silu, expected "));
    sizes[IFN_OP_SILU] = sizeof(ifn_call) - 1;
    assert_int_equal(ifn_desc_accept(&desc, "x", &accepted, &err), IFN_ERR_ARGUMENT);
    desc.table_bytes = IFN_OP_SILU * sizeof(void (*)(void)); /* it has no silu */
    assert_int_equal(ifn_desc_accept(&desc, "x", &accepted, &err), IFN_OK);
}

/* One defect each. */
static ifn_status synchronize(ifn_backend *self, int32_t lane)
{
    (void)self;
    (void)lane;
    return IFN_OK;
}

static void layout(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES])
{
    (void)self;
    (void)w;
    (void)uses;
    out[0] = '\0';
}

static const void *image(ifn_backend *self, const ifn_packed *packed, size_t *bytes)
{
    (void)self;
    *bytes = packed->bytes;
    return packed->data;
}

static ifn_status adopt(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *from,
                        size_t bytes, ifn_packed *out, ifn_error *err)
{
    (void)self;
    (void)w;
    (void)uses;
    (void)from;
    (void)bytes;
    *out = (ifn_packed){0};
    return ifn_fail(err, IFN_ERR_SHAPE, "never");
}

static const ifn_allocator *buffers(const ifn_backend *self)
{
    (void)self;
    return ifn_default_allocator();
}

/* A slot for each op. */
static void refuse_table(const ifn_backend_desc *d, char message[80])
{
    const int slot = BY_WIDTH(8, 4);
    snprintf(message, 80, "backend 'x': a table of %d bytes, expected slots of %d, %d at most",
             (int)d->table_bytes, slot, IFN_OP_COUNT * slot);
}

TEST(what_cannot_be_run_is_refused_with_the_reason)
{
    ifn_backend_desc abi = fake_simd, minor = fake_simd, shorter = fake_simd, longer = fake_simd,
                     no_table = fake_simd, big_table = fake_simd, odd_table = fake_simd,
                     nameless = fake_simd, empty_name = fake_simd, colon = fake_simd,
                     device = fake_simd, waits = fake_simd, flags = fake_simd, no_fill = fake_simd,
                     no_release = fake_simd, no_prepare = fake_simd, half = fake_simd,
                     no_sizes = fake_simd, long_call = fake_simd, no_end = fake_simd,
                     no_begin = fake_simd, no_waiting = fake_simd, no_image = fake_simd,
                     no_adopt = fake_simd, unprepared = fake_simd;
    abi.abi = 7;
    minor.abi_minor = IFN_BACKEND_ABI_MINOR + 1;
    shorter.desc_bytes = (uint32_t)offsetof(ifn_backend_desc, fill);
    longer.desc_bytes = (uint32_t)sizeof longer + 8;
    half.desc_bytes = (uint32_t)offsetof(ifn_backend_desc, usable) + 1; /* half a callback */
    no_table.table_bytes = 0;
    big_table.table_bytes += 8;
    odd_table.table_bytes -= 1;
    nameless.name = NULL;
    empty_name.name = "";
    colon.name = "a:b";
    device.flags = IFN_BACKEND_DEVICE;
    waits.synchronize = synchronize;
    no_end.begin = no_begin.end = no_waiting.begin = no_waiting.end = synchronize;
    no_end.flags = no_begin.flags = no_waiting.flags = IFN_BACKEND_DEVICE;
    no_end.buffers = no_begin.buffers = no_waiting.buffers = buffers;
    no_end.synchronize = no_begin.synchronize = synchronize;
    flags.flags = 0x40;
    no_fill.fill = NULL;
    no_sizes.args_bytes = NULL;
    long_call.call_bytes = IFN_CALL_BYTES + 8;
    no_release.prepare = prepare;
    no_prepare.release = release;
    no_image.prepare = no_adopt.prepare = prepare;
    no_image.release = no_adopt.release = release;
    no_image.layout = no_adopt.layout = unprepared.layout = layout;
    no_adopt.image = unprepared.image = image;
    no_image.adopt = unprepared.adopt = adopt;
    char of_table[3][80];
    refuse_table(&no_table, of_table[0]);
    refuse_table(&big_table, of_table[1]);
    refuse_table(&odd_table, of_table[2]);
    const struct {
        const ifn_backend_desc *desc;
        ifn_status status;
        const char *message;
    } cases[] = {
        {&abi, IFN_ERR_UNSUPPORTED, "backend 'x': built for ABI 7, this library has 2"},
        {&minor, IFN_ERR_UNSUPPORTED,
         "backend 'x': needs a newer host: ABI 2.6, this library has 2.5"},
        {&shorter, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 56 bytes, expected 64 to 200 in steps of 8",
                  "backend 'x': a descriptor of 40 bytes, expected 44 to 112 in steps of 4")},
        {&longer, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 208 bytes, expected 64 to 200 in steps of 8",
                  "backend 'x': a descriptor of 120 bytes, expected 44 to 112 in steps of 4")},
        {&half, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 65 bytes, expected 64 to 200 in steps of 8",
                  "backend 'x': a descriptor of 45 bytes, expected 44 to 112 in steps of 4")},
        {&no_table, IFN_ERR_ARGUMENT, of_table[0]},
        {&big_table, IFN_ERR_ARGUMENT, of_table[1]},
        {&odd_table, IFN_ERR_ARGUMENT, of_table[2]},
        {&no_sizes, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': knows 32 bytes of a call and no table of arguments, expected 32 at "
                  "most, and a table",
                  "backend 'x': knows 24 bytes of a call and no table of arguments, expected 24 at "
                  "most, and a table")},
        {&long_call, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': knows 40 bytes of a call and a table of arguments, expected 32 at "
                  "most, and a table",
                  "backend 'x': knows 32 bytes of a call and a table of arguments, expected 24 at "
                  "most, and a table")},
        {&nameless, IFN_ERR_ARGUMENT, "backend 'x': its descriptor has no name"},
        {&empty_name, IFN_ERR_ARGUMENT, "backend 'x': its descriptor has no name"},
        {&colon, IFN_ERR_ARGUMENT, "backend 'a:b': ':' and '=' cannot be in a name"},
        {&device, IFN_ERR_ARGUMENT, "backend 'simd': a device without buffers"},
        {&waits, IFN_ERR_ARGUMENT,
         "backend 'simd': has synchronize and is no device, whose calls alone may return before "
         "they have run"},
        {&no_end, IFN_ERR_ARGUMENT,
         "backend 'simd': end is NULL, expected begin, end and synchronize together"},
        {&no_begin, IFN_ERR_ARGUMENT,
         "backend 'simd': begin is NULL, expected begin, end and synchronize together"},
        {&no_waiting, IFN_ERR_ARGUMENT,
         "backend 'simd': synchronize is NULL, expected begin, end and synchronize together"},
        {&flags, IFN_ERR_UNSUPPORTED, "backend 'simd': unknown flags 0x40"},
        {&no_fill, IFN_ERR_ARGUMENT, "backend 'simd': fill is NULL"},
        {&no_release, IFN_ERR_ARGUMENT,
         "backend 'simd': release is NULL, expected prepare and release together"},
        {&no_prepare, IFN_ERR_ARGUMENT,
         "backend 'simd': prepare is NULL, expected prepare and release together"},
        {&no_image, IFN_ERR_ARGUMENT,
         "backend 'simd': image is NULL, expected layout, image, adopt and prepare together"},
        {&no_adopt, IFN_ERR_ARGUMENT,
         "backend 'simd': adopt is NULL, expected layout, image, adopt and prepare together"},
        {&unprepared, IFN_ERR_ARGUMENT,
         "backend 'simd': prepare is NULL, expected layout, image, adopt and prepare together"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_backend_desc d;
        ifn_error err;
        assert_int_equal(ifn_desc_accept(cases[i].desc, "x", &d, &err), cases[i].status);
        assert_string_equal(err.text, cases[i].message);
    }
}

static void sums_in_bf16(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)dtype;
    out->sums = op == IFN_OP_LINEAR ? IFN_ROUND_BF16 : IFN_ROUND_NONE;
}

/* A declaration beyond the limits of numerics 9 is refused, not reduced to them. */
TEST(what_a_manifest_may_not_declare_is_refused)
{
    const struct {
        ifn_manifest manifest;
        const char *message;
    } cases[] = {
        {{.manifest_bytes = 0},
         BY_WIDTH("backend 'simd': its manifest has manifest_bytes 0, expected 72",
                  "backend 'simd': its manifest has manifest_bytes 0, expected 52")},
        {{.manifest_bytes = sizeof(ifn_manifest), .exp_ulp = 64},
         "backend 'simd': its manifest declares exp_ulp 64, expected 0 to 4"},
        {{.manifest_bytes = sizeof(ifn_manifest), .exp_ulp = -1},
         "backend 'simd': its manifest declares exp_ulp -1, expected 0 to 4"},
        {{.manifest_bytes = sizeof(ifn_manifest), .exp_ulp = NAN},
         "backend 'simd': its manifest declares exp_ulp nan, expected 0 to 4"},
        {{.manifest_bytes = sizeof(ifn_manifest), .rsqrt_rel = 1},
         "backend 'simd': its manifest declares rsqrt_rel 1, expected 0 to 2.38419e-07 (4u)"},
        {{.manifest_bytes = sizeof(ifn_manifest), .max_overread = 257},
         "backend 'simd': its manifest declares max_overread 257, expected 0 to 256"},
        {{.manifest_bytes = sizeof(ifn_manifest), .arithmetic = sums_in_bf16},
         "backend 'simd': its manifest declares inputs 0, sums 2, output 0 of linear, expected 0 "
         "to "
         "3, 0 or 3, and 0, 2 or 3 (IFN_ROUND_*)"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_backend_desc with = fake_simd, d;
        ifn_error err = {0};
        with.manifest = &cases[i].manifest;
        assert_int_equal(ifn_desc_accept(&with, "x", &d, &err), IFN_ERR_ARGUMENT);
        assert_string_equal(err.text, cases[i].message);
    }
}

TEST(the_most_that_may_be_declared_is_accepted)
{
    const ifn_manifest most = {.manifest_bytes = sizeof most,
                               .exp_ulp = 4,
                               .rsqrt_rel = 0x1p-22f,
                               .max_overread = IFN_MAX_OVERREAD};
    ifn_backend_desc with = fake_simd, d;
    with.manifest = &most;
    assert_int_equal(ifn_desc_accept(&with, "x", &d, NULL), IFN_OK);
    assert_int_equal(ifn_manifest_of(&d).max_overread, IFN_MAX_OVERREAD);
}

/* The fields that a manifest lacks, as it was compiled against an older header, are not read. */
TEST(declarations_an_old_manifest_lacks_are_zero)
{
    const ifn_manifest old = {.manifest_bytes = offsetof(ifn_manifest, exp_ulp),
                              .invariances = 3,
                              .exp_ulp = 100,
                              .max_overread = 1000};
    ifn_backend_desc with = fake_simd, d;
    with.manifest = &old;
    assert_int_equal(ifn_desc_accept(&with, "x", &d, NULL), IFN_OK);
    const ifn_manifest read = ifn_manifest_of(&d);
    assert_true(read.invariances == 3 && read.exp_ulp == 0 && read.max_overread == 0);
    with.manifest = NULL;
    assert_int_equal(ifn_manifest_of(&with).invariances, 0);
}
