/*
 * A look at the tokens of a YAML or JSON file before a tree is made of it. libyaml reads any
 * nesting and any number of anchors, in time that grows with their square; what no file of this
 * project has is refused here, in one pass.
 */
#ifndef CONFORM_SPEC_SCAN_H
#define CONFORM_SPEC_SCAN_H

#include <stdio.h>

#include <inferno/status.h>

/* Lists and maps in one another. */
#define SPEC_MAX_NESTING 64
/* Bytes of a file: an index of 100 000 cases has 80 MB. */
enum { SPEC_FILE_BYTES = 1 << 28 };

/* What is refused, and where: lines and columns count from 1. */
typedef struct spec_scan_refusal {
    int line, column;
    const char *what; /* static */
} spec_scan_refusal;

/* Reads the file to its end, or to what is refused: IFN_ERR_FORMAT. What is no YAML at all passes:
 * whoever makes the tree says what is wrong with it. IFN_ERR_NOMEM. */
IFN_NODISCARD ifn_status spec_scan(FILE *file, spec_scan_refusal *out);

#endif
