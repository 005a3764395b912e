/* The type of a whole file, named as in llama.cpp: one tensor type, or a mix of two or three. */
#ifndef IFN_CLI_FILE_TYPE_H
#define IFN_CLI_FILE_TYPE_H

#include <stdint.h>

#include <inferno/dtype.h>
#include <inferno/gguf_writer.h>

/* X(name, default type of matrices, general.file_type) */
#define FILE_TYPES_PLAIN(X)                                                                        \
    X(F32, F32, 0)                                                                                 \
    X(F16, F16, 1)                                                                                 \
    X(BF16, BF16, 32)                                                                              \
    X(Q8_0, Q8_0, 7)                                                                               \
    X(Q4_0, Q4_0, 2)                                                                               \
    X(Q4_1, Q4_1, 3)                                                                               \
    X(Q5_0, Q5_0, 8)                                                                               \
    X(Q5_1, Q5_1, 9)
/* The mixes. Q3_K, Q4_K and Q5_K are aliases of Q3_K_M, Q4_K_M and Q5_K_M. */
#define FILE_TYPES_K(X)                                                                            \
    X(Q2_K, Q2_K, 10)                                                                              \
    X(Q3_K_S, Q3_K, 11)                                                                            \
    X(Q3_K_M, Q3_K, 12)                                                                            \
    X(Q3_K_L, Q3_K, 13)                                                                            \
    X(Q3_K, Q3_K, 12)                                                                              \
    X(Q4_K_S, Q4_K, 14)                                                                            \
    X(Q4_K_M, Q4_K, 15)                                                                            \
    X(Q4_K, Q4_K, 15)                                                                              \
    X(Q5_K_S, Q5_K, 16)                                                                            \
    X(Q5_K_M, Q5_K, 17)                                                                            \
    X(Q5_K, Q5_K, 17)                                                                              \
    X(Q6_K, Q6_K, 18)

/* FILE_Q4_K_M = 15 */
enum {
#define X(NAME, DTYPE, NUMBER) FILE_##NAME = NUMBER,
    FILE_TYPES_PLAIN(X) FILE_TYPES_K(X)
#undef X
};

typedef struct file_type {
    const char *name; /* "Q4_K_M" */
    ifn_dtype dtype;  /* default type of its matrices */
    uint32_t number;  /* general.file_type */
} file_type;

/* The list of names for usage texts. */
#define FILE_TYPE_WORD(NAME, DTYPE, NUMBER) " " #NAME
#define FILE_TYPE_USAGE                                                                            \
    "TYPE:" FILE_TYPES_PLAIN(FILE_TYPE_WORD) /* and */                                             \
        "\n     " FILE_TYPES_K(FILE_TYPE_WORD) "\n(Q3_K, Q4_K and Q5_K are their M)"

/**
 * Finds a file type by its name in upper or lower case: "q4_k_m", or "q4_k" for the same.
 * Errors  IFN_ERR_ARGUMENT with the list; `what` begins the message: "--type"
 */
ifn_status file_type_parse(const char *what, const char *name, const file_type **out,
                           ifn_error *err);

/* Writes general.file_type, and the keys that go with it. */
ifn_status file_type_put(const file_type *self, ifn_gguf_writer *writer, ifn_error *err);

#endif
