/*
 * A look at the tokens of a YAML or JSON file before a tree is made of it. libyaml reads any
 * nesting and any number of anchors, in time that grows with their square; what no file of this
 * project has is refused here, in one pass.
 */
#ifndef CONFORM_SPEC_SCAN_H
#define CONFORM_SPEC_SCAN_H

#include <stdio.h>

#include "spec_doc.h"

/* Lists and maps in one another; and bytes of a file: an index of 100 000 cases has 80 MB. */
enum { SPEC_MAX_NESTING = 64, SPEC_FILE_BYTES = 1 << 28 };

/* Reads the file to its end, or to what is refused. What is no YAML at all passes: whoever makes
 * the tree says what is wrong with it. */
IFN_NODISCARD ifn_status spec_scan(spec_doc *doc, FILE *file);

#endif
