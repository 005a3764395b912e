/*
 * Any bytes through every writer of text: a JSON string reads back (invalid UTF-8 as U+FFFD), text for a terminal
 * contains no control character, and text for markup no tag.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/text.h>

#include "escape.h"
#include "fuzz_input.h"
#include "json.h"
#include "json_writer.h"

static void write_json(const void *what, FILE *out)
{
    const fuzz_bytes *in = what;
    json_writer w = {.out = out};
    json_put_bytes(&w, (const char *)in->at, in->left);
    json_finish(&w);
}

static void write_terminal(const void *what, FILE *out)
{
    const fuzz_bytes *in = what;
    escape_terminal(out, (const char *)in->at, in->left);
}

static void write_c(const void *what, FILE *out)
{
    const fuzz_bytes *in = what;
    escape_c(out, (const char *)in->at, in->left);
}

static void write_markup(const void *what, FILE *out)
{
    escape_markup(what, out);
}

static int is_utf8(const char *data, size_t bytes)
{
    while (bytes > 0) {
        uint32_t code;
        int valid;
        const size_t n = ifn_utf8_next(data, bytes, &code, &valid);
        FUZZ_EXPECT(n >= 1 && n <= 4 && n <= bytes);
        if (!valid)
            return 0;
        data += n;
        bytes -= n;
    }
    return 1;
}

static void expect_json(const fuzz_bytes *in)
{
    size_t bytes;
    const char *end;
    char *text = fuzz_written(write_json, in, &bytes);
    FUZZ_EXPECT(is_utf8(text, bytes));
    json *value = json_parse(text, &end);
    FUZZ_EXPECT(value->type == JSON_STRING && *end == '\0');
    if (is_utf8((const char *)in->at, in->left))
        FUZZ_EXPECT(value->bytes == in->left &&
                    (in->left == 0 || memcmp(value->string, in->at, in->left) == 0));
    json_free(value);
    free(text);
}

static void expect_terminal(const fuzz_bytes *in)
{
    size_t bytes;
    char *text = fuzz_written(write_terminal, in, &bytes);
    FUZZ_EXPECT(is_utf8(text, bytes));
    for (size_t i = 0; i < bytes; i++)
        FUZZ_EXPECT((uint8_t)text[i] >= 0x20 && text[i] != 0x7f);
    free(text);
    free(fuzz_written(write_c, in, &bytes));
}

/* The writers of markup take terminated text. */
static void expect_markup(const fuzz_bytes *in)
{
    size_t bytes;
    char *words = malloc(in->left + 1);
    if (!words)
        abort();
    if (in->left)
        memcpy(words, in->at, in->left);
    words[in->left] = '\0';
    char *text = fuzz_written(write_markup, words, &bytes);
    FUZZ_EXPECT(is_utf8(text, bytes) && !strpbrk(text, "<>\""));
    free(text);
    free(words);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    const fuzz_bytes in = {data, bytes};
    expect_json(&in);
    expect_terminal(&in);
    expect_markup(&in);
    return 1;
}
