#include "report_numbers.h"

#include <string.h>

const numbers_form conform_numbers_in_line = {": ", ", ", 0};

int conform_is_by_value(const conform_verdict *v)
{
    return v->check == CHECK_VALUE || v->check == CHECK_SCALAR || v->check == CHECK_PLACE;
}

int conform_has_numbers(const conform_verdict *v)
{
    return conform_is_by_value(v) && v->worst.worst >= 0;
}

/* Prints an f32 in decimal, in hexadecimal and as bits. */
static void put_float(const char *name, double x, int width, FILE *out)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    fprintf(out, "%-*s %.9g (%a, 0x%08x)", width, name, x, x, (unsigned)bits);
}

static void put_distance(const conform_result *w, FILE *out)
{
    const int64_t ulps = conform_ulp_distance((float)w->got, (float)w->want);
    fprintf(out, "bound %.3g, error/bound %.3g", w->bound, w->ratio);
    if (ulps < INT64_MAX)
        fprintf(out, ", %lld ulp", (long long)ulps);
}

void conform_put_numbers(const conform_verdict *v, const numbers_form *form, FILE *out)
{
    const conform_result *const w = &v->worst;
    if (v->is_raw) {
        fprintf(out, "%s, byte %lld: got 0x%02x, want 0x%02x", v->tensor, (long long)w->worst,
                (unsigned)w->got, (unsigned)w->want);
        return;
    }
    fprintf(out, "%s[%lld]%s", v->tensor, (long long)w->worst, form->first);
    put_float("got", w->got, form->name_width, out);
    fputs(form->next, out);
    put_float("want", w->want, form->name_width, out);
    fputs(form->next, out);
    put_distance(w, out);
}
