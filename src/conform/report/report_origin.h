/* The origin of a report: which program wrote it, on which machine, when, and which plugin files it judged. */
#ifndef CONFORM_REPORT_ORIGIN_H
#define CONFORM_REPORT_ORIGIN_H

#include <inferno/backend.h>

/* The value of `cpu` after reports from different machines were merged. */
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

/* The files that implement the backend under test. */
typedef struct report_binary {
    char file[ORIGIN_FILE_BYTES]; /* the plugins of the expression; empty: none */
    char hash[ORIGIN_HASH_BYTES]; /* FNV-1a of these files in order; if none, of the program */
    int32_t is_device;
} report_binary;

/* The text that says how a device is judged, and which checks cannot be made on one. */
#define ORIGIN_DEVICE                                                                              \
    "a device: its tensors lay in its own memory, between bands that were compared after each "    \
    "call. Not tried: reads outside a tensor, offsets past 2^31, a call stopped in the midst of "  \
    "another"

void report_origin_fill(report_origin *out, int argc, char **argv);

/* Fills in the plugin files of a backend expression such as "trace:./mine.so=fast:simd". */
void report_binary_fill(report_binary *out, const char *expression);

/* Returns the first field in which the programs of two reports differ: "version", "commit", "program". NULL: the
 * reports are of the same program. */
const char *report_origin_differs(const report_origin *a, const report_origin *b);

/* Returns 1 if CPU, CPU features and operating system are the same. */
int report_origin_same_machine(const report_origin *a, const report_origin *b);

#endif
