#include "spec_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"

const char *const spec_text = "inferno: op/1\n"                                           /* 1 */
                              "op: scale\n"                                               /* 2 */
                              "formula: out[i] = x[i] * value\n"                          /* 3 */
                              "args:\n"                                                   /* 4 */
                              "  x: {dtype: f32, shape: [n]}\n"                           /* 5 */
                              "  value: {scalar: f32}\n"                                  /* 6 */
                              "  out: {dtype: f32, shape: [n], may_alias: [x]}\n"         /* 7 */
                              "split: [elements]\n"                                       /* 8 */
                              "contract: {class: E, bound: numerics 6}\n"                 /* 9 */
                              "law:\n"                                                    /* 10 */
                              "  - {double: \"add(x, x)\"}\n"                             /* 11 */
                              "  - {out: \"scale(double, value / 2)\"}\n"                 /* 12 */
                              "dims:\n"                                                   /* 13 */
                              "  n: {edge: [0, 1, 5], random: [1, 64]}\n"                 /* 14 */
                              "golden:\n"                                                 /* 15 */
                              "  - {name: twice, x: [1, -2.5], value: 2, out: [2, -5]}\n" /* 16 */
                              "legal: {n: 3}\n"                                           /* 17 */
                              "refuse:\n"                                                 /* 18 */
                              "  - {name: fewer than none, with: {n: -1}, status: ERR_SHAPE}\n"
                              "regimes: {T1: [normal, wide], SV: [specials]}\n"; /* 20 */

static char *change(const char *from, const char *old, const char *new)
{
    const char *at = strstr(from, old);
    assert_that(at && !strstr(at + 1, old), "'%s' is not there exactly once", old);
    const size_t before = (size_t)(at - from), bytes = strlen(from) + strlen(new) + 1;
    char *text = malloc(bytes);
    assert_non_null(text);
    snprintf(text, bytes, "%.*s%s%s", (int)before, from, new, at + strlen(old));
    return text;
}

static ifn_status read_text(char *text, spec_op **out, ifn_error *err)
{
    const char *path = temp_path("spec.yaml");
    write_file(path, text, strlen(text));
    free(text);
    return spec_op_read(path, out, err);
}

ifn_status spec_read_changed(const char *old, const char *new, spec_op **out, ifn_error *err)
{
    return read_text(change(spec_text, old, new), out, err);
}

spec_op *spec_of_tree(ifn_op op, const char *old, const char *new)
{
    char name[64];
    ifn_error err = {0};
    spec_op *spec;
    snprintf(name, sizeof name, "spec/ops/%s.yaml", ifn_op_name(op));
    char *const text = read_file(source_path(name), NULL);
    assert_non_null(text);
    assert_ok(read_text(change(text, old, new), &spec, &err), err);
    free(text);
    return spec;
}

void assert_refused(const char *old, const char *new, const char *message)
{
    ifn_error err = {0};
    spec_op *spec;
    const ifn_status status = spec_read_changed(old, new, &spec, &err);
    assert_that(status == IFN_ERR_FORMAT, "'%s' was read as %s", new, ifn_status_name(status));
    assert_null(spec);
    const char *place = strstr(err.text, "spec.yaml:");
    assert_non_null(place);
    assert_string_equal(place + strlen("spec.yaml:"), message);
}

spec_op *assert_read(const char *old, const char *new)
{
    ifn_error err = {0};
    spec_op *spec;
    assert_ok(spec_read_changed(old, new, &spec, &err), err);
    return spec;
}
