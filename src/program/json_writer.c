#include "json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/text.h>

/* Writes what separates one item from the next: a comma, then a new line or `same_line`. */
static void put_gap(json_writer *self, const char *comma, const char *same_line)
{
    fputs(comma, self->out);
    if (self->is_line)
        fprintf(self->out, "\n%*s", self->blanks, "");
    else
        fputs(same_line, self->out);
    self->is_line = false;
}

static void separate(json_writer *self)
{
    const uint32_t bit = 1u << self->depth;
    const bool has_items = self->has_items & bit;
    if (!self->after_key)
        put_gap(self, has_items ? "," : "", has_items ? " " : "");
    self->after_key = false;
    self->has_items |= bit;
}

static void begin(json_writer *self, char bracket)
{
    separate(self);
    fputc(bracket, self->out);
    self->depth++;
    assert(self->depth < 32);
    self->has_items &= ~(1u << self->depth);
}

static void end(json_writer *self, char bracket)
{
    assert(self->depth > 0 && !self->after_key);
    self->depth--;
    put_gap(self, "", "");
    fputc(bracket, self->out);
}

void json_line(json_writer *self, int blanks)
{
    self->is_line = true;
    self->blanks = blanks;
}

void json_begin_object(json_writer *self)
{
    begin(self, '{');
}

void json_end_object(json_writer *self)
{
    end(self, '}');
}

void json_begin_array(json_writer *self)
{
    begin(self, '[');
}

void json_end_array(json_writer *self)
{
    end(self, ']');
}

static void put_character(FILE *out, uint32_t code, const char *data, size_t length)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *at = code && code < 0x80 ? strchr(from, (int)code) : NULL;
    if (at)
        fprintf(out, "\\%c", to[at - from]);
    else if (code < 0x20 || code == 0x7f)
        fprintf(out, "\\u%04x", (unsigned)code);
    else
        fwrite(data, 1, length, out);
}

void json_put_bytes(json_writer *self, const char *data, size_t bytes)
{
    static const char replacement[] = "\xef\xbf\xbd";
    separate(self);
    fputc('"', self->out);
    size_t length;
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t code;
        int valid;
        length = ifn_utf8_next(data + i, bytes - i, &code, &valid);
        if (valid)
            put_character(self->out, code, data + i, length);
        else
            fputs(replacement, self->out);
    }
    fputc('"', self->out);
}

void json_put_string(json_writer *self, const char *text)
{
    if (text) {
        json_put_bytes(self, text, strlen(text));
        return;
    }
    separate(self);
    fputs("null", self->out);
}

void json_key(json_writer *self, const char *key)
{
    json_put_string(self, key);
    fputs(": ", self->out);
    self->after_key = true;
}

void json_member(json_writer *self, const char *key, const char *text)
{
    json_key(self, key);
    json_put_string(self, text);
}

void json_put_int(json_writer *self, int64_t value)
{
    separate(self);
    fprintf(self->out, "%" PRId64, value);
}

void json_put_uint(json_writer *self, uint64_t value)
{
    separate(self);
    fprintf(self->out, "%" PRIu64, value);
}

void json_put_double(json_writer *self, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        json_put_string(self, NULL);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    separate(self);
    fputs(digits, self->out);
}

void json_put_float(json_writer *self, float value)
{
    char digits[40];
    if (!isfinite(value)) {
        json_put_string(self, NULL);
        return;
    }
    for (int precision = 1; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (strtof(digits, NULL) == value)
            break;
    }
    separate(self);
    fputs(digits, self->out);
}

void json_put_bool(json_writer *self, bool value)
{
    separate(self);
    fputs(value ? "true" : "false", self->out);
}

void json_finish(json_writer *self)
{
    assert(self->depth == 0);
    fputc('\n', self->out);
}
