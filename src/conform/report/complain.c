#include "complain.h"

#include <stdbool.h>

#include "messages.h"

int conform_complain(const char *command, const ifn_error *err, bool is_writing)
{
    message_note("inferno", "%s: %s", command, err->text);
    const bool is_no = err->status == IFN_ERR_FORMAT || err->status == IFN_ERR_NOMEM ||
                       (is_writing && err->status != IFN_ERR_ARGUMENT);
    return is_no ? EXIT_NO : EXIT_USAGE;
}
