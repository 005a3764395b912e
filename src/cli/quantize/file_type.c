#include "file_type.h"

#include <strings.h>

#include <inferno/nearest.h>

static const file_type types[] = {
#define X(NAME, DTYPE, NUMBER) {#NAME, IFN_DTYPE_##DTYPE, NUMBER},
    FILE_TYPES_PLAIN(X) FILE_TYPES_K(X)
#undef X
};

enum { N_TYPES = sizeof types / sizeof *types };

ifn_status file_type_parse(const char *what, const char *name, const file_type **out,
                           ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = name};
    for (size_t i = 0; i < N_TYPES; i++) {
        if (strcasecmp(types[i].name, name) == 0) {
            *out = &types[i];
            return IFN_OK;
        }
        ifn_nearest_offer(&near, types[i].name);
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT,
                    "%s: found '%.20s', expected one of" FILE_TYPES_PLAIN(FILE_TYPE_WORD)
                        FILE_TYPES_K(FILE_TYPE_WORD) "%s",
                    what, name, ifn_nearest_hint(&near, hint));
}

ifn_status file_type_put(const file_type *self, ifn_gguf_writer *writer, ifn_error *err)
{
    IFN_TRY(
        ifn_gguf_writer_put_uint(writer, "general.file_type", IFN_GGUF_UINT32, self->number, err));
    /* 2: all block formats here have the layout of llama.cpp's quantization version 2. */
    return ifn_gguf_writer_put_uint(writer, "general.quantization_version", IFN_GGUF_UINT32, 2,
                                    err);
}
