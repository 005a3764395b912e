/*
 * Any text as the id of a case, as `inferno conform --case` and files of cases take it. A small case that is accepted
 * has inputs and a truth, and the reference accepts its call. Whether the case makes sense is for the runner to
 * decide: an id may combine a tier and a family that do not go together.
 */
#include <stdlib.h>
#include <string.h>

#include "case_call.h"
#include "case_id.h"
#include "cases_file.h"
#include "fuzz.h"
#include "fuzz_input.h"

enum { SMALL = 1 << 12 };

static int is_small(const conform_case *c)
{
    conform_layout l = {0};
    size_t bytes = 0;
    if (conform_case_layout(c, &l) != IFN_OK)
        return 0;
    for (int t = 0; t < l.n; t++)
        bytes += l.t[t].bytes;
    return bytes <= SMALL && conform_module_of(c->op)->work(c) <= SMALL;
}

static void run(const conform_case *c)
{
    fuzz f;
    fuzz_open(&f, c->op);
    f.c = *c;
    if (fuzz_begin(&f)) {
        fuzz_run(&f);
        (void)fuzz_wrong(&f);
        fuzz_end(&f);
    }
    ifn_backend_close(f.backend);
    conform_pool_fini(&f.pool);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    fuzz_words w = fuzz_words_of(&in, 1);
    conform_case c;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const int taken =
        w.n == 1 && conform_case_parse(w.at[0], &c, &err) && conform_case_check(&c, &err) == IFN_OK;
    /* others take the values of a spec, or are calls that the reference must refuse */
    if (taken && c.tier != TIER_GOLDEN && c.tier != TIER_REFUSE && is_small(&c))
        run(&c);
    fuzz_words_free(&w);
    return taken;
}
