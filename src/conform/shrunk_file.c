#include "shrunk_file.h"

#include "golden_write.h"
#include "pool.h"

static ifn_status write_entry(const conform_report *r, const conform_failure *f,
                              spec_op *const *specs, FILE *out, ifn_error *err)
{
    conform_pool pool;
    conform_case c;
    char name[96];
    if (!conform_case_parse(f->shrunk, &c, err))
        return IFN_ERR_ARGUMENT;
    conform_pool_init(&pool);
    conform_slot *slot = conform_pool_take(&pool, 1, sizeof *slot);
    const ifn_status status = conform_slot_build(slot, &pool, &c, specs[c.op], NULL, err);
    if (status == IFN_OK) {
        snprintf(name, sizeof name, "%s on %.36s", f->fault, r->label[f->subject]);
        fprintf(out, "%s:\n", ifn_op_name(c.op));
        conform_golden_write(slot, name, out);
    }
    conform_pool_fini(&pool);
    return status;
}

ifn_status conform_write_shrunk(const char *path, const conform_report *report,
                                spec_op *const *specs, ifn_error *err)
{
    ifn_status status = IFN_OK;
    FILE *out = fopen(path, "w");
    if (!out)
        return ifn_fail(err, IFN_ERR_IO, "%s: cannot be written", path);
    for (int64_t i = 0; i < report->n_failures && status == IFN_OK; i++)
        if (report->failures[i].shrunk[0])
            status = write_entry(report, &report->failures[i], specs, out, err);
    const int failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && status == IFN_OK)
        return ifn_fail(err, IFN_ERR_IO, "%s: cannot be written", path);
    return status;
}
