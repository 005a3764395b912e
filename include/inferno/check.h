/*
 * The findings of the wrapper `check`. It refuses illegal arguments before an op sees them, scans
 * every result for NaN and infinities, and remembers the first. With `check=stop` the op that produced
 * it also fails, with IFN_ERR_NUMERIC; else results and statuses are those of the inner backend.
 *
 * Masks do not count: `check` does not scan the results of fill_strict_upper_tri.
 *
 * Stability: stable.
 */
#ifndef INFERNO_CHECK_H
#define INFERNO_CHECK_H

#include <inferno/backend.h>
#include <inferno/export.h>
#include <inferno/status.h>

IFN_EXTERN_C_BEGIN

/**
 * Describes the first result of this chain that was not finite: which op gave it, where it stands,
 * whether the op's inputs were finite, how many calls its lane has had, and the last weight read there.
 * Call it while no op runs.
 * Returns 1 and fills `out` with IFN_ERR_NUMERIC; 0 if there is no such result, or no `check`.
 */
IFN_API int ifn_check_finding(const ifn_backend *chain, ifn_error *out);

IFN_EXTERN_C_END

#endif
