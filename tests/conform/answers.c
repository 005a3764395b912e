#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "export.h"
#include "long_case.h"
#include "module.h"
#include "npy_file.h"
#include "paths.h"
#include "sampled.h"
#include "test.h"

void answers_open(answers *self)
{
    ifn_error err = {0};
    *self = (answers){.scalar = NULL};
    conform_pool_init(&self->pool);
    assert_ok(ifn_backend_open("scalar", NULL, &self->scalar, &err), err);
    assert_ok(spec_read_all(source_path("spec"), self->specs, &err), err);
}

void answers_close(answers *self)
{
    ifn_backend_close(self->scalar);
    spec_free_all(self->specs);
    conform_pool_fini(&self->pool);
}

void answers_put(answers *self, const char *dir, const char *id, const char *folder)
{
    conform_case c;
    conform_slot s;
    ifn_error err = {0};
    char path[EXPORT_PATH_BYTES];
    assert_that(conform_case_parse(id, &c, &err), "%s", err.text);
    conform_pool_reset(&self->pool);
    assert_ok(conform_slot_build(&s, &self->pool, &c, self->specs[c.op], self->scalar, &err), err);
    s = export_slot_under(&s, &self->under, &self->pool);
    if (conform_is_long(&c) || self->under.products) /* has no reference of its own */
        assert_ok(conform_slot_reference(&s, self->scalar, &self->pool, &err), err);
    for (int i = 0; i < s.layout.n && s.reference_status == IFN_OK; i++) {
        if (!export_is_output(&s, i))
            continue;
        const conform_tensor *t = &s.layout.t[i];
        const npy_matrix m = export_matrix(self->specs[c.op], &s.c, t);
        assert_ok(export_path(path, dir, folder, t->name, ".got.npy", &err), err);
        write_npy(path, &m, s.reference[i], export_stride(t));
    }
}

void answers_put_all(answers *self, const char *dir)
{
    char path[EXPORT_PATH_BYTES], id[CONFORM_ID_BYTES], folder[24];
    ifn_error err = {0};
    assert_ok(export_path(path, dir, ".", "index", ".yaml", &err), err);
    char *index = read_file(path, NULL);
    assert_non_null(index);
    for (const char *at = index; (at = strstr(at, "- id: \"")); at++) {
        assert_int_equal(sscanf(at, "- id: \"%191[^\"]\" folder: \"%23[0-9]\"", id, folder), 2);
        answers_put(self, dir, id, folder);
    }
    free(index);
}
