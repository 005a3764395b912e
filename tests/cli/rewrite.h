/* Copies a GGUF file with one change, to make models with one defect. */
#ifndef IFN_TEST_REWRITE_H
#define IFN_TEST_REWRITE_H

typedef struct rewrite {
    const char *string_key, *string_value; /* set to this string */
    const char *uint_key;                  /* set to this u32 */
    unsigned uint_value;
    const char *without_key;
    const char *drop_last_of;  /* an array of strings that loses its last */
    const char *poison_tensor; /* an F32 tensor whose last value becomes a NaN */
} rewrite;

/* Aborts on failure. */
void rewrite_model(const char *from, const char *to, const rewrite *how);

#endif
