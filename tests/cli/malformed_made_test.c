/*
 * A thousand malformed models, made from a seed by four kinds of damage, each given to one command: it runs, or
 * refuses the model in one line, and never dies of a signal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/gguf.h>

#include "draw.h"
#include "paths.h"
#include "program.h"
#include "test.h"

enum { N_FILES = 1000, N_BASES = 3, MOST_BYTES = 1 << 22, PATH_BYTES = 1024 };

/* A valid model, and where its parts are. */
typedef struct base {
    char path[PATH_BYTES];
    char *data;
    size_t bytes;
    ifn_gguf *gguf;
} base;

static base bases[N_BASES];

static void make_base(base *b, const char *arch, const char *type)
{
    ifn_error err;
    snprintf(b->path, sizeof b->path, "%s-%s", temp_path(arch), type);
    program p = assert_runs("inferno", "synth", arch, b->path, "--type", type, "--vocab_size",
                            "300", "--embedding_length", "64", "--feed_forward_length", "96",
                            "--context_length", "64");
    program_free(&p);
    b->data = read_file(b->path, &b->bytes);
    assert_ok(ifn_gguf_open(b->path, NULL, &b->gguf, &err), err);
}

static int make_bases(void **state)
{
    (void)state;
    make_base(&bases[0], "llama", "F32");
    make_base(&bases[1], "qwen2", "Q8_0");
    make_base(&bases[2], "qwen3", "F16");
    return 0;
}

static int drop_bases(void **state)
{
    (void)state;
    for (int i = 0; i < N_BASES; i++) {
        ifn_gguf_close(bases[i].gguf);
        free(bases[i].data);
    }
    return 0;
}

/* A damaged copy under construction. */
typedef struct damage {
    const base *from;
    char *data; /* has room for MOST_BYTES */
    size_t bytes;
    uint64_t random;
} damage;

static size_t place_below(damage *d, size_t n)
{
    return n ? (size_t)draw_below(&d->random, (int64_t)n) : 0;
}

/* Returns a place in the metadata or the list of tensors three times out of four, else anywhere. */
static size_t any_place(damage *d)
{
    const size_t header = (size_t)ifn_gguf_data_offset(d->from->gguf);
    return place_below(d, draw_below(&d->random, 4) && header < d->bytes ? header : d->bytes);
}

static uint64_t any_number(damage *d)
{
    static const uint64_t extremes[] = {0,         1,          2,         0x7f,
                                        0xff,      0xffff,     INT32_MAX, UINT32_MAX,
                                        INT64_MAX, UINT64_MAX, 1u << 31,  (uint64_t)1 << 61};
    const uint64_t high = draw(&d->random), low = draw(&d->random);
    return draw_below(&d->random, 3) ? extremes[draw_below(&d->random, N_OF(extremes))]
                                     : high << 32 | low;
}

static void overwrite(damage *d, size_t at, const void *bytes, size_t n)
{
    if (at < d->bytes)
        memcpy(d->data + at, bytes, n < d->bytes - at ? n : d->bytes - at);
}

static void overwrite_number(damage *d, size_t at)
{
    const uint64_t value = any_number(d);
    overwrite(d, at, &value, (size_t)1 << draw_below(&d->random, 4));
}

/* Repeats, removes or moves the bytes between two places. */
static void move_bytes(damage *d)
{
    const size_t from = any_place(d), n = place_below(d, 200), to = any_place(d);
    if (from + n > d->bytes || d->bytes + n > MOST_BYTES)
        return;
    switch (draw_below(&d->random, 4)) {
    case 0:
        d->bytes = from;
        break;
    case 1:
        memmove(d->data + from, d->data + from + n, d->bytes - from - n);
        d->bytes -= n;
        break;
    case 2:
        memmove(d->data + from + n, d->data + from, d->bytes - from);
        d->bytes += n;
        break;
    default:
        overwrite(d, to, d->data + from, from > to && from - to < n ? from - to : 0);
        overwrite_number(d, to);
    }
}

static void change_structure(damage *d)
{
    for (int64_t n = 1 + draw_below(&d->random, 3); n > 0; n--)
        move_bytes(d);
}

static void change_header(damage *d)
{
    for (int64_t n = 1 + draw_below(&d->random, 4); n > 0; n--)
        overwrite_number(d, any_place(d));
}

/* Writes NaN and infinities as F32 or F16 into a few values or a whole row. */
static void change_data(damage *d)
{
    static const uint32_t single[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f800001};
    static const uint16_t half[] = {0x7e00, 0x7c00, 0xfc00, 0x7c01};
    const ifn_gguf *gguf = d->from->gguf;
    const ifn_gguf_tensor *t = ifn_gguf_tensor_at(
        gguf, (uint64_t)draw_below(&d->random, (int64_t)ifn_gguf_n_tensors(gguf)));
    const int which = (int)draw_below(&d->random, 4), is_half = t->view.dtype != IFN_DTYPE_F32;
    const size_t size = is_half ? 2 : 4, first = (size_t)t->offset;
    for (int64_t n = 1 + draw_below(&d->random, 64); n > 0; n--) {
        const size_t at = first + place_below(d, (size_t)t->bytes / size) * size;
        overwrite(d, at, is_half ? (const void *)&half[which] : (const void *)&single[which], size);
    }
}

static const ifn_gguf_kv *any_tokenizer_key(damage *d)
{
    const ifn_gguf *gguf = d->from->gguf;
    const int64_t n = (int64_t)ifn_gguf_n_kv(gguf);
    const ifn_gguf_kv *entry;
    do
        entry = ifn_gguf_kv_at(gguf, (uint64_t)draw_below(&d->random, n));
    while (entry->key.bytes < 10 || memcmp(entry->key.data, "tokenizer.", 10) != 0 ||
           (entry->type == IFN_GGUF_ARRAY && entry->count == 0));
    return entry;
}

/* Changes a letter in a table of strings, and sometimes a string's length. */
static void change_string(damage *d, const ifn_gguf_kv *entry)
{
    uint64_t cursor = 0;
    ifn_string text = {0};
    for (int64_t i = draw_below(&d->random, (int64_t)entry->count); i >= 0; i--)
        text = ifn_gguf_next_string(d->from->gguf, entry, &cursor);
    const char letter = " a\xff\xc4\0z"[draw_below(&d->random, 6)];
    const size_t at = (size_t)(text.data - (const char *)entry->data) + (size_t)entry->offset;
    if (draw_below(&d->random, 8) == 0)
        overwrite_number(d, at - 8);
    else if (text.bytes > 0)
        overwrite(d, at + place_below(d, text.bytes), &letter, 1);
}

/* Replaces an id, a type or a score by a value that is nearly right, or wrong. */
static void change_number(damage *d, const ifn_gguf_kv *entry)
{
    static const uint32_t values[] = {
        0, 1, 2, 3, 4, 5, 6, 7, 99, 299, 300, 0xffffffff, 0x7fc00000, 0xff800000, 0x80000000};
    const int64_t count = entry->type == IFN_GGUF_ARRAY ? (int64_t)entry->count : 1;
    const uint32_t value = values[draw_below(&d->random, N_OF(values))];
    overwrite(d, (size_t)entry->offset + 4 * (size_t)draw_below(&d->random, count), &value,
              entry->type == IFN_GGUF_BOOL ? 1 : 4);
}

/* Damages the tokenizer's keys: tokens, scores, types, merges, ids. */
static void change_tokenizer(damage *d)
{
    for (int64_t n = 1 + draw_below(&d->random, 3); n > 0; n--) {
        const ifn_gguf_kv *entry = any_tokenizer_key(d);
        if (entry->type == IFN_GGUF_ARRAY && entry->element_type == IFN_GGUF_STRING)
            change_string(d, entry);
        else if (entry->type != IFN_GGUF_STRING)
            change_number(d, entry);
    }
}

static void (*const kinds[])(damage *d) = {change_structure, change_header, change_data,
                                           change_tokenizer};

/* Expects each line to begin as a message does, and a single line unless warnings come before it. */
static void assert_orderly(const program *p, int file, const char *command)
{
    assert_that(p->status >= 0 && p->status <= 2, "file %d: %s: exit status %d: %s", file, command,
                p->status, p->err);
    assert_that(p->status == 0 || p->err_bytes > 0, "file %d: %s: no reason given", file, command);
    int n_lines = 0;
    for (const char *line = p->err; *line; n_lines++) {
        const char *end = strchr(line, '\n');
        assert_that(strncmp(line, "inferno: ", 9) == 0 && end, "file %d: %s: %s", file, command,
                    p->err);
        line = end + 1;
    }
    assert_that(n_lines <= 3, "file %d: %s: %d lines: %s", file, command, n_lines, p->err);
}

/* Returns 1 if the file was refused. */
static int try_file(int file, const char *path)
{
    const char *out = temp_path("made-out.gguf");
    const char *const commands[][12] = {
        {"inferno", "inspect", path},
        {"inferno", "generate", path, "--ids", "1,2", "-n", "2", "--backend", "scalar"},
        {"inferno", "tokenize", path, "a text \xc3\xa9"},
        {"inferno", "quantize", path, out, "Q8_0", "--force", "--quiet"},
        {"inferno", "logits", path, "--ids", "1,2,3", "--backend", "simd"},
        {"inferno", "generate", path, "-p", "a b", "-n", "2", "--graph", "primitive", "--backend",
         "scalar"}};
    const char *argv[13] = {NULL};
    memcpy(argv, commands[(size_t)file % N_OF(commands)], sizeof commands[0]);
    program p = program_run_list(argv);
    assert_orderly(&p, file, argv[1]);
    const int is_refused = p.status != 0;
    program_free(&p);
    return is_refused;
}

static void a_thousand_malformed_models_are_run_or_refused(void **state)
{
    (void)state;
    const char *path = temp_path("made.gguf");
    damage d = {.data = malloc(MOST_BYTES)};
    int n_refused[N_OF(kinds)] = {0};
    assert_non_null(d.data);
    for (int file = 0; file < N_FILES; file++) {
        d.random = (uint64_t)file;
        d.from = &bases[file % N_BASES];
        d.bytes = d.from->bytes;
        memcpy(d.data, d.from->data, d.bytes);
        const size_t kind = (size_t)(file / N_BASES) % N_OF(kinds);
        kinds[kind](&d);
        write_file(path, d.data, d.bytes);
        n_refused[kind] += try_file(file, path);
    }
    for (size_t i = 0; i < N_OF(kinds); i++)
        print_message("kind %zu: %d refused\n", i, n_refused[i]);
    /* some files are damaged beyond reading, and some are not */
    assert_in_range(n_refused[0] + n_refused[1] + n_refused[3], N_FILES / 4, N_FILES * 3 / 4 - 40);
    free(d.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_thousand_malformed_models_are_run_or_refused),
    };
    return cmocka_run_group_tests(tests, make_bases, drop_bases);
}
