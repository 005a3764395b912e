/* Where a report comes from: which program said it, on which machine, when, and of which file. */
#ifndef CONFORM_REPORT_ORIGIN_H
#define CONFORM_REPORT_ORIGIN_H

#include <inferno/backend.h>

/* As a CPU: the reports that were merged are not of one machine. */
#define ORIGIN_SEVERAL "several machines"

enum { ORIGIN_HASH_BYTES = 20, ORIGIN_FILE_BYTES = 256 };

typedef struct report_origin {
    char version[32], commit[48];    /* of the program; the commit as its build was configured */
    char program[ORIGIN_HASH_BYTES]; /* FNV-1a of the program's file; "unknown" */
    char cpu[96], features[160], os[96];
    char host[64];     /* the machine's own name */
    char date[24];     /* UTC, "2026-01-31T23:59:59Z" */
    char command[512]; /* its words, cut off where they are longer */
} report_origin;

/* What is judged. */
typedef struct report_binary {
    char file[ORIGIN_FILE_BYTES]; /* the plugins of the expression; empty: none */
    char hash[ORIGIN_HASH_BYTES]; /* of them, one after the other; of the program where none is */
    int32_t is_device;
} report_binary;

/* How a device is judged, and what cannot be tried of one. */
#define ORIGIN_DEVICE                                                                              \
    "a device: its tensors lay in its own memory, between bands that were compared after each "    \
    "call. Not tried: reads outside a tensor, offsets past 2^31, a call stopped in the midst of "  \
    "another"

void report_origin_fill(report_origin *out, int argc, char **argv);

/* Of a backend expression, as "trace:./mine.so=fast:simd". */
void report_binary_fill(report_binary *out, const char *expression);

/* The first thing in which two reports are not of one program: "version", "commit", "program".
 * NULL: they are. */
const char *report_origin_differs(const report_origin *a, const report_origin *b);

/* CPU, its features and the operating system are the same. */
int report_origin_same_machine(const report_origin *a, const report_origin *b);

#endif
