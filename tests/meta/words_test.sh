#!/usr/bin/env bash
# What a reader of inferno meets is said in the words of spec/README.md, "Words", and in none of its last column; and a
# word that could mean two things stands where words.txt says that it has the one.
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

# words.txt: "word: folder !folder...; but pattern | pattern"
outside() { # word, folders, what is taken away first; prints the lines that are left where the word may not stand
    grep -rniE "(^|[^a-z])($1)([^a-z]|$)" src include --include='*.[chS]' --include='*.cl' --include='*.in' |
        awk -v word="(^|[^a-z])($1)([^a-z]|\$)" -v folders="$2" -v but="$3" '
            BEGIN { n = split(folders, place, " ") }
            {
                path = $0
                sub(/:.*/, "", path)
                text = tolower($0)
                sub(/^[^:]*:[0-9]*:/, "", text)
                if (but != "")
                    gsub(but, "", text)
                longest = allowed = 0
                for (i = 1; i <= n; i++) {
                    folder = place[i]
                    refuses = sub(/^!/, "", folder)
                    if (index(path, folder) == 1 && length(folder) > longest) {
                        longest = length(folder)
                        allowed = !refuses
                    }
                }
                if (!allowed && text ~ word)
                    print
            }'
}

n=0
failed=0
while IFS= read -r row; do
    n=$((n + 1))
    places=${row#*: }
    but=
    [[ $places == *'; but '* ]] && but=${places#*; but } && places=${places%%; but *}
    found=$(outside "${row%%: *}" "$places" "${but// | /|}")
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        echo "words: ^ tests/meta/words.txt says where '${row%%: *}' may stand" >&2
        failed=1
    fi
done < <(grep '^[a-z]' tests/meta/words.txt)
if [ "$n" -lt 9 ]; then
    echo "tests/meta/words.txt: found $n words, expected 9 or more" >&2
    exit 1
fi
exit $failed
