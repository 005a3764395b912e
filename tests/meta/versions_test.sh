#!/usr/bin/env bash
# versions_test.sh INFERNO SOURCE-DIR: the changelog and the specs name the versions that the program prints, and
# the templates of issues ask for what a report holds.
set -euo pipefail
inferno=$1
cd "$2"
printed=$("$inferno" --version)
bad=0
complain() {
    echo "$*" >&2
    bad=1
}
# says WHAT: the line of --version without its label
says() { sed -n "s/^$1:* //p" <<<"$printed"; }
# tells ROW VERSION: the table of the changelog has it
tells() { grep -qE "^\| $1 \| $2 \|" CHANGELOG.md || complain "CHANGELOG.md: no row '| $1 | $2 |'"; }

tells 'library and programs' "$(says inferno)"
tells 'plugin ABI' "$(says 'plugin ABI')"
tells 'spec of an op' "$(says spec)"
tells report "$(says report)"
first=$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
[ "$first" = "$(says inferno)" ] || complain "CHANGELOG.md: begins with $first, the program is $(says inferno)"
grep -qx "describes: $(says report)" spec/report.schema.yaml || complain "spec/report.schema.yaml describes another report"
grep -q "holds: $(says spec)," spec/schema.yaml || complain "spec/schema.yaml is of another version"

report=$("$inferno" conform --op add --cases 1 --quiet --json -)
mapfile -t keys < <(grep -ohE '"(origin|backends|failures)"' .github/ISSUE_TEMPLATE/*.yml | sort -u)
[ "${#keys[@]}" -eq 3 ] || complain "the templates ask for ${#keys[@]} parts of a report, expected 3"
for key in "${keys[@]}"; do
    grep -q "$key: " <<<"$report" || complain "the templates ask for $key, which no report has"
done
exit "$bad"
