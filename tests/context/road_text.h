/* Generates a text on any chain, to compare it with scalar's: ids, and the logits after the last. */
#ifndef IFN_ROAD_TEXT_H
#define IFN_ROAD_TEXT_H

#include <string.h>

#include "road.h"

static const ifn_token prompt[] = {3, 1, 4, 1, 5, 9, 2, 6};

enum { N_IDS = 24, MAX_VOCAB = 4096 };

typedef struct result {
    ifn_token ids[N_IDS];
    float logits[MAX_VOCAB];
} result;

static inline void generate(const char *path, const ifn_context_params *p, const char *expression,
                            result *out)
{
    road r = road_open_on(path, p, expression, NULL);
    memset(out, 0, sizeof *out);
    assert_true(ifn_model_hparams(r.model)->n_vocab <= MAX_VOCAB);
    road_generate(&r, prompt, N_OF(prompt), out->ids, N_IDS);
    road_logits(&r, out->logits);
    assert_true(out->logits[0] != 0); /* some logits were written */
    road_close(&r);
}

static inline void expect_same(const char *path, const ifn_context_params *p,
                               const char *const *expressions, size_t n)
{
    static result want, got;
    generate(path, p, "scalar", &want);
    for (size_t i = 0; i < n; i++) {
        generate(path, p, expressions[i], &got);
        assert_that(memcmp(&got, &want, sizeof want) == 0, "%s: other bits than scalar",
                    expressions[i]);
    }
}

#endif
