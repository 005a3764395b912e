/*
 * Checks that nothing is missing: every op has its header, spec, reference, truth and test, every source file a test
 * program, and every test program an entry in CTest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/ops.h>

#include "paths.h"
#include "test.h"
#include "tree.h"

enum { PATH_BYTES = 512 };

static int is_there(const char *path)
{
    return access(source_path(path), R_OK) == 0;
}

static int report_missing(const char *path, const char *whose)
{
    if (is_there(path))
        return 0;
    print_error("%s: missing, belongs to %s\n", path, whose);
    return 1;
}

TEST(every_op_has_header_spec_reference_truth_and_test)
{
    int n_missing = 0;
#define X(NAME, name, cut, cut2, doc)                                                              \
    n_missing += report_missing("src/backends/scalar/" #name "_scalar.c", #name);                  \
    n_missing += report_missing("tests/ops/" #name "_test.c", #name);                              \
    n_missing += report_missing("spec/ops/" #name ".yaml", #name);                                 \
    n_missing += report_missing("include/inferno/ops/" #name ".h", #name);                         \
    n_missing += report_missing("src/conform/ops/" #name ".c", #name);
    IFN_OPS(X)
#undef X
    assert_int_equal(n_missing, 0);
}

/* Sources, or folders of sources, without a test program of their own name, and the reason. */
static const struct {
    const char *source, *reason;
} exceptions[] = {
    {"cli/inspect/inspection", "cmd_inspect_test reads what the built program prints"},
    {"cli/inspect/tensor_scan.c", "tensor_check_test and tensor_stats_test read files by it"},
    {"cli/inspect/file_diff", "cmd_inspect_test compares files with the built program"},
    {"cli/quantize/quantize_summary.c", "cmd_quantize_test reads what the built program prints"},
    {"cli/quantize/quantize_keys.c", "cmd_quantize_test reads the keys of what was written"},
    {"quant/no_weights.c", "weighted_test and the tests of each search multiply by them"},
    {"quant/search_block.c", "weighted_test holds it against the pinned encoders"},
    {"cli/bench/", "cmd_bench_test runs the built program over every op it times"},
    {"cli/command_list.c", "main_test and cmd_help_test run every command in it"},
    {"cli/machine/ceilings.c", "cmd_bench_test reads what it measures"},
    {"cli/generate/generate_options.c", "cmd_generate_test gives the built program every option"},
    {"cli/generate/generate_open.c", "cmd_generate_test gives prompts, ids, files and chats"},
    {"cli/generate/generate_print.c", "cmd_generate_test reads what the built program prints"},
    {"cli/generate/model_generate_options.c",
     "model_generate_test gives the built program every option"},
    {"cli/cmd_serve.c", "serve_test.sh starts the built program"},
    {"cli/serve/",
     "serve_test.sh asks the built program, request_read_test and queue_test its parts"},
    {"cli/synth/synth_tokenizer.c", "cmd_synth_test tokenizes with what it wrote"},
    {"cli/synth/synth_write.c", "cmd_synth_test opens what it wrote"},
    {"conform/input/gen_block.c", "gen_blocks_test looks at tensors of every kind of block"},
    {"conform/e2e/e2e_session.c", "e2e_command_test runs whole models by it"},
    {"backends/simd/gemm/gemm",
     "simd_gemm_test takes every path of matmul and linear on every level"},
    {"backends/simd/gemm/bf16_pairs.c", "simd_slices_test packs weights of every width"},
    {"backends/simd/gemm/half_rows.c",
     "simd_gemm_test takes one to eight rows of packed F16 and BF16"},
    {"backends/simd/attention/", "simd_attention_test takes few queries and many on every level"},
    {"backends/simd/level_table.c", "simd_test opens every level"},
    {"backends/simd/packed_blocks/",
     "simd_q8_test holds the paths of every level against each other"},
    {"backends/simd/rows/search_", "simd_search_test holds every level against the plain searches"},
    {"backends/simd/gemm/weight_panels.c", "simd_gemm_test compares packed and raw weights"},
    {"backends/simd/gemm/thin_columns.c",
     "simd_gemm_test takes one to eighteen rows on every level"},
    {"backends/staging.c", "device_test stages what a device has not"},
    {"weights/weights_vectors.c", "context/device_test runs models whose norms a device keeps"},
    {"context/sequences.c", "batch_test adds, copies, cuts and drops them"},
    {"cli/generate/progression.c", "company_test makes texts alone and together"},
    {"cli/generate/prompt_list.c", "cmd_generate_test gives the built program files of prompts"},
    {"wasm/", "tests/wasm run programs that stand on it"},
    {"backends/opencl/opencl_attention.c", "opencl_ops_test holds it against scalar"},
    {"backends/opencl/opencl_copies.c", "opencl_ops_test holds them against scalar"},
    {"backends/opencl/opencl_elements.c", "opencl_ops_test holds them against scalar"},
    {"backends/opencl/opencl_linear.c", "opencl_ops_test holds it against scalar"},
    {"backends/opencl/opencl_rows.c", "opencl_ops_test holds them against scalar"},
    {"backends/opencl/opencl_launch.c", "opencl_ops_test launches every kernel"},
    {"backends/opencl/opencl_weights.c", "opencl_ops_test multiplies by them"},
    {"backends/opencl/opencl_buffers.c", "opencl_errors_test has no memory, and no such buffer"},
    {"backends/opencl/opencl_", "opencl_errors_test makes each of them fail"},
    {"backends/opencl/opencl.c", "context/opencl_test runs models on it"},
    {"backends/node.c", "chain_test asks every backend of a chain"},
    {"context/op_error.c", "backend_fails_test reads where an op has failed"},
    {"conform/", "runner_test judges honest and faulty backends with most of it"},
};

/* Returns the index of the exception, or -1. */
static int exception_for(const char *source)
{
    for (int i = 0; i < (int)N_OF(exceptions); i++)
        if (strncmp(exceptions[i].source, source, strlen(exceptions[i].source)) == 0)
            return i;
    return -1;
}

/* Returns the path of a source's test: "gguf/gguf_parse.c" -> "tests/gguf/gguf_parse_test.c". The tests of the list
 * of ops are in opslist/, because ops/ has the tests of the ops themselves, which all backends share. */
static void path_of_test(const char *source, char out[PATH_BYTES])
{
    const int n_layer = (int)strcspn(source, "/");
    const char *base = strrchr(source, '/') + 1;
    const int n_base = (int)(strlen(base) - strlen(".c"));
    if (strncmp(source, "ops/", 4) == 0)
        snprintf(out, PATH_BYTES, "tests/opslist/%.*s_test.c", n_base, base);
    else if (strncmp(source, "backends/scalar/", 16) == 0 && has_suffix(source, "_scalar.c"))
        snprintf(out, PATH_BYTES, "tests/ops/%.*s_test.c", n_base - (int)strlen("_scalar"), base);
    else if (strncmp(source, "backends/simd/ops/", 18) == 0 && has_suffix(source, "_simd.c"))
        snprintf(out, PATH_BYTES, "tests/ops/%.*s_test.c", n_base - (int)strlen("_simd"), base);
    else
        snprintf(out, PATH_BYTES, "tests/%.*s/%.*s_test.c", n_layer, source, n_base, base);
}

TEST(every_source_has_a_test_program_or_an_exception)
{
    int n_missing = 0, n_excused[N_OF(exceptions)] = {0};
    tree sources = tree_read(source_path("src"));
    for (size_t i = 0; i < sources.n; i++) {
        char test[PATH_BYTES];
        if (!has_suffix(sources.paths[i], ".c"))
            continue;
        path_of_test(sources.paths[i], test);
        const int exception = exception_for(sources.paths[i]);
        if (exception < 0)
            n_missing += report_missing(test, sources.paths[i]);
        else
            n_excused[exception] += !is_there(test);
    }
    tree_free(&sources);
    assert_int_equal(n_missing, 0);
    for (size_t i = 0; i < N_OF(exceptions); i++)
        assert_that(n_excused[i] > 0, "%s: an exception nobody needs", exceptions[i].source);
}

/* IFN_REGISTERED names a file with a line "<folder of tests/>/<test>" for each CTest entry. */
TEST(every_test_program_is_registered)
{
    char *registered = read_file(IFN_REGISTERED, NULL);
    assert_non_null(registered);
    int n_missing = 0;
    tree tests = tree_read(source_path("tests"));
    for (size_t i = 0; i < tests.n; i++) {
        if (!has_suffix(tests.paths[i], "_test.c"))
            continue;
        char line[PATH_BYTES];
        const int n_name = (int)(strlen(tests.paths[i]) - strlen("_test.c"));
        snprintf(line, sizeof line, "\n%.*s\n", n_name, tests.paths[i]);
        if (!strstr(registered, line)) {
            print_error("tests/%s: no entry in CTest\n", tests.paths[i]);
            n_missing++;
        }
    }
    tree_free(&tests);
    free(registered);
    assert_int_equal(n_missing, 0);
}
