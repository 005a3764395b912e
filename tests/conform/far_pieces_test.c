#include "far_pieces.h"

#include "test.h"

static const size_t large = ((size_t)1 << 32) + 12345;

/* Expects the pieces at[] of a mapping of so many bytes; the second of them is one of those that share memory. */
static void expect_pieces(size_t bytes, const size_t *at, size_t n_at)
{
    far_map map;
    far_piece p;
    size_t from = 0, n = 0;
    if (!far_map_has_room() || !far_pieces_open(&map, bytes, 0))
        skip();
    for (; far_pieces_next(&map, from, &p); from = p.at + p.bytes) {
        assert_true(n < n_at);
        assert_int_equal(p.at, at[n] * far_piece_bytes(&map));
        assert_int_equal(p.is_shared, n == 1);
        n++;
    }
    assert_int_equal(n, n_at);
    assert_int_equal(from, map.region.body_bytes);
    far_map_close(&map);
}

/* The pieces with memory of their own are both ends and both sides of all borders; one more stands for the rest. */
TEST(the_pieces_that_are_told_apart_are_few)
{
    static const size_t at[] = {0, 1, 31, 32, 1023, 1024, 2047, 2048};
    expect_pieces(large, at, N_OF(at));
}

TEST(of_some_megabytes_they_are_smaller)
{
    static const size_t at[] = {0, 1, 255, 256, 300};
    expect_pieces(((size_t)300 << 18) + 5, at, N_OF(at));
}

static void write_at(const far_map *map, size_t piece, unsigned char value)
{
    map->region.body[piece * far_piece_bytes(map) + 7] = value;
}

static int read_at(const far_map *map, size_t piece)
{
    return map->region.body[piece * far_piece_bytes(map) + 7];
}

TEST(all_that_lies_between_is_one_memory_and_nothing_else_is)
{
    far_map map;
    if (!far_map_has_room() || !far_pieces_open(&map, large, 0))
        skip();
    write_at(&map, 2, 9);
    assert_int_equal(read_at(&map, 1), 9);
    assert_int_equal(read_at(&map, 1022), 9);
    assert_int_equal(read_at(&map, 2046), 9);
    write_at(&map, 0, 1);
    write_at(&map, 1023, 2);
    write_at(&map, 1024, 3);
    write_at(&map, 2047, 4);
    assert_int_equal(read_at(&map, 0), 1);
    assert_int_equal(read_at(&map, 1023), 2);
    assert_int_equal(read_at(&map, 1024), 3);
    assert_int_equal(read_at(&map, 2047), 4);
    assert_int_equal(read_at(&map, 2048), 0);
    assert_true(far_pieces_protect(&map));
    assert_int_equal(read_at(&map, 1500), 9);
    far_map_close(&map);
}

/* A tensor ends where its map ends; the bytes before its first byte are in the same page. */
TEST(it_ends_flush)
{
    far_map map;
    if (!far_map_has_room() || !far_pieces_open(&map, large, 64))
        skip();
    assert_ptr_equal(map.at + large + 64, map.region.body + map.region.body_bytes);
    far_map_close(&map);
}
