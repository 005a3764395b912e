/* Addresses that stand for objects: taken, found with their offsets, given back, and never read. */
#include <inferno/address_range.h>

#include <string.h>

#include "signal_of_reading.h"
#include "test.h"

enum { PAGE = 4096, RANGE = 64 * PAGE };

static ifn_address_range open_range(void)
{
    ifn_address_range r;
    assert_int_equal(ifn_address_range_open(&r, RANGE), 1);
    return r;
}

static char objects[80];

static void *found(const ifn_address_range *r, const void *address, size_t *offset)
{
    const ifn_address_piece *const p = ifn_address_range_find(r, address, offset);
    return p ? p->object : NULL;
}

TEST(an_address_leads_to_its_object_and_an_offset)
{
    ifn_address_range r = open_range();
    char *const a = ifn_address_range_take(&r, 100, &objects[0]);
    char *const b = ifn_address_range_take(&r, 3 * PAGE, &objects[1]);
    size_t offset = 0;
    assert_ptr_equal(found(&r, a, &offset), &objects[0]);
    assert_int_equal(offset, 0);
    assert_ptr_equal(found(&r, a + 100, &offset), &objects[0]); /* one past the end belongs to it */
    assert_int_equal(offset, 100);
    assert_ptr_equal(found(&r, b + 2 * PAGE + 5, &offset), &objects[1]);
    assert_int_equal(offset, 2 * PAGE + 5);
    ifn_address_range_close(&r);
}

TEST(what_is_in_no_piece_is_not_found)
{
    ifn_address_range r = open_range();
    char *const a = ifn_address_range_take(&r, 100, &objects[0]);
    char *const b = ifn_address_range_take(&r, PAGE, &objects[1]);
    size_t offset;
    assert_null(ifn_address_range_find(&r, a + 101, &offset));
    assert_null(ifn_address_range_find(&r, b - 1, &offset)); /* there is a gap before every piece */
    assert_null(ifn_address_range_find(&r, b + PAGE + 1, &offset));
    assert_null(ifn_address_range_find(&r, objects, &offset));
    assert_null(ifn_address_range_find(&r, NULL, &offset));
    ifn_address_range_close(&r);
    assert_null(ifn_address_range_find(&r, a, &offset));
}

TEST(what_is_given_back_is_taken_again)
{
    ifn_address_range r = open_range();
    void *const a = ifn_address_range_take(&r, 5 * PAGE, &objects[0]);
    void *const b = ifn_address_range_take(&r, PAGE, &objects[1]);
    size_t offset;
    assert_null(ifn_address_range_give_back(&r, (char *)b + 1)); /* no piece begins there */
    assert_ptr_equal(ifn_address_range_give_back(&r, a), &objects[0]);
    assert_null(ifn_address_range_give_back(&r, a));
    assert_null(ifn_address_range_find(&r, a, &offset));
    assert_ptr_equal(ifn_address_range_take(&r, 6 * PAGE, &objects[2]), /* does not fit before b */
                     (char *)b + 2 * PAGE);
    assert_ptr_equal(ifn_address_range_take(&r, 4 * PAGE, &objects[3]), a);
    assert_ptr_equal(found(&r, b, &offset), &objects[1]);
    ifn_address_range_close(&r);
}

TEST(a_range_is_filled_and_then_has_no_room)
{
    ifn_address_range r = open_range();
    void *pieces[40];
    int n = 0;
    while ((pieces[n] = ifn_address_range_take(&r, PAGE, &objects[n])))
        n++;
    assert_int_equal(n, RANGE / PAGE / 2);
    assert_null(ifn_address_range_take(&r, 1, objects));
    for (int i = 0; i < n; i++) {
        size_t offset;
        assert_ptr_equal(found(&r, pieces[i], &offset), &objects[i]);
    }
    ifn_address_range_close(&r);
}

TEST(sizes_without_sense_are_refused)
{
    ifn_address_range r;
    assert_int_equal(ifn_address_range_open(&r, 0), 0);
    assert_int_equal(ifn_address_range_open(&r, SIZE_MAX / 2), 0);
    ifn_address_range_close(&r);
    r = open_range();
    assert_null(ifn_address_range_take(&r, 0, objects));
    assert_null(ifn_address_range_take(&r, RANGE, objects)); /* no room for its gap */
    assert_null(ifn_address_range_take(&r, SIZE_MAX, objects));
    ifn_address_range_close(&r);
}

TEST(the_host_cannot_read_an_address)
{
    ifn_address_range r = open_range();
    assert_int_equal(signal_of_reading(ifn_address_range_take(&r, 1, objects)), SIGSEGV);
    ifn_address_range_close(&r);
}
