#include "row_sets.h"

#include <math.h>
#include <string.h>

const char *const row_set_names[6] = {"normal",   "laplace", "sparse",
                                      "constant", "outlier", "lattice"};

uint64_t row_hash(const char *name, uint64_t index)
{
    uint64_t key = 0xcbf29ce484222325u;
    for (const char *p = name; *p; p++)
        key = (key ^ (uint8_t)*p) * 0x100000001b3u;
    uint64_t z = key + 0x9e3779b97f4a7c15u * (index + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

float row_normal(const char *name, uint64_t index)
{
    /* Twelve 16-bit uniforms, summed and centred: exact in f32. */
    int64_t total = 0;
    for (uint64_t word = 0; word < 3; word++) {
        const uint64_t h = row_hash(name, 3 * index + word);
        for (int shift = 0; shift < 64; shift += 16)
            total += (int64_t)(h >> shift & 0xffff);
    }
    return (float)(total - 393210) / 65536.0f;
}

static double negative_log(double u)
{
    int e;
    const double m = frexp(u, &e), t = (m - 1.0) / (m + 1.0);
    double series = 0.0;
    for (int k = 16; k >= 0; k--)
        series = series * (t * t) + 1.0 / (2 * k + 1);
    return -(2.0 * t * series + e * 0.6931471805599453);
}

static float laplace(const char *name, uint64_t index)
{
    const uint64_t h = row_hash(name, index);
    const double u = (double)((h & (((uint64_t)1 << 53) - 1)) + 1) * 0x1p-53;
    return (float)((h >> 63 ? -1.0 : 1.0) * negative_log(u));
}

static float sparse(const char *name, uint64_t index)
{
    return row_hash("sparse.where", index) % 8 == 0 ? row_normal(name, index) : 0.0f;
}

static float constant(const char *name, uint64_t index)
{
    return row_normal(name, index / 256);
}

static float outlier(const char *name, uint64_t index)
{
    const int here = index % 256 == row_hash("outlier.where", index / 256) % 256;
    return row_normal(name, index) * (here ? 100.0f : 1.0f);
}

static float lattice(const char *name, uint64_t index)
{
    static const float ends[5][2] = {
        {-127.0f, 127.0f}, {-8.0f, 7.5f}, {-16.0f, 15.5f}, {0.0f, 15.0f}, {0.0f, 31.0f}};
    const float lo = ends[index / 32 % 5][0], hi = ends[index / 32 % 5][1];
    if (index % 32 < 2)
        return index % 32 ? hi : lo;
    return lo + 0.5f * (float)(row_hash(name, index) % (uint64_t)(2 * (hi - lo) + 1));
}

int row_set_fill(const char *name, float *x, int64_t n)
{
    static float (*const make[6])(const char *, uint64_t) = {row_normal, laplace, sparse,
                                                             constant,   outlier, lattice};
    for (int set = 0; set < 6; set++) {
        if (strcmp(name, row_set_names[set]) == 0) {
            for (int64_t i = 0; i < n; i++)
                x[i] = make[set](name, (uint64_t)i);
            return 1;
        }
    }
    return 0;
}
