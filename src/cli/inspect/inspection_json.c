/* Prints an inspection as JSON. */
#include "inspection.h"
#include "tensor_dims.h"

static void json_member_uint(json_writer *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_put_uint(json, value);
}

static void json_element(json_writer *json, const inspection *self, const ifn_gguf_kv *entry,
                         uint64_t index, uint64_t *cursor)
{
    if (entry->element_type == IFN_GGUF_STRING) {
        const ifn_string string = ifn_gguf_next_string(self->gguf, entry, cursor);
        json_put_bytes(json, string.data, string.bytes);
    } else if (entry->element_type == IFN_GGUF_BOOL) {
        json_put_bool(json, ifn_gguf_element_uint(entry, index) != 0);
    } else if (inspection_is_float(entry->element_type)) {
        json_put_double(json, ifn_gguf_element_float(entry, index));
    } else if (inspection_is_unsigned(entry->element_type)) {
        json_put_uint(json, ifn_gguf_element_uint(entry, index));
    } else {
        json_put_int(json, ifn_gguf_element_int(entry, index));
    }
}

static void json_entry(json_writer *json, const inspection *self, const ifn_gguf_kv *entry)
{
    uint64_t cursor = 0;
    json_begin_object(json);
    json_key(json, "key");
    json_put_bytes(json, entry->key.data, entry->key.bytes);
    json_key(json, "type");
    json_put_string(json, ifn_gguf_type_name(entry->type));
    if (entry->type == IFN_GGUF_ARRAY) {
        json_key(json, "element_type");
        json_put_string(json, ifn_gguf_type_name(entry->element_type));
        json_member_uint(json, "count", entry->count);
        json_key(json, "first");
        json_begin_array(json);
        for (uint64_t i = 0; i < inspection_n_shown(entry); i++)
            json_element(json, self, entry, i, &cursor);
        json_end_array(json);
    } else {
        json_key(json, "value");
        json_element(json, self, entry, 0, &cursor);
    }
    json_end_object(json);
}

static void json_tensor(json_writer *json, const ifn_gguf_tensor *tensor, const tensor_stats *stats)
{
    json_begin_object(json);
    json_key(json, "name");
    json_put_string(json, tensor->view.name);
    json_key(json, "type");
    json_put_string(json, tensor->type_name);
    json_key(json, "shape");
    json_begin_array(json);
    for (int32_t i = 0; i < tensor->view.n_dims; i++)
        json_put_int(json, tensor->view.shape[i]);
    json_end_array(json);
    json_member_uint(json, "bytes", tensor->bytes);
    json_member_uint(json, "offset", tensor->offset);
    json_key(json, "bits_per_weight");
    json_put_double(json, tensor_bits(tensor->bytes, tensor_elements(&tensor->view)));
    if (stats) {
        json_key(json, "stats");
        tensor_stats_json(stats, json);
    }
    json_end_object(json);
}

static void json_tensors(json_writer *json, const inspection *self)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++) {
        const ifn_gguf_tensor *const tensor = ifn_gguf_tensor_at(self->gguf, i);
        if (inspection_shows(self, tensor))
            json_tensor(json, tensor, self->stats ? &self->stats[n++] : NULL);
    }
}

static void json_sizes(json_writer *json, const inspection *self)
{
    json_key(json, "sizes");
    json_begin_array(json);
    for (size_t i = 0; i < self->n_types; i++) {
        json_begin_object(json);
        json_key(json, "type");
        json_put_string(json, self->types[i].name);
        json_member_uint(json, "tensors", self->types[i].n_tensors);
        json_member_uint(json, "bytes", self->types[i].bytes);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_uint(json, "parameters", self->n_parameters);
    json_key(json, "bits_per_weight");
    json_put_double(json, tensor_bits(self->tensor_bytes, self->n_parameters));
}

static void json_verdict(json_writer *json, const inspection *self)
{
    json_key(json, "runs");
    json_put_bool(json, self->n_problems == 0);
    json_key(json, "problems");
    json_begin_array(json);
    for (size_t i = 0; i < self->n_problems; i++)
        json_put_string(json, self->problems[i].text);
    json_end_array(json);
    json_key(json, "warnings");
    json_begin_array(json);
    for (int i = 0; inspection_warning(self, i); i++)
        json_put_string(json, inspection_warning(self, i));
    json_end_array(json);
}

void inspection_json(const inspection *self, FILE *out)
{
    json_writer json = {.out = out};
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_string(&json, ifn_gguf_path(self->gguf));
    json_member_uint(&json, "file_bytes", ifn_gguf_file_bytes(self->gguf));
    json_member_uint(&json, "version", ifn_gguf_version(self->gguf));
    json_member_uint(&json, "alignment", ifn_gguf_alignment(self->gguf));
    json_member_uint(&json, "data_offset", ifn_gguf_data_offset(self->gguf));
    json_key(&json, "metadata");
    json_begin_array(&json);
    for (uint64_t i = 0; i < ifn_gguf_n_kv(self->gguf); i++)
        json_entry(&json, self, ifn_gguf_kv_at(self->gguf, i));
    json_end_array(&json);
    json_key(&json, "tensors");
    json_begin_array(&json);
    json_tensors(&json, self);
    json_end_array(&json);
    json_sizes(&json, self);
    if (self->is_checked) {
        json_key(&json, "check");
        tensor_check_json(&self->check, &json);
    }
    json_verdict(&json, self);
    json_end_object(&json);
    json_finish(&json);
}
