#include "synth.h"

#include "fnv1a.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): every input bit reaches every
 * output bit. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The key is made from the name, so that the weights of a tensor do not depend on the tensors before it. */
synth_noise synth_noise_of(uint64_t seed, const char *tensor, float center, double spread)
{
    /* The standard deviation of a sum of four uniform 16-bit numbers: sqrt((2^32 - 1) / 3). */
    const double sum_deviation = 37837.22722908;
    return (synth_noise){.key = mix(seed + 0x9e3779b97f4a7c15u) ^ fnv1a_text(FNV1A_START, tensor),
                         .center = center,
                         .spread = (float)(spread / sum_deviation)};
}

void synth_fill_row(const synth_noise *noise, int64_t row, int64_t cols, float *out)
{
    const uint64_t first = (uint64_t)row * (uint64_t)cols;
    for (int64_t i = 0; i < cols; i++) {
        const uint64_t bits = mix(noise->key + (first + (uint64_t)i + 1) * 0x9e3779b97f4a7c15u);
        const uint32_t sum = (uint32_t)(bits & 0xffff) + (uint32_t)(bits >> 16 & 0xffff) +
                             (uint32_t)(bits >> 32 & 0xffff) + (uint32_t)(bits >> 48);
        out[i] = noise->center + noise->spread * (float)((int32_t)sum - 2 * 65535);
    }
}
