/* A plugin that is wrong at one single value (plugins/one_value.c) is found, and the value is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_call.h"
#include "case_id.h"
#include "command.h"
#include "exhaustive.h"
#include "test.h"

enum { N_SHARDS = 4096 };

/* Writes the shard that has the piece with this value, as --shard takes it; `away` shards later if that is not 0. */
static void shard_of(ifn_op op, int sweep, uint64_t value, int away, char out[24])
{
    conform_sweep w;
    assert_true(conform_sweep_of(op, sweep, &w));
    const conform_case c = conform_sweep_piece(&w, (int64_t)(value / (uint64_t)w.per_piece));
    const uint64_t shard = (conform_case_hash(&c) + (uint64_t)away) % N_SHARDS;
    snprintf(out, 24, "%d/%d", (int)shard, N_SHARDS);
}

static void run(const char *option, const char *op, const char *dtype, const char *shard,
                int status, const char *said, const char *also)
{
    char *out, backend[512];
    snprintf(backend, sizeof backend, ONE_VALUE_PLUGIN "=%s:scalar", option);
    const int found = COMMAND(&out, "--exhaustive", "--backend", backend, "--op", op, "--dtype",
                              dtype, "--shard", shard);
    assert_that(found == status && strstr(out, said) && strstr(out, also),
                "%s: exit %d, '%s', '%s' expected in\n%s", option, found, said, also, out);
    free(out);
}

/* The value of 2^32 is found in the shard that has it, and in no other; exhaustive_test shows that the shards cover
 * everything. */
TEST(one_input_of_all_floats)
{
    static const struct {
        const char *option, *op;
        ifn_op number;
        uint32_t value;
    } one[] = {
        {"silu-bf1d2c3b", "silu", IFN_OP_SILU, 0xbf1d2c3b},
        {"rsqrt-00000001", "rsqrt_elem", IFN_OP_RSQRT_ELEM, 1},
        {"softmax-c0490fdb", "softmax_rows", IFN_OP_SOFTMAX_ROWS, 0xc0490fdb},
    };
    for (size_t i = 0; i < N_OF(one); i++) {
        char shard[24], other[24], input[24];
        shard_of(one[i].number, 0, one[i].value, 0, shard);
        shard_of(one[i].number, 0, one[i].value, 1, other);
        snprintf(input, sizeof input, ", input 0x%08x\n", (unsigned)one[i].value);
        run(one[i].option, one[i].op, "F32", shard, 1, input, ": 1 of 65536 wrong");
        run(one[i].option, one[i].op, "F32", other, 0, " 0 failed, ", "conformant");
    }
}

TEST(one_pattern_of_65536)
{
    run("decode-83ff", "dequantize_rows", "F16", "0/1", 1, ", pattern 0x83ff\n",
        ": 1 of 4096 wrong");
    run("none-0", "dequantize_rows", "F16", "0/1", 0, " 0 failed, ", "conformant");
}

TEST(one_code_under_one_scale)
{
    run("scale-8001", "dequantize_rows", "Q4_0", "0/1", 1,
        ", block 0x8001, element 30: d 0x8001, sc 1, m 1, code 7\n", ": 1 of 8192 wrong");
}

/* How the values of each op are named. */
TEST(inputs_have_names)
{
    static const struct {
        const char *id, *said;
        int64_t at;
    } named[] = {
        {"swiglu/F32/rows=2,dim=2/T1/every/raw/0/10", ", input 0x00000013", 3},
        {"softmax_rows/F32/rows=2,cols=2/T1/every/raw/0/10", ", input 0x00000011", 3},
        {"linear/F16/rows=2,n=2,k=2,n_w=1,pad=0,bias=0/T0/every/raw/0/ff", ", pattern 0x0102", 3},
        {"linear_q8/Q8_0/rows=32,n=9,k=32,n_w=1,pad=0,bias=0/T0/every/raw/0/0",
         ", block 0x8, element 0: d 0x0001, sc 1, m 1, code -127", 8},
        {"gather_rows/F16/n=2,table_rows=2,cols=2/T1/every/raw/0/0", ", pattern 0x0003", 3},
        {"quantize_rows/F32+BF16/rows=1,cols=4/T1/every/raw/0/4", ", input 0x00018000", 2},
        {"kv_store/F16/rows=1,first_pos=1,slack=0,n_kv_heads=1,head_dim=2/T1/every/raw/0/f000",
         ", input 0x3f800000", 4},
        {"kv_store/F16/rows=1,first_pos=1,slack=0,n_kv_heads=1,head_dim=2/T1/every/raw/0/f000", "",
         3},
        {"argmax_with_prob/F32/n=3/T1/every/raw/0/c", ", ordering 0xc", 0},
        {"silu/F32/n=1/T1/every/raw/0/3f800000", "", -1},
    };
    for (size_t i = 0; i < N_OF(named); i++) {
        char said[200];
        void *data[CONFORM_MAX_TENSORS];
        conform_layout l = {0};
        conform_case c;
        ifn_error err = {0};
        assert_true(conform_case_parse(named[i].id, &c, &err));
        assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
        for (int t = 0; t < l.n; t++)
            data[t] = calloc(l.t[t].bytes + 1, 1);
        conform_every_fill(&c, &l, data);
        conform_every_describe(&c, &l, data, named[i].at, said, sizeof said);
        assert_string_equal(said, named[i].said);
        for (int t = 0; t < l.n; t++)
            free(data[t]);
    }
}
