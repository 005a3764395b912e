/* The weights used where all errors count alike. */
#include "quant_priv.h"

#define ROW_4(x)  x, x, x, x
#define ROW_16(x) ROW_4(x), ROW_4(x), ROW_4(x), ROW_4(x)
#define ROW_64(x) ROW_16(x), ROW_16(x), ROW_16(x), ROW_16(x)
const float ifn_no_weights[256] = {ROW_64(1.0f), ROW_64(1.0f), ROW_64(1.0f), ROW_64(1.0f)};
