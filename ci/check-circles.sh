#!/usr/bin/env bash
# ci/check-circles.sh [ROOT]: fails if units or rooms of src/ and include/ include each other in a circle, and prints
# the shortest one. A unit is X.c with X.h.
# ci/check-circles.sh --calls BUILD [ROOT]: the same for the functions and variables that the object files of a build
# use of each other. Only the readers of YAML, src/conform/spec, may recurse from one file into another.
set -euo pipefail
table=$(cd "$(dirname "$0")" && pwd)/layers.txt

# Reads "FROM TO WHERE" lines. Removes nodes without an edge in or out again and again; if some stay, there is a circle.
circles() {
    awk -v what="$1" '
    function remove(node,    list, n, i) {
        gone[node] = 1
        n = split(from[node], list)
        for (i = 1; i <= n; i++) { n_to[list[i]]--; consider(list[i]) }
        n = split(to[node], list)
        for (i = 1; i <= n; i++) { n_from[list[i]]--; consider(list[i]) }
    }
    function consider(node) {
        if (!(node in gone) && !(node in queued) && (n_to[node] <= 0 || n_from[node] <= 0)) {
            queue[n_queue++] = node
            queued[node] = 1
        }
    }
    # The nodes of the shortest way from `start` back to it, in way[0 ..]; as many as returned.
    function way_back(start, most,    list, n, i, head, tail, node, next_node, before, depth, todo) {
        split("", before); split("", depth)
        todo[0] = start; depth[start] = 0; tail = 1
        for (head = 0; head < tail; head++) {
            node = todo[head]
            if (depth[node] + 1 >= most) return 0
            n = split(to[node], list)
            for (i = 1; i <= n; i++) {
                next_node = list[i]
                if (next_node == start) {
                    for (i = depth[node]; i >= 0; i--) { way[i] = node; node = before[node] }
                    return depth[todo[head]] + 1
                }
                if (next_node in gone || next_node in depth) continue
                depth[next_node] = depth[node] + 1
                before[next_node] = node
                todo[tail++] = next_node
            }
        }
        return 0
    }
    $1 != $2 && !(($1, $2) in where) {
        where[$1, $2] = $3
        to[$1] = to[$1] " " $2; n_to[$1]++
        from[$2] = from[$2] " " $1; n_from[$2]++
        nodes[$1]; nodes[$2]
    }
    END {
        for (node in nodes) consider(node)
        for (i = 0; i < n_queue; i++) remove(queue[i])
        shortest = 1e9
        for (node in nodes) {
            if (node in gone) continue
            n_left++
            n = way_back(node, shortest)
            if (!n) continue
            shortest = n
            for (i = 0; i < n; i++) circle[i] = way[i]
        }
        if (!n_left) exit 0
        printf "a circle of %d %s, the shortest; with others at most %d %s are in one:\n", shortest, what, n_left, what
        for (i = 0; i < shortest; i++)
            printf "  %s: %s -> %s\n", where[circle[i], circle[(i + 1) % shortest]], circle[i], circle[(i + 1) % shortest]
        exit 1
    }'
}

# "UNIT UNIT-WHOSE-HEADER-IT-INCLUDES FILE:LINE"
includes() {
    local files
    mapfile -t files < <(find src include -name '*.[chS]' -o -name '*.inc' -o -name '*.h.in' | sort)
    awk '
    function unit(path) { sub(/\.h\.in$/, ".h", path); sub(/\.[^.\/]*$/, "", path); return path }
    FNR == 1 && NR == 1 {
        for (i = 1; i < ARGC; i++) {
            name = ARGV[i]
            is_file[name]
            sub(/.*\//, "", name)
            of_name[name] = of_name[name] " " ARGV[i]
        }
    }
    /^[ \t]*#[ \t]*include/ {
        match($0, /[<"][^>"]*/)
        name = substr($0, RSTART + 1, RLENGTH - 1)
        beside = FILENAME
        sub(/[^\/]*$/, name, beside)
        base = name
        sub(/.*\//, "", base)
        if (substr($0, RSTART, 1) == "<") candidates = "include/" name
        else candidates = beside in is_file ? beside : of_name[base]
        n = split(candidates, list)
        for (i = 1; i <= n; i++) if (list[i] in is_file) print unit(FILENAME), unit(list[i]), FILENAME ":" FNR
    }' "${files[@]}"
}

# The same between rooms: the folders of layers.txt, and the public headers. A file in no room is a room by itself.
rooms() {
    awk '
    function room(path,    folder, at) {
        if (path ~ /^include\//) return "include"
        sub(/\/[^\/]*$/, "", path)
        folder = at = path
        sub(/^src\//, "", at)
        while (!(at in named)) if (!sub(/\/[^\/]*$/, "", at)) return folder
        return "src/" at
    }
    NR == FNR { if (/^[a-z]/ && $1 !~ /\.h$/) named[$1]; next }
    { print room($1), room($2), $3 }' "$table" -
}

# "FILE FILE-WHOSE-SYMBOL-IT-USES SYMBOL"; a file that is compiled several times counts once. A build may also hold
# objects of sources that no longer exist.
calls() {
    find "$1/src" -path '*/CMakeFiles/ifn_*.dir/*.o' -print0 | sort -z | xargs -0 nm -A -P | awk -v root="$2" '
    {
        file = $1
        sub(/\.o:$/, "", file)
        sub(/CMakeFiles\/[^\/]*\.dir\//, "", file)
        sub(/^.*\/src\//, "src/", file)
        if (!(file in exists)) exists[file] = (getline line <(root "/" file)) > 0
        if (!exists[file]) next
        if ($3 == "U") { used[++n] = $2; user[n] = file }
        else if ($3 ~ /^[A-Z]$/) home[$2] = file
    }
    END { for (i = 1; i <= n; i++) if (used[i] in home) print user[i], home[used[i]], used[i] }'
}
# YAML nests, so the functions that read it call each other recursively.
without_yaml() { awk '!($1 ~ /^src\/conform\/spec\// && $2 ~ /^src\/conform\/spec\//)'; }

bad=0
if [ "${1:-}" = --calls ]; then
    calls "$2" "${3:-$(dirname "$0")/..}" | without_yaml | circles files || bad=1
else
    cd "${1:-$(dirname "$0")/..}"
    edges=$(includes)
    circles units <<<"$edges" || bad=1
    rooms <<<"$edges" | circles rooms || bad=1
fi
exit "$bad"
