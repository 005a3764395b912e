/* The function that every fuzzer defines, for libFuzzer and for the replay. */
#ifndef IFN_FUZZ_INPUT_H
#define IFN_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#endif
