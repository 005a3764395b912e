#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "written.h"

static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
static const reach_key f32 = {IFN_DTYPE_F32, 0, IFN_DTYPE_F32};

/* Returns a report in which one regime of every op is promised and reached. */
static conform_report whole_report(void)
{
    conform_report r;
    const int class = reach_class(REACH_REGIMES, TIER_T1 * FAMILY_COUNT + FAMILY_NORMAL, 0);
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_reach *const reach = &conform_report_cell(&r, (ifn_op)op, 0)->reach;
        reach_row_of(&reach->needed, any)->at[class] = 1;
        reach_row_of(&reach->reached, f32)->at[class] = 1;
    }
    return r;
}

static void add_hole(conform_report *r, ifn_op op, int octave)
{
    conform_reach *const reach = &conform_report_cell(r, op, 0)->reach;
    reach_row_of(&reach->needed, any)->at[reach_class(REACH_OCTAVES, 0, octave)] = 8;
}

static void put_some(const conform_report *r, FILE *out)
{
    conform_report_reach(r, false, out);
}

static void put_all(const conform_report *r, FILE *out)
{
    conform_report_reach(r, true, out);
}

/* Expects this text after the number of ops; `n_missing` of them have no certificate. */
static void expect_of(int n_missing, void (*write)(const conform_report *, FILE *),
                      const conform_report *r, const char *said)
{
    char *const found = written(write, r);
    char text[512];
    snprintf(text, sizeof text, "mine: reach of %d of %d ops: %s", IFN_OP_COUNT - n_missing,
             IFN_OP_COUNT, said);
    assert_string_equal(found, text);
    free(found);
}

static void expect(void (*write)(const conform_report *, FILE *), const conform_report *r,
                   const char *said)
{
    expect_of(0, write, r, said);
}

TEST(a_whole_certificate_is_one_line)
{
    conform_report r = whole_report();
    char lacks[200] = "";
    assert_int_equal(conform_reach_is_whole(&r, 0, lacks, sizeof lacks), 1);
    expect(put_all, &r, "whole\n");
    conform_report_close(&r);
}

TEST(holes_are_counted_and_the_first_ones_named)
{
    conform_report r = whole_report();
    char lacks[200] = "";
    add_hole(&r, IFN_OP_ADD, 4);
    assert_int_equal(conform_reach_is_whole(&r, 0, lacks, sizeof lacks), 0);
    assert_string_equal(lacks, "add: no case with n in [8, 16)");
    expect(put_some, &r, "1 hole\n  add: no case with n in [8, 16)\n");
    for (int octave = 5; octave < 8; octave++)
        add_hole(&r, IFN_OP_ADD, octave);
    assert_int_equal(conform_reach_is_whole(&r, 0, lacks, sizeof lacks), 0);
    assert_string_equal(lacks, "add: no case with n in [8, 16), and 3 more holes in the "
                               "certificate");
    expect(put_some, &r,
           "4 holes (--reach lists all)\n"
           "  add: no case with n in [8, 16)\n  add: no case with n in [16, 32)\n"
           "  add: no case with n in [32, 64)\n");
    char *const all = written(put_all, &r);
    assert_non_null(strstr(all, "  add: no case with n in [64, 128)\n"));
    free(all);
    conform_report_close(&r);
}

/* A report of one op certifies that op only. */
TEST(an_op_without_promises_has_no_certificate)
{
    conform_report r = whole_report();
    char lacks[200] = "";
    conform_reach_close(&conform_report_cell(&r, IFN_OP_SILU, 0)->reach);
    assert_int_equal(conform_reach_is_whole(&r, 0, lacks, sizeof lacks), 0);
    assert_string_equal(lacks, "the report has no certificate of silu");
    expect_of(1, put_all, &r, "whole\n");
    conform_report_close(&r);
    conform_report_open(&r, 1);
    char *const none = written(put_all, &r);
    assert_string_equal(none, "");
    free(none);
    conform_report_close(&r);
}

TEST(what_is_not_supported_is_named)
{
    conform_report r = whole_report();
    conform_reach *const reach = &conform_report_cell(&r, IFN_OP_LINEAR, 0)->reach;
    const reach_key f16 = {IFN_DTYPE_F16, 1, IFN_DTYPE_F32};
    const int class = reach_class(REACH_OCTAVES, 0, 4);
    reach_row_of(&reach->needed, f16)->at[class] = 1;
    reach_row_of(&reach->refused, f16)->at[class] = 1;
    expect(put_all, &r,
           "whole, 1 class left out as not supported\n"
           "  left out, as the backend declares: linear F16 prepared\n");
    conform_report_close(&r);
}

/* A machine that lacks the address space leaves out far offsets, too. */
TEST(what_there_is_no_room_for_is_named)
{
    conform_report r = whole_report();
    conform_reach *const reach = &conform_report_cell(&r, IFN_OP_GATHER_ROWS, 0)->reach;
    const reach_key f16 = {IFN_DTYPE_F16, 0, IFN_DTYPE_F32};
    const int class = reach_class(REACH_FAR, 1, FAR_BYTES_32);
    reach_row_of(&reach->needed, f16)->at[class] = 1;
    expect(put_all, &r,
           "1 hole\n"
           "  gather_rows F16 raw: no case with table_rows past 2^32 bytes\n");
    reach_row_of(&reach->refused, f16)->at[class] = 1;
    expect(put_all, &r,
           "whole, 1 class left out as not supported\n"
           "  left out, for want of address space or time: gather_rows F16 raw past 2^31\n");
    conform_report_close(&r);
}
