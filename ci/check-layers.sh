#!/usr/bin/env bash
# ci/check-layers.sh [ROOT]: checks that layers.txt allows every #include below src/ and include/.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
table=$(cd "$(dirname "$0")" && pwd)/layers.txt
cd "$root"

# Templates become projects of their own, so their includes are not checked.
mapfile -t files < <(find src include -path src/cli/templates -prune -o \( -name '*.[chS]' -o -name '*.h.in' \) -print | sort)
awk '
function complain(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; bad = 1 }
function folder_of(path) {                    # the nearest folder above that the table names
    sub(/\.in$/, "", path)
    if (path ~ /^include\//) return owner_of(substr(path, 9))
    sub(/^src\//, "", path)
    while (sub(/\/[^\/]*$/, "", path)) if (path in allowed) return path
    return ""
}
function owner_of(header) {                   # its line, or that of all of its folder
    if (!(header in owner)) sub(/[^\/]*$/, "*.h", header)
    return owner[header]
}
function parent(path) { sub(/\/[^\/]*$/, "", path); return path }
function may(from, to) {
    return from == to || from == "public" || index(" " allowed[from] " ", " " to " ")
}

FNR == 1 && NR != 1 { here = folder_of(FILENAME); if (here == "") complain("no line in layers.txt") }
NR == FNR {
    if (/^[a-z]/ && $1 !~ /\.h$/ && !/# [^ ]/) complain($1 ": has no sentence that says what it is")
    sub(/#.*/, "")
    if ($1 ~ /\.h$/) owner[$1] = $2
    else if ($1 != "") {
        allowed[$1] = ""
        for (i = 2; i <= NF; i++) {
            allowed[$1] = allowed[$1] " " ($i == "above" ? rooms[parent($1)] : $i)
            if ($i ~ /\.h$/) owner[$i] = $i
        }
        rooms[parent($1)] = rooms[parent($1)] " " $1
    }
    if (FNR == 1)
        for (i = 2; i < ARGC; i++) if (ARGV[i] ~ /^src\/.*\.h$/) {
            name = ARGV[i]
            is_file[name] = 1
            sub(/.*\//, "", name)
            path[name] = ARGV[i]
        }
    next
}
/^[ \t]*#[ \t]*include/ {
    match($0, /[<"][^>"]*/)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    quoted = substr($0, RSTART, 1) == "\""
    beside = FILENAME
    sub(/[^\/]*$/, name, beside)
    base = name
    sub(/.*\//, "", base)
    if (quoted && beside in is_file) to = here
    else to = quoted && base in path ? folder_of(path[base]) : owner_of(name)
    if (quoted && to == "") complain(name " is no private header of src/")
    else if (!quoted && name ~ /^inferno\// && to == "") complain(name " has no line in layers.txt")
    else if (to == "") next                   # the C library
    else if (quoted ? !may(here, to) : !may(here, to) && !index(" " allowed[here] " ", " public "))
        complain(here " may not include " name " of " to)
}
END { exit bad }
' "$table" "${files[@]}"
