#include "shrunk_file.h"

#include <string.h>

#include "case_id.h"
#include "case_pool.h"
#include "output_file.h"
#include "written_case.h"

/* Builds a case. One with values becomes golden entry `index` (from 1) of a spec that has no other entries. */
static ifn_status build(conform_slot *out, conform_pool *pool, const char *id,
                        const spec_entry *values, uint32_t index, ifn_error *err)
{
    conform_case c;
    if (!conform_case_parse(id, &c, err))
        return IFN_ERR_ARGUMENT;
    if (!values)
        return conform_slot_build(out, pool, &c, NULL, NULL, err);
    spec_op *spec = conform_pool_take(pool, 1, sizeof *spec);
    spec->op = c.op;
    spec->n_golden = (int)index;
    spec->golden[index - 1] = *values;
    c.index = index;
    return conform_slot_build(out, pool, &c, spec, NULL, err);
}

enum { LABEL_SHOWN = 34 }; /* the last characters of a label, as paths differ at the end */

static void put_case(const conform_report *r, const conform_failure *f, const char *id,
                     const spec_entry *values, uint32_t index, FILE *out)
{
    conform_pool pool;
    ifn_error err;
    char name[64];
    conform_pool_init(&pool);
    conform_slot *slot = conform_pool_take(&pool, 1, sizeof *slot);
    const char *label = r->label[f->tested];
    const size_t n = strlen(label), tail = n > LABEL_SHOWN ? n - LABEL_SHOWN : 0;
    snprintf(name, sizeof name, "%.20s on %s%s", f->check, tail ? "..." : "", label + tail);
    if (build(slot, &pool, id, values, index, &err) == IFN_OK)
        conform_written_put(slot, name, out);
    conform_pool_fini(&pool);
}

void conform_put_values(const conform_failure *f, FILE *out)
{
    conform_pool pool;
    ifn_error err;
    conform_pool_init(&pool);
    conform_slot *slot = conform_pool_take(&pool, 1, sizeof *slot);
    if (f->values && build(slot, &pool, f->written, f->values, 1, &err) == IFN_OK)
        conform_written_put_inputs(slot, out);
    conform_pool_fini(&pool);
}

void conform_put_shrunk(const conform_report *r, FILE *out)
{
    uint32_t index[IFN_OP_COUNT] = {0};
    fputs("# The smallest failing cases of a run, to be repeated by\n"
          "#   inferno conform --backend EXPR --spec THIS\n"
          "# Inputs are values where they are few; outputs are what the f64 oracle says.\n"
          "inferno: cases/1\ncases:\n",
          out);
    int n = 0;
    for (int64_t i = 0; i < r->n_failures; i++) {
        const conform_failure *f = &r->failures[i];
        if (!f->shrunk[0])
            continue;
        n++;
        if (f->values && index[f->op] < SPEC_MAX_ENTRIES)
            put_case(r, f, f->written, f->values, ++index[f->op], out);
        else
            put_case(r, f, f->shrunk, NULL, 0, out);
    }
    if (!n)
        fputs("  []\n", out);
}
