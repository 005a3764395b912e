/* Prints an inspection as text. */
#include <inttypes.h>
#include <string.h>

#include "amount.h"
#include "escape.h"
#include "inspection.h"
#include "tensor_dims.h"

static void print_element(const ifn_gguf *gguf, const ifn_gguf_kv *entry, uint64_t index,
                          uint64_t *cursor, FILE *out)
{
    if (entry->element_type == IFN_GGUF_STRING) {
        const ifn_string string = ifn_gguf_next_string(gguf, entry, cursor);
        fputc('"', out);
        escape_terminal(out, string.data, string.bytes);
        fputc('"', out);
    } else if (entry->element_type == IFN_GGUF_BOOL) {
        fputs(ifn_gguf_element_uint(entry, index) ? "true" : "false", out);
    } else if (inspection_is_float(entry->element_type)) {
        fprintf(out, "%g", ifn_gguf_element_float(entry, index));
    } else if (inspection_is_unsigned(entry->element_type)) {
        fprintf(out, "%" PRIu64, ifn_gguf_element_uint(entry, index));
    } else {
        fprintf(out, "%" PRId64, ifn_gguf_element_int(entry, index));
    }
}

void inspection_print_value(const ifn_gguf *gguf, const ifn_gguf_kv *entry, FILE *out)
{
    uint64_t cursor = 0;
    if (entry->type != IFN_GGUF_ARRAY)
        fprintf(out, "(%s) = ", ifn_gguf_type_name(entry->type));
    else
        fprintf(out, "= [%" PRIu64 " %s%s] ", entry->count, ifn_gguf_type_name(entry->element_type),
                entry->element_type == IFN_GGUF_STRING && entry->count != 1 ? "s" : "");
    for (uint64_t i = 0; i < inspection_n_shown(entry); i++) {
        fputs(i ? ", " : "", out);
        print_element(gguf, entry, i, &cursor, out);
    }
    fputs(inspection_n_shown(entry) < entry->count ? ", ..." : "", out);
}

static void print_entry(const ifn_gguf *gguf, const ifn_gguf_kv *entry, FILE *out)
{
    fputs("  ", out);
    escape_terminal(out, entry->key.data, entry->key.bytes);
    fputc(' ', out);
    inspection_print_value(gguf, entry, out);
    fputc('\n', out);
}

void inspection_shape(const ifn_tensor *view, char *out, size_t bytes)
{
    size_t used = (size_t)snprintf(out, bytes, "[");
    for (int32_t i = 0; i < view->n_dims && used < bytes; i++)
        used +=
            (size_t)snprintf(out + used, bytes - used, "%s%" PRId64, i ? ", " : "", view->shape[i]);
    if (used < bytes)
        snprintf(out + used, bytes - used, "]");
}

static void print_tensor(const ifn_gguf_tensor *tensor, const tensor_stats *stats, FILE *out)
{
    char shape[96];
    inspection_shape(&tensor->view, shape, sizeof shape);
    fprintf(out, "  %-6s %-16s %10s  %5.2f bits  at %-12" PRIu64 " ", tensor->type_name, shape,
            amount_bytes(tensor->bytes).text,
            tensor_bits(tensor->bytes, tensor_elements(&tensor->view)), tensor->offset);
    escape_terminal(out, tensor->view.name, strlen(tensor->view.name));
    fputc('\n', out);
    if (!stats)
        return;
    fputs("           ", out);
    tensor_stats_print(stats, out);
    fputc('\n', out);
}

static void print_tensors(const inspection *self, FILE *out)
{
    uint64_t n = 0;
    fputs("\ntensors: type, rows and columns (a row lies in one piece; GGUF writes the columns "
          "first), size, bits\nof a number, place in the file\n",
          out);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++) {
        const ifn_gguf_tensor *const tensor = ifn_gguf_tensor_at(self->gguf, i);
        if (inspection_shows(self, tensor))
            print_tensor(tensor, self->stats ? &self->stats[n++] : NULL, out);
    }
}

static void print_size(const char *name, uint64_t n_tensors, uint64_t bytes, uint64_t n_parameters,
                       FILE *out)
{
    fprintf(out, "  %-6s %4" PRIu64 " tensors %10s %9s numbers, %5.2f bits each\n", name, n_tensors,
            amount_bytes(bytes).text, amount_count(n_parameters).text,
            tensor_bits(bytes, n_parameters));
}

static void print_sizes(const inspection *self, FILE *out)
{
    fputs("\nsizes:\n", out);
    for (size_t i = 0; i < self->n_types; i++)
        print_size(self->types[i].name, self->types[i].n_tensors, self->types[i].bytes,
                   self->types[i].n_parameters, out);
    print_size("all", self->n_shown, self->tensor_bytes, self->n_parameters, out);
    fprintf(out, "parameters: %" PRIu64 " (%s), %.2f bits per weight\n\n", self->n_parameters,
            amount_count(self->n_parameters).text,
            tensor_bits(self->tensor_bytes, self->n_parameters));
}

static void print_verdict(const inspection *self, FILE *out)
{
    const char *text = inspection_warning(self, 0);
    if (text)
        fputs("warnings:\n", out);
    for (int i = 1; text; text = inspection_warning(self, i++))
        fprintf(out, "  %s\n", text);
    if (self->n_problems == 0) {
        fputs("runs: yes\n", out);
        return;
    }
    fputs("would not run:\n", out);
    for (size_t i = 0; i < self->n_problems; i++)
        fprintf(out, "  %s\n", self->problems[i].text);
}

void inspection_print(const inspection *self, FILE *out)
{
    const ifn_gguf *gguf = self->gguf;
    fputs("file: ", out);
    escape_terminal(out, ifn_gguf_path(gguf), strlen(ifn_gguf_path(gguf)));
    fprintf(out,
            " (%s, %" PRIu64 " bytes)\nformat: GGUF version %" PRIu32 ", alignment %" PRIu64
            ", %" PRIu64 " keys, %" PRIu64 " tensors, data at %" PRIu64 "\n\nmetadata:\n",
            amount_bytes(ifn_gguf_file_bytes(gguf)).text, ifn_gguf_file_bytes(gguf),
            ifn_gguf_version(gguf), ifn_gguf_alignment(gguf), ifn_gguf_n_kv(gguf),
            ifn_gguf_n_tensors(gguf), ifn_gguf_data_offset(gguf));
    for (uint64_t i = 0; i < ifn_gguf_n_kv(gguf); i++)
        print_entry(gguf, ifn_gguf_kv_at(gguf, i), out);
    print_tensors(self, out);
    print_sizes(self, out);
    if (self->is_checked)
        tensor_check_print(&self->check, out);
    print_verdict(self, out);
}
