#include "generation.h"

#include <inttypes.h>

#include "messages.h"

ifn_status generation_fit(int64_t trained, int64_t asked, size_t n_prompt, int64_t n,
                          generation_size *out, ifn_error *err)
{
    const int64_t limit = asked > 0 ? asked : trained;
    const int64_t used = (int64_t)n_prompt;
    if (used == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "the prompt is empty, and this vocabulary adds no token of its own");
    if (used > limit)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "the prompt has %" PRId64 " tokens, the context (%s) holds %" PRId64, used,
                        asked > 0 ? "--ctx" : "what the model was trained for", limit);
    const int64_t room = limit - used;
    const int grows = n > room && asked == 0;
    const int limited = n != GENERATION_NO_LIMIT && (n <= room || grows);
    *out = (generation_size){
        .max_pos = limited ? used + n : limit,
        .n = limited ? n : room,
        .cut = !limited,
        .beyond = grows,
    };
    return IFN_OK;
}

void generation_note(const generation_size *size, int64_t trained, const char *program)
{
    if (size->beyond)
        message_note(program,
                     "warning: %" PRId64 " tokens, but the model was trained for %" PRId64
                     "; the text may get worse",
                     size->max_pos, trained);
}

const char *generation_stop_name(generation_stop stop)
{
    static const char *const names[] = {"end", "length", "context", "text"};
    return names[stop];
}
