/* Judges outputs of the scalar backend that lie beside the files that export wrote. */
#include "judge_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers.h"
#include "command.h"
#include "paths.h"
#include "test.h"

typedef struct bench {
    answers scalar;
    char dir[256];
} bench;

static void put_all_outputs(bench *b)
{
    answers_put_all(&b->scalar, b->dir);
}

static void open_bench(bench *b, const char *op)
{
    answers_open(&b->scalar);
    snprintf(b->dir, sizeof b->dir, "%s", temp_path("exported"));
    assert_int_equal(COMMAND(NULL, "export", b->dir, "--op", op, "--cases", "30"), 0);
}

static void close_bench(bench *b)
{
    answers_close(&b->scalar);
    temp_clean();
}

static void judge_expecting(const bench *b, int status, const char *text)
{
    char *out;
    const int found = COMMAND(&out, "judge", b->dir);
    assert_that(found == status && strstr(out, text), "exit %d, output:\n%s", found, out);
    free(out);
}

TEST(outputs_of_scalar_are_conformant_for_every_op)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        bench b;
        open_bench(&b, ifn_op_name((ifn_op)op));
        put_all_outputs(&b);
        judge_expecting(&b, 0, " 0 failed, 0 not run: conformant, of --op ");
        close_bench(&b);
    }
}

/* Changes the last byte of a file, which holds the exponent of its last element. */
static void spoil(const char *path)
{
    size_t n;
    char *file = read_file(path, &n);
    assert_non_null(file);
    file[n - 1] ^= 0x41;
    write_file(path, file, n);
    free(file);
}

TEST(one_wrong_element_is_named_with_its_case)
{
    bench b;
    open_bench(&b, "matmul");
    put_all_outputs(&b);
    spoil(temp_path("exported/0001/out.got.npy"));
    judge_expecting(&b, 1, "1 wrong");
    judge_expecting(&b, 1, "matmul/F32/m=");
    judge_expecting(&b, 1, ": out[");
    judge_expecting(&b, 1,
                    " 1 failed, 0 not run: NOT conformant, of --op matmul --cases 30 alone\n");
    close_bench(&b);
}

/* Replaces the first `from` in the index by `to`. */
static void change_index(const bench *b, const char *from, const char *to)
{
    char path[300];
    snprintf(path, sizeof path, "%s/index.yaml", b->dir);
    char *const index = read_file(path, NULL);
    const char *const at = strstr(index, from);
    assert_non_null(at);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - index), index, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
    free(index);
}

/* Scalar's outputs are exact enough for any declaration; outputs for other inputs would fail. */
TEST(outputs_are_judged_under_the_products_they_were_exported_for)
{
    static const char *const formats[] = {"tf32", "bf16", "f16"};
    for (size_t i = 0; i < N_OF(formats); i++) {
        bench b;
        char expected[80];
        answers_open(&b.scalar);
        b.scalar.under = (conform_options){.products = IFN_ROUND_TF32 + (int)i, .ftz = true};
        snprintf(b.dir, sizeof b.dir, "%s", temp_path("exported"));
        assert_int_equal(COMMAND(NULL, "export", b.dir, "--op", "matmul", "--cases", "30",
                                 "--products", formats[i], "--ftz"),
                         0);
        put_all_outputs(&b);
        snprintf(expected, sizeof expected,
                 " 0 failed, 0 not run: conformant, products in %s, subnormals flushed, of",
                 formats[i]);
        judge_expecting(&b, 0, expected);
        change_index(&b, formats[i], "f32");
        judge_expecting(&b, 1, "");
        close_bench(&b);
    }
}

TEST(a_case_that_was_not_run_is_no_pass)
{
    bench b;
    open_bench(&b, "matmul");
    judge_expecting(&b, 1, "0 cases executed, 0 failed, ");
    put_all_outputs(&b);
    assert_int_equal(unlink(temp_path("exported/0001/out.got.npy")), 0);
    judge_expecting(&b, 1, " 0 failed, 1 not run: NOT conformant");
    close_bench(&b);
}

/* The index is cut down, doubled, reordered, or of another plan: every output in it passes, but none counts. */
TEST(an_index_is_held_against_its_plan)
{
    bench b;
    char path[300];
    open_bench(&b, "add");
    snprintf(path, sizeof path, "%s/index.yaml", b.dir);
    put_all_outputs(&b);
    judge_expecting(&b, 0, ": conformant, of --op add --cases 30 alone\n");
    char *const whole = read_file(path, NULL), *const first = strstr(whole, "  - id"),
                *const second = strstr(first + 1, "  - id");
    char *last = second;
    for (char *at = last; at; at = strstr(at + 1, "  - id"))
        last = at;

    write_file(path, whole, (size_t)(last - whole));
    judge_expecting(&b, 1, "");

    FILE *file = fopen(path, "wb");
    fprintf(file, "%s%s", whole, last);
    fclose(file);
    judge_expecting(&b, 1, "");

    file = fopen(path, "wb");
    fprintf(file, "%.*s%s", (int)(first - whole), whole, second);
    fclose(file);
    judge_expecting(&b, 1, "");

    write_file(path, whole, strlen(whole));
    change_index(&b, "\"30\"", "\"29\"");
    judge_expecting(&b, 1, "");
    write_file(path, whole, strlen(whole));
    change_index(&b, "\"add\"", "\"hadamard\"");
    judge_expecting(&b, 1, "");
    write_file(path, whole, strlen(whole));
    change_index(&b, "\"--op\"", "\"--tap\"");
    ifn_error err = {0};
    conform_judged judged;
    const conform_options options = {.n_words = 1, .words = (char *[]){b.dir}};
    assert_int_equal(conform_judge_dir(&options, &judged, &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, "exported/index.yaml: plan: --tap: does not apply to export"),
                "%s", err.text);
    free(whole);
    close_bench(&b);
}

/* A short index must not make judge draw cases for hours, or until memory is exhausted. */
TEST(a_plan_draws_no_more_than_its_index_can_list)
{
    bench b;
    static const char *const plans[] = {"\"--cases\", \"1000000000\"",
                                        "\"--cases\", \"1000000000\", \"--shard\", \"0/1000000\"",
                                        "\"--cases\", \"2000\""};
    open_bench(&b, "add");
    for (size_t i = 0; i < N_OF(plans); i++) {
        char text[200];
        ifn_error err = {0};
        conform_judged judged;
        const conform_options options = {.n_words = 1, .words = (char *[]){b.dir}};
        const int n =
            snprintf(text, sizeof text,
                     "inferno: export/2\nplan: [\"--op\", \"add\", %s]\ncases: []\n", plans[i]);
        write_file(temp_path("exported/index.yaml"), text, (size_t)n);
        assert_int_equal(conform_judge_dir(&options, &judged, &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, "exported/index.yaml: lists 0 cases of a plan that draws "),
                    "%s", err.text);
    }
    close_bench(&b);
}

TEST(half_an_answer_fails)
{
    bench b;
    open_bench(&b, "argmax_with_prob");
    put_all_outputs(&b);
    assert_int_equal(unlink(temp_path("exported/0000/value.got.npy")), 0);
    judge_expecting(&b, 1, "value.got.npy: is missing, others are there");
    close_bench(&b);
}

TEST(a_malformed_output_fails_its_case)
{
    bench b;
    open_bench(&b, "matmul");
    put_all_outputs(&b);
    write_file(temp_path("exported/0001/out.got.npy"), "nonsense", 8);
    judge_expecting(&b, 1, "0001/out.got.npy: no header of .npy");
    close_bench(&b);
}

TEST(changed_inputs_and_indices_are_refused)
{
    bench b;
    static const char bad[] =
        "inferno: export/2\nplan: []\ncases:\n  - {id: a, folder: \"../x\"}\n";
    open_bench(&b, "add");
    put_all_outputs(&b);
    spoil(temp_path("exported/0001/x.npy"));
    judge_expecting(&b, 1, "");
    write_file(temp_path("exported/index.yaml"), bad, sizeof bad - 1);
    judge_expecting(&b, 1, "");
    assert_int_equal(unlink(temp_path("exported/index.yaml")), 0);
    judge_expecting(&b, 2, "");
    assert_int_equal(COMMAND(NULL, "judge"), 2);
    close_bench(&b);
}

/* A spec with golden entries that the shipped specs do not have. */
static const char own_spec[] = "inferno: op/1\n"
                               "op: add\n"
                               "formula: out[i] = x[i] + y[i]\n"
                               "args:\n"
                               "  x:   {dtype: f32, shape: [n]}\n"
                               "  y:   {dtype: f32, shape: [n]}\n"
                               "  out: {dtype: f32, shape: [n]}\n"
                               "split: [elements]\n"
                               "contract: {class: B, special: [one rounded operation]}\n"
                               "dims:\n"
                               "  n: {edge: [1, 2], random: [1, 64]}\n"
                               "regimes: {T1: [normal]}\n"
                               "golden:\n"
                               "  - {name: mine, x: [7, 8, 9], y: [1, 2, 3], out: [8, 10, 12]}\n"
                               "legal: {n: 3}\n"
                               "refuse:\n"
                               "  - {name: negative n, with: {n: -1}, status: ERR_SHAPE}\n";

/* A directory exported with a spec of the user's own is judged with that spec: no other spec has these cases. */
TEST(a_directory_is_judged_by_the_spec_it_was_made_from)
{
    bench b;
    char path[256], *out;
    ifn_error err = {0};
    open_bench(&b, "add");
    snprintf(path, sizeof path, "%s", temp_path("add.yaml"));
    snprintf(b.dir, sizeof b.dir, "%s", temp_path("own"));
    write_file(path, own_spec, sizeof own_spec - 1);
    assert_int_equal(COMMAND(NULL, "export", b.dir, "--op", "add", "--cases", "5", "--spec", path),
                     0);
    spec_op_free(b.scalar.specs[IFN_OP_ADD]);
    b.scalar.specs[IFN_OP_ADD] = NULL;
    assert_ok(spec_op_read(path, &b.scalar.specs[IFN_OP_ADD], &err), err);
    put_all_outputs(&b);
    assert_int_equal(COMMAND(&out, "judge", b.dir, "--spec", path), 0);
    assert_non_null(strstr(out, "6 cases executed, 0 failed, 0 not run: conformant"));
    free(out);
    judge_expecting(&b, 1, ""); /* entry 1 of the shipped spec has other inputs */
    assert_int_equal(COMMAND(NULL, "judge", b.dir, "--spec", temp_path("none.yaml")), 2);
    assert_int_equal(COMMAND(NULL, "judge", b.dir, "--spec", path, "--op", "add"), 2);
    spoil(temp_path("own/0000/out.got.npy"));
    assert_int_equal(COMMAND(&out, "judge", b.dir, "--spec", path), 1);
    assert_non_null(strstr(out, "add/F32/n=3/GO/written/raw/0/1.0: out[0,2]: "));
    free(out);
    close_bench(&b);
}
