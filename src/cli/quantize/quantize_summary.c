#include "quantize_summary.h"

#include <inttypes.h>
#include <string.h>

#include "amount.h"
#include "escape.h"
#include "tensor_dims.h"

static uint64_t bytes_as(ifn_dtype dtype, uint64_t n)
{
    return n / (uint64_t)ifn_dtype_block_elements(dtype) * ifn_dtype_block_bytes(dtype);
}

void quantize_summary_add(quantize_summary *self, const ifn_gguf_tensor *tensor, ifn_dtype dtype,
                          bool is_weighted, FILE *list)
{
    const uint64_t n = tensor_elements(&tensor->view), bytes = bytes_as(dtype, n);
    self->n_tensors++;
    self->n_weighted += is_weighted;
    self->old_bytes += tensor->bytes;
    self->new_bytes += bytes;
    self->n_parameters += n;
    self->of_type[dtype]++;
    self->bytes_of_type[dtype] += bytes;
    if (!list)
        return;
    fprintf(list, "  %-6s -> %-6s %10s -> %10s %s ", tensor->type_name, ifn_dtype_name(dtype),
            amount_bytes(tensor->bytes).text, amount_bytes(bytes).text,
            is_weighted ? "weighted" : "        ");
    escape_terminal(list, tensor->view.name, strlen(tensor->view.name));
    fputc('\n', list);
}

void quantize_summary_print(const quantize_summary *self, double seconds, FILE *out)
{
    fputs("types:", out);
    for (int i = 0; i < IFN_DTYPE_COUNT; i++)
        if (self->of_type[i])
            fprintf(out, " %s %" PRIu64 " (%s)", ifn_dtype_name((ifn_dtype)i), self->of_type[i],
                    amount_bytes(self->bytes_of_type[i]).text);
    fputc('\n', out);
    if (self->n_weighted)
        fprintf(out, "weighted by the importance matrix: %" PRIu64 " of %" PRIu64 " tensors\n",
                self->n_weighted, self->n_tensors);
    fprintf(out, "tensors: %s (%.2f bits per weight) -> %s (%.2f)",
            amount_bytes(self->old_bytes).text, tensor_bits(self->old_bytes, self->n_parameters),
            amount_bytes(self->new_bytes).text, tensor_bits(self->new_bytes, self->n_parameters));
    if (seconds > 0.0)
        fprintf(out, ", %.1f s\n", seconds);
    else
        fputs("; nothing was written\n", out);
}
