/*
 * Any bytes as a file of specs: one op's spec, a file of cases, or neither. The id of an accepted case reads back as
 * the same case.
 */
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "cases_file.h"
#include "fuzz_input.h"
#include "paths.h"
#include "spec.h"

static int read_spec(const char *path)
{
    spec_op *spec;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = spec_op_read(path, &spec, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT((status == IFN_OK) == (spec != NULL));
    spec_op_free(spec);
    return status == IFN_OK;
}

static void expect_id(const conform_case *c)
{
    char id[CONFORM_ID_BYTES], again[CONFORM_ID_BYTES];
    conform_case back;
    ifn_error err = {.status = IFN_OK, .text = ""};
    conform_case_id(c, id);
    FUZZ_EXPECT(conform_case_parse(id, &back, &err));
    conform_case_id(&back, again);
    FUZZ_EXPECT(strcmp(id, again) == 0);
}

static int read_cases(const char *path)
{
    static spec_op *specs[IFN_OP_COUNT];
    conform_cases cases;
    ifn_error err = {.status = IFN_OK, .text = ""};
    if (!specs[0] && spec_read_all(source_path("spec"), specs, &err) != IFN_OK)
        abort();
    const ifn_status status = conform_cases_read(path, specs, &cases, &err);
    fuzz_expect_said(status, &err);
    for (int64_t i = 0; i < cases.n; i++)
        expect_id(&cases.cases[i]);
    conform_cases_free(&cases);
    return status == IFN_OK;
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    const char *path = fuzz_file(data, bytes);
    return read_spec(path) | read_cases(path);
}
