#include "session.h"

#include <string.h>

#include "paths.h"
#include "test.h"

TEST(backends_are_found_by_name)
{
    const ifn_backend_desc *scalar = session_find_backend("scalar");
    assert_non_null(scalar);
    assert_string_equal(scalar->name, "scalar");
    assert_null(session_find_backend("abacus"));
}

TEST(a_half_opened_session_closes)
{
    session s = {0};
    ifn_error err = {0};
    assert_int_equal(session_open_model(&s, temp_path("missing.gguf"), &err), IFN_ERR_IO);
    assert_ok(session_open_backend(&s, "scalar", 0, &err), err);
    session_close(&s);
    assert_null(s.backend);
    session_close(&s);
}

/* On a device, advice that saves host memory only does not help. */
TEST(want_of_memory_says_what_helps_where_it_is_wanted)
{
    static const ifn_backend_desc leaf = {.name = "scalar"};
    static const ifn_backend_desc device = {.name = "abacus", .flags = IFN_BACKEND_DEVICE};
    ifn_backend b = {.desc = &leaf};
    ifn_error err = {.status = IFN_ERR_NOMEM, .text = "full"};
    session_say_what_helps(&(session){.backend = &b}, "--no-prepare", &err);
    assert_string_equal(err.text, "full; less is needed with --no-prepare");
    err = (ifn_error){.status = IFN_ERR_NOMEM, .text = "full"};
    b.desc = &device;
    session_say_what_helps(&(session){.backend = &b}, "--no-prepare", &err);
    assert_string_equal(err.text, "full; less is needed with a smaller --ctx, or without the "
                                  "device: --backend scalar");
    err = (ifn_error){.status = IFN_ERR_IO, .text = "lost"};
    session_say_what_helps(&(session){.backend = &b}, "--no-prepare", &err);
    assert_string_equal(err.text, "lost");
}

static int32_t two_lanes(const ifn_backend_env *env)
{
    (void)env;
    return 2;
}

TEST(threads_are_of_wrappers_and_plugins)
{
    static const ifn_backend_desc plugin = {.name = "abacus"}, leaf = {.name = "scalar"};
    static const ifn_backend_desc tracer = {.name = "trace"};
    ifn_backend inner = {.desc = &leaf}, outer = {.desc = &tracer, .inner = &inner};
    assert_false(session_has_threads(&(session){.backend = &inner}));
    assert_false(session_has_threads(&(session){.backend = &outer}));
    inner.desc = &plugin;
    assert_true(session_has_threads(&(session){.backend = &outer}));
    const ifn_backend_desc divider = {.name = "divider", .lanes = two_lanes};
    inner.desc = &leaf;
    outer.desc = &divider;
    assert_true(session_has_threads(&(session){.backend = &outer}));
}
