/* Opens a tiny model for one test, or gets the message with which it is refused. */
#ifndef OPEN_MODEL_H
#define OPEN_MODEL_H

#include <inferno/model.h>

#include <string.h>

#include "paths.h"
#include "test.h"
#include "tiny_model.h"

typedef struct opened {
    ifn_gguf *gguf;
    ifn_model *model;
} opened;

static inline ifn_status try_open(const tiny_model *m, opened *out, ifn_error *err)
{
    const char *path = temp_path("model.gguf");
    tiny_write(m, path);
    assert_ok(ifn_gguf_open(path, NULL, &out->gguf, err), *err);
    return ifn_model_open(out->gguf, NULL, &out->model, err);
}

static inline void close_model(opened *o)
{
    ifn_model_close(o->model);
    ifn_gguf_close(o->gguf);
}

static inline opened open_model(const tiny_model *m)
{
    opened o;
    ifn_error err;
    assert_ok(try_open(m, &o, &err), err);
    return o;
}

/* Expects the model to be refused with this status and a message that contains both texts. */
static inline void assert_refused(const tiny_model *m, ifn_status status, const char *what,
                                  const char *why)
{
    opened o;
    ifn_error err = {0};
    const ifn_status got = try_open(m, &o, &err);
    assert_null(o.model);
    assert_that(strstr(err.text, what) && strstr(err.text, why), "'%s' lacks '%s' or '%s'",
                err.text, what, why);
    assert_int_equal(got, status);
    close_model(&o);
}

#endif
