#include "utf8.h"

#include <stdbool.h>

static size_t length_by_lead(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2) /* continuations, and leads of overlong forms */
        return 0;
    if (lead < 0xe0)
        return 2;
    if (lead < 0xf0)
        return 3;
    return lead < 0xf5 ? 4 : 0;
}

static bool is_second(uint8_t lead, uint8_t b)
{
    const uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;  /* overlong below */
    const uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf; /* no such code above */
    return b >= low && b <= high;
}

/* True if p[0 .. n) is a well-formed beginning of a character; the lead p[0] has been checked. */
static bool is_begun(const uint8_t *p, size_t n)
{
    if (n > 1 && !is_second(p[0], p[1]))
        return false;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return false;
    return true;
}

size_t ifn_utf8_char(const uint8_t *p, size_t n)
{
    const size_t length = n ? length_by_lead(p[0]) : 0;
    return length && length <= n && is_begun(p, length) ? length : 0;
}

size_t ifn_utf8_unfinished(const uint8_t *p, size_t n)
{
    for (size_t tail = 1; tail <= 3 && tail <= n; tail++) {
        const uint8_t *lead = p + n - tail;
        if ((*lead & 0xc0) == 0x80)
            continue;
        return length_by_lead(*lead) > tail && is_begun(lead, tail) ? tail : 0;
    }
    return 0;
}
