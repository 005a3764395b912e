#!/usr/bin/env bash
# ci/check-symbols.sh LIBRARY: checks that an archive or shared library defines no global name without `ifn_`.
# Hidden names count, too: in an archive they still collide with those of the program that links it.
set -euo pipefail
case "$1" in
*.a) names=$(nm --defined-only --extern-only --print-file-name "$1") ;;
*) names=$(nm --defined-only --dynamic --print-file-name "$1") ;;
esac
[ -n "$names" ] || { echo "check-symbols: $1: defines nothing" >&2; exit 1; }
! grep -v ' ifn_[A-Za-z0-9_]*$' <<<"$names"
