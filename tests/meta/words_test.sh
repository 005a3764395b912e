#!/usr/bin/env bash
# What a reader of inferno meets is said in the words of spec/README.md, "Words", and in none of its last column.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t banned < <(sed -n '/^## Words/,/^## An op/ { /^| word /d; /^| [a-z]/ { s/ *|$//; s/.*| *//; s/, */\n/g; p } }' spec/README.md | sed '/^$/d')
if [ "${#banned[@]}" -lt 5 ]; then
    echo "spec/README.md: found ${#banned[@]} refused words, expected 5 or more" >&2
    exit 1
fi
pattern=$(IFS='|' && echo "${banned[*]}")
# A name made of several words counts, too: is_subject, subjects.
if grep -rniE "(^|[^a-z])($pattern)(s|es|ed)?([^a-z]|$)" README.md CONTRIBUTING.md CHANGELOG.md spec include src \
    --include='*.md' --include='*.yaml' --include='*.[chS]' --include='*.in' --exclude-dir=generate |
    grep -v '^spec/README.md:[0-9]*:| '; then
    echo "words: ^ see spec/README.md, \"Words\"" >&2
    exit 1
fi
