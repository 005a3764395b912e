# What report.sh prints. Reads ci/layers.txt, exclude.txt, floor.txt, and lcov's files named
# <out>/<phase>/all.info or <out>/<phase>/<part>.info, with phase "cases" or "tests"; `missing` names the levels
# of simd that the processor lacks. A floor of anything else that was not counted is an error; with `levels_alone`
# "true", that of another level.
function percent(hit, all) { return all ? 100 * hit / all : 100 }
function layer_of(path) {
    while (sub(/\/[^\/]*$/, "", path)) if (path in is_layer) return floor_of(path)
    return "no layer"
}
# Rooms of one layer (conform/plan, conform/judge, ...) have one floor together, that of the folder above.
function floor_of(layer,    above) {
    above = layer
    while (!(above in floor_lines) && sub(/\/[^\/]*$/, "", above)) if (above in floor_lines) return above
    return layer
}
# Counts `hit` of one for the row, and for the file where a floor names it.
function count(what, hit) {
    all[row, what]++
    reached[row, what] += hit
    if (part == "all" && file in floor_lines) {
        all[phase FS file, what]++
        reached[phase FS file, what] += hit
    }
}
# A cell, marked where it is below its floor.
function cell(name, what, floor,    p, below) {
    p = percent(reached["tests" FS name, what], all["tests" FS name, what])
    below = p < floor
    bad = bad || below
    return sprintf("%8.2f%s%6s", p, below ? "<" : " ", floor)
}
function is_expected(name) {
    return sub(/^backends\/simd=/, "", name) ? !index(" " missing " ", " " name " ") : levels_alone != "true"
}
function fail(why) { print why >"/dev/stderr"; bad = 1 }

FILENAME ~ /layers\.txt$/ { sub(/#.*/, ""); if (NF && $1 !~ /\.h$/) is_layer[$1] = 1; next }
FILENAME ~ /exclude\.txt$/ { if ($1 == "kernel") unreachable[$2] = $3; next }
FILENAME ~ /floor\.txt$/ {
    sub(/#.*/, "")
    if (NF) { floor_lines[$1] = $2; floor_branches[$1] = $3; names[$1] = 1 }
    next
}
FNR == 1 {
    part = substr(FILENAME, length(out) + 1)
    phase = substr(part, 1, 5)
    sub(/^[a-z]*\//, "", part)
    sub(/\.info$/, "", part)
}
/^SF:/ {
    file = substr($0, 4 + length(root))
    layer = layer_of(file)
    row = phase FS (part == "all" ? layer : part)
    if (phase == "tests") names[part == "all" ? layer : part] = 1
    is_kernel = layer == "backends/scalar" || layer == "backends/simd"
}
# The sum of all levels says nothing of a kernel of one.
/^FNDA:0,/ && phase == "cases" && is_kernel && (part != "all" || layer == "backends/scalar") {
    name = substr($0, 8)
    where = part == "all" ? layer : part
    if (!(where in unreachable) || name !~ unreachable[where]) fail(where ": " file ": no case reaches " name)
}
/^DA:/ { sub(/^[^,]*,/, ""); count("lines", $0 + 0 > 0) }
/^BRDA:/ { sub(/.*,/, ""); count("branches", $0 + 0 > 0) }
END {
    printf "%-26s %7s %15s %15s %17s\n", "layer", "lines", "reached  floor", "branches  floor", "by cases alone"
    fflush()
    for (name in names) {
        if (!(name in floor_lines)) { fail(name ": has no line in coverage/floor.txt"); floor_lines[name] = floor_branches[name] = 0 }
        if (!all["tests" FS name, "lines"]) {
            if (is_expected(name)) fail(name ": has a floor, but nothing of it was counted")
            continue
        }
        printf "%-26s %7d %s %s %16.2f\n", name, all["tests" FS name, "lines"],
            cell(name, "lines", floor_lines[name]), cell(name, "branches", floor_branches[name]),
            percent(reached["cases" FS name, "lines"], all["cases" FS name, "lines"]) | "sort"
    }
    close("sort")
    exit bad
}
