#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *at)
{
    fprintf(stderr, "json: unexpected input at '%.20s'\n", at);
    abort();
}

static void *grow(void *p, size_t n, size_t size)
{
    /* Powers of two, so that appending is linear. */
    if ((n & (n - 1)) != 0)
        return p;
    p = realloc(p, (n ? n * 2 : 1) * size);
    if (!p)
        abort();
    return p;
}

static const char *skip(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static uint32_t hex4(const char *p)
{
    char digits[5] = {0};
    memcpy(digits, p, 4);
    char *end;
    const unsigned long v = strtoul(digits, &end, 16);
    if (end != digits + 4)
        die(p);
    return (uint32_t)v;
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static const char *parse_escape(const char *p, char **out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at = *p ? strchr(from, *p) : NULL;
    if (at) {
        *(*out)++ = to[at - from];
        return p + 1;
    }
    if (*p != 'u')
        die(p);
    uint32_t c = hex4(p + 1);
    p += 5;
    if (c >= 0xd800 && c < 0xdc00 && p[0] == '\\' && p[1] == 'u') {
        const uint32_t low = hex4(p + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            p += 6;
        }
    }
    *out += put_utf8(*out, c);
    return p;
}

static char *parse_string(const char **text, size_t *bytes)
{
    const char *p = *text + 1, *q = p;
    while (*q && *q != '"')
        q += *q == '\\' && q[1] ? 2 : 1;
    char *string = malloc((size_t)(q - p) + 4), *out = string;
    if (!string)
        abort();
    while (*p != '"') {
        if (!*p)
            die(p);
        if (*p == '\\')
            p = parse_escape(p + 1, &out);
        else
            *out++ = *p++;
    }
    *out = '\0';
    *bytes = (size_t)(out - string);
    *text = p + 1;
    return string;
}

static const char *parse(const char *p, json *out);

static const char *parse_items(const char *p, json *out, char close)
{
    p = skip(p + 1);
    while (*p != close) {
        if (out->type == JSON_OBJECT) {
            size_t bytes;
            if (*p != '"')
                die(p);
            out->keys = grow(out->keys, out->n, sizeof *out->keys);
            out->keys[out->n] = parse_string(&p, &bytes);
            p = skip(p);
            if (*p++ != ':')
                die(p);
        }
        out->items = grow(out->items, out->n, sizeof *out->items);
        p = skip(parse(p, &out->items[out->n++]));
        if (*p == ',')
            p = skip(p + 1);
        else if (*p != close)
            die(p);
    }
    return p + 1;
}

static const char *parse_word(const char *p, json *out)
{
    static const struct {
        const char *word;
        json_type type;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(p, words[i].word, strlen(words[i].word)) == 0) {
            out->type = words[i].type;
            return p + strlen(words[i].word);
        }
    }
    char *end;
    out->type = JSON_NUMBER;
    out->number = strtod(p, &end);
    if (end == p)
        die(p);
    return end;
}

static const char *parse(const char *p, json *out)
{
    *out = (json){0};
    p = skip(p);
    switch (*p) {
    case '{':
        out->type = JSON_OBJECT;
        return parse_items(p, out, '}');
    case '[':
        out->type = JSON_ARRAY;
        return parse_items(p, out, ']');
    case '"':
        out->type = JSON_STRING;
        out->string = parse_string(&p, &out->bytes);
        return p;
    default:
        return parse_word(p, out);
    }
}

json *json_parse(const char *text, const char **end)
{
    json *value = malloc(sizeof *value);
    if (!value)
        abort();
    const char *after = parse(text, value);
    if (end)
        *end = skip(after);
    return value;
}

static void release(json *value)
{
    for (size_t i = 0; i < value->n; i++) {
        if (value->keys)
            free(value->keys[i]);
        release(&value->items[i]);
    }
    free(value->keys);
    free(value->items);
    free(value->string);
}

void json_free(json *value)
{
    if (value)
        release(value);
    free(value);
}

const json *json_get(const json *value, const char *key)
{
    if (!value || value->type != JSON_OBJECT)
        return NULL;
    for (size_t i = 0; i < value->n; i++)
        if (strcmp(value->keys[i], key) == 0)
            return &value->items[i];
    return NULL;
}

int64_t json_int(const json *value)
{
    if (!value || value->type != JSON_NUMBER)
        die("a number");
    return (int64_t)value->number;
}

uint8_t *json_hex(const json *value, size_t *bytes)
{
    if (!value || value->type != JSON_STRING || value->bytes % 2 != 0)
        die("a hex string");
    *bytes = value->bytes / 2;
    uint8_t *data = malloc(*bytes + 1);
    if (!data)
        abort();
    for (size_t i = 0; i < *bytes; i++) {
        char digits[3] = {value->string[2 * i], value->string[2 * i + 1], 0};
        data[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return data;
}
