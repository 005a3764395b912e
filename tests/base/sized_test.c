#include "sized.h"

#include <string.h>

#include "test.h"

/* A struct in this version of the library, and in an older and a newer program. */
typedef struct now {
    uint32_t bytes;
    int32_t a;
    int64_t b;
} now;

typedef struct before {
    uint32_t bytes;
    int32_t a;
} before;

typedef struct after {
    now now;
    int64_t c;
} after;

TEST(what_an_older_program_does_not_have_is_zero)
{
    const before given = {sizeof given, 7};
    now own = {1, 2, 3};
    ifn_error err = {0};
    assert_ok(ifn_sized_read(&own, sizeof own, &given, "x", &err), err);
    assert_true(own.a == 7 && own.b == 0);
}

TEST(what_a_newer_program_leaves_zero_is_no_matter)
{
    const after given = {{sizeof given, 7, 8}, 0};
    now own;
    ifn_error err = {0};
    assert_ok(ifn_sized_read(&own, sizeof own, &given, "x", &err), err);
    assert_true(own.a == 7 && own.b == 8);
}

TEST(what_a_newer_program_asks_for_is_refused)
{
    const after given = {{sizeof given, 7, 8}, INT64_MIN}; /* a bit of the last byte */
    now own;
    ifn_error err = {0};
    assert_int_equal(ifn_sized_read(&own, sizeof own, &given, "x", &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "x: byte "));
    assert_non_null(strstr(err.text, "is set, this library knows 16"));
}

TEST(a_struct_without_its_size_is_refused)
{
    const now given = {0, 7, 8};
    now own;
    ifn_error err = {0};
    assert_int_equal(ifn_sized_read(&own, sizeof own, &given, "x", &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "x: bytes 0, expected its size, which its _INIT begins with");
}

TEST(answers_fit_the_room_there_is)
{
    const now own = {sizeof own, 7, 8};
    struct {
        before given;
        int32_t next;
    } old = {{sizeof old.given, 1}, 5};
    after new = {{sizeof new, 1, 2}, 3};
    now none = {0, 1, 2};
    ifn_sized_write(&old.given, &own, sizeof own);
    ifn_sized_write(&new, &own, sizeof own);
    ifn_sized_write(&none, &own, sizeof own);
    assert_true(old.given.bytes == sizeof old.given && old.given.a == 7 && old.next == 5);
    assert_true(new.now.bytes == sizeof new &&new.now.b == 8 && new.c == 0);
    assert_true(none.bytes == 0 && none.a == 1 && none.b == 2);
}
