#include "sized.h"

#include <stdint.h>
#include <string.h>

/* The least size of such a struct: the size member and one more number, as in every first version. */
#define LEAST_BYTES (2 * sizeof(uint32_t))

static uint32_t size_of(const void *given)
{
    uint32_t bytes;
    memcpy(&bytes, given, sizeof bytes);
    return bytes;
}

static ifn_status check_rest(const unsigned char *given, size_t known, size_t bytes,
                             const char *name, ifn_error *err)
{
    for (size_t i = known; i < bytes; i++)
        if (given[i])
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "%s: byte %zu is set, this library knows %zu; it is older than the "
                            "program",
                            name, i, known);
    return IFN_OK;
}

ifn_status ifn_sized_read(void *out, size_t bytes, const void *given, const char *name,
                          ifn_error *err)
{
    const size_t theirs = size_of(given);
    if (theirs < LEAST_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%s: bytes %zu, expected its size, which its _INIT begins with", name,
                        theirs);
    IFN_TRY(check_rest(given, bytes, theirs, name, err));
    memset(out, 0, bytes);
    memcpy(out, given, theirs < bytes ? theirs : bytes);
    return IFN_OK;
}

void ifn_sized_write(void *given, const void *own, size_t bytes)
{
    const size_t theirs = size_of(given);
    if (theirs < LEAST_BYTES)
        return;
    memset((unsigned char *)given + sizeof(uint32_t), 0, theirs - sizeof(uint32_t));
    memcpy((unsigned char *)given + sizeof(uint32_t), (const unsigned char *)own + sizeof(uint32_t),
           (theirs < bytes ? theirs : bytes) - sizeof(uint32_t));
}
