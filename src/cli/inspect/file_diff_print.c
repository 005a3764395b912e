#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "file_diff.h"

static void put_name(const char *name, size_t bytes, FILE *out)
{
    fputs("  ", out);
    escape_terminal(out, name, bytes);
}

static void print_key(const file_diff *self, const key_difference *d, FILE *out)
{
    const ifn_string key = (d->a ? d->a : d->b)->key;
    put_name(key.data, key.bytes, out);
    if (!d->a || !d->b) {
        fprintf(out, ": only in the %s file: ", d->a ? "first" : "second");
        inspection_print_value(d->a ? self->a : self->b, d->a ? d->a : d->b, out);
    } else {
        fputs(": ", out);
        inspection_print_value(self->a, d->a, out);
        fputs(" -> ", out);
        inspection_print_value(self->b, d->b, out);
    }
    fputc('\n', out);
}

static void put_form(const ifn_gguf_tensor *tensor, FILE *out)
{
    char shape[96];
    inspection_shape(&tensor->view, shape, sizeof shape);
    fprintf(out, "%s %s", tensor->type_name, shape);
}

static void print_tensor(const tensor_difference *d, FILE *out)
{
    const char *const name = (d->a ? d->a : d->b)->view.name;
    put_name(name, strlen(name), out);
    fputs(": ", out);
    if (!d->a || !d->b) {
        fprintf(out, "only in the %s file: ", d->a ? "first" : "second");
        put_form(d->a ? d->a : d->b, out);
        fputc('\n', out);
        return;
    }
    put_form(d->a, out);
    if (d->a->gguf_type != d->b->gguf_type || !d->has_values) {
        fputs(" -> ", out);
        put_form(d->b, out);
    }
    if (d->has_values && d->n_different == 0)
        fputs(", the same values", out);
    else if (d->has_values)
        fprintf(out,
                ", %" PRIu64 " values differ, most by %.4g in row %" PRId64 ", element %" PRId64
                "; rms %.4g of %.4g",
                d->n_different, d->largest, d->row, d->element, d->rms, d->rms_of_a);
    fputc('\n', out);
}

void file_diff_print(const file_diff *self, FILE *out)
{
    const ifn_gguf *const files[] = {self->a, self->b};
    for (int i = 0; i < 2; i++) {
        fputs(i ? "second: " : "first: ", out);
        escape_terminal(out, ifn_gguf_path(files[i]), strlen(ifn_gguf_path(files[i])));
        fputc('\n', out);
    }
    fprintf(out, "metadata: %" PRIu64 " keys are the same, %zu not%s\n", self->n_same_keys,
            self->n_keys, self->n_keys ? ":" : "");
    for (size_t i = 0; i < self->n_keys; i++)
        print_key(self, &self->keys[i], out);
    fprintf(out, "tensors: %" PRIu64 " are the same, %zu not%s\n", self->n_same_tensors,
            self->n_tensors, self->n_tensors ? ":" : "");
    for (size_t i = 0; i < self->n_tensors; i++)
        print_tensor(&self->tensors[i], out);
}

static void json_form(json_writer *json, const char *key, const ifn_gguf_tensor *tensor)
{
    char shape[96];
    json_key(json, key);
    if (!tensor) {
        json_put_string(json, NULL);
        return;
    }
    inspection_shape(&tensor->view, shape, sizeof shape);
    json_begin_object(json);
    json_member(json, "type", tensor->type_name);
    json_member(json, "shape", shape);
    json_end_object(json);
}

static void json_number(json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_double(json, value);
}

static void json_tensor(json_writer *json, const tensor_difference *d)
{
    json_begin_object(json);
    json_member(json, "name", (d->a ? d->a : d->b)->view.name);
    json_form(json, "first", d->a);
    json_form(json, "second", d->b);
    if (d->has_values) {
        json_key(json, "different");
        json_put_uint(json, d->n_different);
        json_number(json, "largest", d->largest);
        json_key(json, "row");
        json_put_int(json, d->row);
        json_key(json, "element");
        json_put_int(json, d->element);
        json_number(json, "rms", d->rms);
        json_number(json, "rms_of_first", d->rms_of_a);
    }
    json_end_object(json);
}

static void json_key_difference(json_writer *json, const key_difference *d)
{
    const ifn_string key = (d->a ? d->a : d->b)->key;
    json_begin_object(json);
    json_key(json, "key");
    json_put_bytes(json, key.data, key.bytes);
    json_key(json, "first");
    json_put_bool(json, d->a != NULL);
    json_key(json, "second");
    json_put_bool(json, d->b != NULL);
    json_end_object(json);
}

void file_diff_json(const file_diff *self, FILE *out)
{
    json_writer json = {.out = out};
    json_begin_object(&json);
    json_member(&json, "first", ifn_gguf_path(self->a));
    json_member(&json, "second", ifn_gguf_path(self->b));
    json_key(&json, "same");
    json_put_bool(&json, file_diff_is_empty(self));
    json_key(&json, "same_keys");
    json_put_uint(&json, self->n_same_keys);
    json_key(&json, "keys");
    json_begin_array(&json);
    for (size_t i = 0; i < self->n_keys; i++)
        json_key_difference(&json, &self->keys[i]);
    json_end_array(&json);
    json_key(&json, "same_tensors");
    json_put_uint(&json, self->n_same_tensors);
    json_key(&json, "tensors");
    json_begin_array(&json);
    for (size_t i = 0; i < self->n_tensors; i++)
        json_tensor(&json, &self->tensors[i]);
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
