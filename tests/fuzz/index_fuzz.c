/*
 * Any text as the index of a folder that `inferno conform export` wrote. An accepted index names cases whose inputs
 * are in the folder, so the verdict is known: correct outputs pass whatever the index says, wrong ones fail, missing
 * ones are missing.
 *
 * Input: which folder, then the index; @0 stands for the id of the first exported case.
 */
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "conform.h"
#include "fuzz_input.h"
#include "judge_dir.h"
#include "paths.h"

enum { MAX_IDS = 10 };

/* One op whose inputs differ from case to case, so that the outputs of one case fit no other. */
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
                               "  n: {edge: [3, 4], random: [5, 64]}\n"
                               "regimes: {T1: [normal]}\n"
                               "golden:\n"
                               "  - {name: mine, x: [7, 8, 9], y: [1, 2, 3], out: [8, 10, 12]}\n"
                               "legal: {n: 3}\n"
                               "refuse:\n"
                               "  - {name: negative n, with: {n: -1}, status: ERR_SHAPE}\n";

static const char *const folders[] = {"right", "wrong", "missing"};
enum { RIGHT, WRONG, MISSING, N_FOLDERS };

static struct {
    char spec[256], dir[N_FOLDERS][256];
    int n_ids;
    char ids[MAX_IDS][CONFORM_ID_BYTES];
} setting;

static int run(const char *const *words)
{
    char *argv[16];
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    return ifn_conform_main(argc, argv);
}

/* Changes every byte of the last element, which no bound allows. */
static void spoil(const char *path)
{
    size_t bytes;
    char *const file = read_file(path, &bytes);
    if (!file)
        abort();
    for (size_t i = 1; i <= sizeof(float); i++)
        file[bytes - i] = (char)~file[bytes - i];
    write_file(path, file, bytes);
    free(file);
}

static void spoil_all(const char *dir)
{
    char path[512];
    for (int i = 0; i < setting.n_ids; i++) {
        snprintf(path, sizeof path, "%s/%04d/out.got.npy", dir, i);
        spoil(path);
    }
}

static void keep_ids(const char *dir)
{
    char path[512];
    setting.n_ids = 0;
    snprintf(path, sizeof path, "%s/index.yaml", dir);
    char *const index = read_file(path, NULL);
    for (const char *at = index; at && (at = strstr(at, "- id: \"")); at++)
        FUZZ_EXPECT(setting.n_ids < MAX_IDS &&
                    sscanf(at, "- id: \"%191[^\"]\"", setting.ids[setting.n_ids++]) == 1);
    free(index);
}

static void open_setting(void)
{
    answers scalar;
    ifn_error err;
    answers_open(&scalar);
    snprintf(setting.spec, sizeof setting.spec, "%s", temp_path("add.yaml"));
    write_file(setting.spec, own_spec, sizeof own_spec - 1);
    spec_op_free(scalar.specs[IFN_OP_ADD]);
    if (spec_op_read(setting.spec, &scalar.specs[IFN_OP_ADD], &err) != IFN_OK)
        abort();
    for (int i = 0; i < N_FOLDERS; i++) {
        char *const dir = setting.dir[i];
        snprintf(dir, sizeof setting.dir[i], "%s", temp_path(folders[i]));
        const char *const words[] = {"conform", "export", dir,      "--op",       "add",
                                     "--cases", "4",      "--spec", setting.spec, NULL};
        if (run(words) != 0)
            abort();
        keep_ids(dir);
        if (i != MISSING)
            answers_put_all(&scalar, dir);
    }
    spoil_all(setting.dir[WRONG]);
    answers_close(&scalar);
}

static void put_index(const char *dir, const fuzz_bytes *in)
{
    char path[512];
    snprintf(path, sizeof path, "%s/index.yaml", dir);
    FILE *const file = fopen(path, "wb");
    FUZZ_EXPECT(file);
    for (size_t i = 0; i < in->left; i++) {
        const int id = in->at[i] == '@' && i + 1 < in->left ? in->at[i + 1] - '0' : -1;
        if (id < 0 || id >= setting.n_ids) {
            fputc(in->at[i], file);
            continue;
        }
        fputs(setting.ids[id], file);
        i++;
    }
    FUZZ_EXPECT(fclose(file) == 0);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    ifn_error err = {.status = IFN_OK, .text = ""};
    conform_judged judged;
    if (!setting.n_ids)
        open_setting();
    const uint32_t folder = fuzz_below(&in, N_FOLDERS);
    char *const dir = setting.dir[folder];
    put_index(dir, &in);
    char *words[] = {dir};
    const conform_options options = {.n_words = 1, .words = words, .spec = setting.spec};
    const ifn_status status = conform_judge_dir(&options, &judged, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT(judged.failed == (folder == WRONG ? judged.cases : 0));
    FUZZ_EXPECT(judged.not_run == (folder == MISSING ? judged.cases : 0));
    FUZZ_EXPECT(judged.is_conformant == (folder == RIGHT && judged.cases > 0));
    return status == IFN_OK;
}
