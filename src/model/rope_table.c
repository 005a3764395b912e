/*
 * Angles in f64, rounded once: f32 angles are off by milliradians at position 131072
 * (numerics 7.6).
 */
#include "model_priv.h"

#include <math.h>

void ifn_model_rope_row(const ifn_model *self, int64_t position, float *row)
{
    const ifn_hparams *h = &self->hparams;
    const float *factors = self->globals.rope_freqs ? self->globals.rope_freqs->data : NULL;
    const int64_t half = h->head_dim / 2;
    for (int64_t i = 0; i < half; i++) {
        const double frequency = pow(h->rope_theta, -2.0 * (double)i / (double)h->head_dim);
        const double angle = (double)position * frequency / (factors ? (double)factors[i] : 1.0);
        row[i] = (float)cos(angle);
        row[half + i] = (float)sin(angle);
    }
}
