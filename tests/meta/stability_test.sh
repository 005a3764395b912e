#!/usr/bin/env bash
# stability_test.sh SOURCE-DIR: every public header says what of it stays as it is, in its first comment, and one that is
# experimental marks what it declares.
set -euo pipefail
cd "$1/include/inferno"
bad=0
complain() {
    echo "$*" >&2
    bad=1
}
for header in *.h *.h.in; do
    # Its first comment, as one line.
    said=$(sed '/\*\//q' "$header" | tr -s ' *\n' ' ')
    case $said in
    *" Stability: experimental"*)
        grep 'IFN_API' "$header" | grep -qv '^IFN_EXPERIMENTAL IFN_API' &&
            complain "$header is experimental, and not all of it is marked IFN_EXPERIMENTAL"
        ;;
    *" Stability: "*) ;;
    *) complain "$header: its first comment has no paragraph 'Stability: ...'" ;;
    esac
done
exit "$bad"
