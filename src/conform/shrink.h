/* The smallest case that still fails. */
#ifndef CONFORM_SHRINK_H
#define CONFORM_SHRINK_H

#include "run_report.h"
#include "runner.h"

/* Seconds a search may take. */
#define SHRINK_SECONDS 2.0

/* Fills in f->shrunk: shape first, then raw, disjoint and simpler inputs. */
IFN_NODISCARD ifn_status conform_shrink(conform_runner *runner, conform_failure *f, ifn_error *err);

#endif
