#include "quantize_keys.h"

#include <stdbool.h>
#include <string.h>

static bool is_replaced(const ifn_gguf_kv *entry)
{
    /* Keys that are not copied: the writer writes the alignment itself, and an earlier importance matrix no longer
     * applies. */
    static const char *const keys[] = {"general.alignment",
                                       "general.file_type",
                                       "general.quantization_version",
                                       "quantize.imatrix.file",
                                       "quantize.imatrix.dataset",
                                       "quantize.imatrix.entries_count",
                                       "quantize.imatrix.chunks_count"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i]) == entry->key.bytes &&
            memcmp(keys[i], entry->key.data, entry->key.bytes) == 0)
            return true;
    return false;
}

/* Writes the keys of the importance matrix that llama-quantize writes. */
static ifn_status put_imatrix(const imatrix *m, const char *from, ifn_gguf_writer *out,
                              ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_put_string(out, "quantize.imatrix.file", from, strlen(from), err));
    if (m->dataset[0])
        IFN_TRY(ifn_gguf_writer_put_string(out, "quantize.imatrix.dataset", m->dataset,
                                           strlen(m->dataset), err));
    IFN_TRY(ifn_gguf_writer_put_uint(out, "quantize.imatrix.entries_count", IFN_GGUF_UINT32,
                                     (uint64_t)m->n, err));
    return m->n_chunks == 0 ? IFN_OK
                            : ifn_gguf_writer_put_uint(out, "quantize.imatrix.chunks_count",
                                                       IFN_GGUF_UINT32, (uint64_t)m->n_chunks, err);
}

ifn_status quantize_put_keys(const ifn_gguf *in, const file_type *wanted, const imatrix *importance,
                             const char *from, ifn_gguf_writer *out, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_kv(in); i++) {
        const ifn_gguf_kv *entry = ifn_gguf_kv_at(in, i);
        if (!is_replaced(entry))
            IFN_TRY(ifn_gguf_writer_put_kv(out, entry, err));
    }
    if (from)
        IFN_TRY(put_imatrix(importance, from, out, err));
    return file_type_put(wanted, out, err);
}
