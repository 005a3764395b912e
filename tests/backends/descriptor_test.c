#include "descriptor.h"

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

static void a_sound_descriptor_is_copied(void **state)
{
    (void)state;
    ifn_backend_desc d;
    assert_int_equal(ifn_desc_accept(&fake_simd, "x", &d, NULL), IFN_OK);
    assert_string_equal(d.name, "simd");
    assert_true(d.granule == fake_simd.granule && d.fill == fake_simd.fill);
    assert_false(ifn_desc_is_wrapper(&d));
    assert_int_equal(ifn_desc_accept(&fake_trace, "x", &d, NULL), IFN_OK);
    assert_true(ifn_desc_is_wrapper(&d));
}

/* What a descriptor compiled against a shorter header does not have is not read. */
static void callbacks_an_old_descriptor_lacks_are_null(void **state)
{
    (void)state;
    ifn_backend_desc old = fake_simd, d;
    old.desc_bytes = (uint32_t)offsetof(ifn_backend_desc, scratch_bytes);
    old.table_bytes = (uint32_t)offsetof(ifn_op_table, attention);
    assert_int_equal(ifn_desc_accept(&old, "x", &d, NULL), IFN_OK);
    assert_true(d.usable == fake_simd.usable);
    assert_true(d.scratch_bytes == NULL && d.granule == NULL);
}

static void prepare_with_release_is_accepted(void **state)
{
    (void)state;
    ifn_backend_desc with = fake_simd, d;
    with.prepare = prepare;
    with.release = release;
    assert_int_equal(ifn_desc_accept(&with, "x", &d, NULL), IFN_OK);
    assert_true(d.prepare == prepare && d.release == release);
}

/* Callbacks are as wide as the machine has them. */
#define BY_WIDTH(wide, narrow) (sizeof(void (*)(void)) == 8 ? (wide) : (narrow))

/* One defect each. */
static void what_cannot_be_run_is_refused_with_the_reason(void **state)
{
    (void)state;
    ifn_backend_desc abi = fake_simd, minor = fake_simd, shorter = fake_simd, longer = fake_simd,
                     no_table = fake_simd, big_table = fake_simd, odd_table = fake_simd,
                     nameless = fake_simd, empty_name = fake_simd, colon = fake_simd,
                     device = fake_simd, flags = fake_simd, no_fill = fake_simd,
                     no_release = fake_simd, no_prepare = fake_simd, half = fake_simd;
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
    flags.flags = 0x40;
    no_fill.fill = NULL;
    no_release.prepare = prepare;
    no_prepare.release = release;
    const struct {
        const ifn_backend_desc *desc;
        ifn_status status;
        const char *message;
    } cases[] = {
        {&abi, IFN_ERR_UNSUPPORTED, "backend 'x': built for ABI 7, this library has 1"},
        {&minor, IFN_ERR_UNSUPPORTED,
         "backend 'x': needs a newer host: ABI 1.2, this library has 1.1"},
        {&shorter, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 48 bytes, expected 56 to 136 in steps of 8",
                  "backend 'x': a descriptor of 32 bytes, expected 36 to 76 in steps of 4")},
        {&longer, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 144 bytes, expected 56 to 136 in steps of 8",
                  "backend 'x': a descriptor of 84 bytes, expected 36 to 76 in steps of 4")},
        {&half, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a descriptor of 57 bytes, expected 56 to 136 in steps of 8",
                  "backend 'x': a descriptor of 37 bytes, expected 36 to 76 in steps of 4")},
        {&no_table, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a table of 0 bytes, expected slots of 8, 256 at most",
                  "backend 'x': a table of 0 bytes, expected slots of 4, 128 at most")},
        {&big_table, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a table of 264 bytes, expected slots of 8, 256 at most",
                  "backend 'x': a table of 136 bytes, expected slots of 4, 128 at most")},
        {&odd_table, IFN_ERR_ARGUMENT,
         BY_WIDTH("backend 'x': a table of 255 bytes, expected slots of 8, 256 at most",
                  "backend 'x': a table of 127 bytes, expected slots of 4, 128 at most")},
        {&nameless, IFN_ERR_ARGUMENT, "backend 'x': its descriptor has no name"},
        {&empty_name, IFN_ERR_ARGUMENT, "backend 'x': its descriptor has no name"},
        {&colon, IFN_ERR_ARGUMENT, "backend 'a:b': ':' and '=' cannot be in a name"},
        {&device, IFN_ERR_UNSUPPORTED,
         "backend 'simd': buffers outside host memory are not supported"},
        {&flags, IFN_ERR_UNSUPPORTED, "backend 'simd': unknown flags 0x40"},
        {&no_fill, IFN_ERR_ARGUMENT, "backend 'simd': fill is NULL"},
        {&no_release, IFN_ERR_ARGUMENT,
         "backend 'simd': release is NULL, expected prepare and release together"},
        {&no_prepare, IFN_ERR_ARGUMENT,
         "backend 'simd': prepare is NULL, expected prepare and release together"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_backend_desc d;
        ifn_error err;
        assert_int_equal(ifn_desc_accept(cases[i].desc, "x", &d, &err), cases[i].status);
        assert_string_equal(err.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_sound_descriptor_is_copied),
        RUN(callbacks_an_old_descriptor_lacks_are_null),
        RUN(prepare_with_release_is_accepted),
        RUN(what_cannot_be_run_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
