/*
 * Scans the tokens of a YAML or JSON file before a tree is made of it. libyaml accepts any nesting and any number of
 * anchors, and its time grows with their square. This scan refuses, in one pass, what no file of this project has.
 */
#ifndef CONFORM_SPEC_SCAN_H
#define CONFORM_SPEC_SCAN_H

#include <stdio.h>

#include <inferno/status.h>

/* The deepest nesting of lists and maps. */
#define SPEC_MAX_NESTING 64
/* The most bytes of a file: an index of 100 000 cases has 80 MB. */
enum { SPEC_FILE_BYTES = 1 << 28 };

/* What the scan refuses, and where: lines and columns count from 1. */
typedef struct spec_scan_refusal {
    int line, column;
    const char *what; /* static */
} spec_scan_refusal;

/* Reads the file to its end, or to what it refuses: IFN_ERR_FORMAT. Invalid YAML passes, because building the tree
 * reports its error. IFN_ERR_NOMEM. */
IFN_NODISCARD ifn_status spec_scan(FILE *file, spec_scan_refusal *out);

#endif
