/* A model and a backend for the tests of this folder, which open no context. */
#ifndef WEIGHTS_ROAD_H
#define WEIGHTS_ROAD_H

#include <string.h>

#include "paths.h"
#include "test.h"
#include "tiny_model.h"
#include "weights_priv.h"

typedef struct half_road {
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_backend *scalar;
} half_road;

static inline half_road half_road_open(const tiny_model *m)
{
    half_road r;
    ifn_error err = {0};
    const char *path = temp_path("weights.gguf");
    tiny_write(m, path);
    assert_ok(ifn_gguf_open(path, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &r.scalar, &err), err);
    return r;
}

static inline void half_road_close(half_road *r)
{
    ifn_backend_close(r->scalar);
    ifn_model_close(r->model);
    ifn_gguf_close(r->gguf);
}

static inline ifn_weights *weights_of(half_road *r, ifn_backend *backend, uint32_t uses)
{
    ifn_weights *w;
    ifn_error err = {0};
    assert_ok(ifn_weights_open(r->model, backend, uses, NULL, NULL, &w, &err), err);
    return w;
}

#endif
