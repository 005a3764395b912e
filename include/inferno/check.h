/*
 * What the backend `check` found. It refuses illegal arguments before an op sees them, looks at
 * every result for NaN and infinities, and remembers the first. `check=stop` also lets the op that
 * gave it fail, with IFN_ERR_NUMERIC; else results and statuses are those of the backend inside.
 *
 * Masks do not count: what fill_strict_upper_tri fills with is not looked at.
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
 * The first result of this chain that was not finite: which op gave it, where it stands, whether
 * what it read was finite, and what came before. To be called while no op runs.
 * Returns 1 and fills `out` with IFN_ERR_NUMERIC; 0 where there is none, or no `check`.
 */
IFN_API int ifn_check_finding(const ifn_backend *chain, ifn_error *out);

IFN_EXTERN_C_END

#endif
