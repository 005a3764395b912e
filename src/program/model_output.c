#include "model_output.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "output_path.h"
#include "signals.h"

static ifn_status open_writer(const char *target, const char *input, uint32_t alignment,
                              ifn_gguf_writer **out, ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_open(target, alignment, NULL, out, err));
    const char *const temporary = ifn_gguf_writer_temporary(*out);
    signals_temporary(temporary);
    if (temporary)
        (void)chmod(temporary, output_path_mode(target, input));
    return IFN_OK;
}

ifn_status model_output_open(const char *path, const char *input, uint32_t alignment,
                             ifn_gguf_writer **out, ifn_error *err)
{
    char *const target = output_path_target(path);
    if (!target)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", path);
    signals_hold();
    const ifn_status status = open_writer(target, input, alignment, out, err);
    signals_release();
    free(target);
    return status;
}

void model_output_close(ifn_gguf_writer *writer)
{
    ifn_gguf_writer_close(writer);
    signals_temporary(NULL);
}
