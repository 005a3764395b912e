# Reads a page of docs/pages. MODE is one of
#   commands  a shell script: writes the files that the page shows, and runs its commands in their order
#   excerpts  the page with its excerpts of the source as they are in ROOT
# A comment on the line before a block says what it is; commands of blocks with a mark that LEFT_OUT matches do not run:
#   <!-- file=NAME -->  <!-- source=PATH from="..." lines=N -->  <!-- nightly -->  <!-- opencl -->
function fail(why) { printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"; bad = 1; exit 1 }
function value(info, key,    at, rest) {       # key=word or key="some words"
    at = index(info, key "=")
    if (!at) return ""
    rest = substr(info, at + length(key) + 1)
    if (rest ~ /^"/) { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
    sub(/ .*/, "", rest)
    return rest
}
function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

# "$ command   # exits with 1"
function command(line,    status) {
    sub(/^\$ /, "", line)
    status = 0
    if (match(line, / +# exits with [0-9]+$/)) {
        status = line
        sub(/.* /, "", status)
        line = substr(line, 1, RSTART - 1)
    }
    printf "run %s %d %s\n", quoted(FILENAME ":" FNR), status, quoted(line)
}

# The lines of a file from the first that begins so; and where that is.
function excerpt(info,    path, from, n, line, at) {
    path = value(info, "source"); from = value(info, "from"); n = value(info, "lines") + 0
    at = 0
    found = 0
    text = ""
    while ((getline line < (ROOT "/" path)) > 0) {
        at++
        if (!found && index(line, from) == 1) found = at
        if (found && at < found + n) text = text line "\n"
    }
    close(ROOT "/" path)
    if (!found) fail("no line of " path " begins with '" from "'")
}

!inside && /^<!-- / { info = substr($0, 6); sub(/ -->$/, "", info); if (MODE == "excerpts") print; next }
!inside && !/^```/ { info = "" }
/^```/ && !inside {
    inside = 1
    is_source = index(info, "source=") > 0
    is_file = index(info, "file=") > 0
    is_console = /^```console$/ && !(info && LEFT_OUT && info ~ LEFT_OUT)
    if (MODE == "commands" && is_file) printf "cat >%s <<'END_OF_FILE'\n", quoted(value(info, "file"))
    if (MODE == "excerpts") print
    if (MODE == "excerpts" && is_source) {
        excerpt(info)
        printf "/* %s:%d */\n%s", value(info, "source"), found, text
    }
    next
}
/^```$/ && inside {
    inside = 0
    if (MODE == "commands" && is_file) print "END_OF_FILE"
    if (MODE == "excerpts") print
    next
}
MODE == "excerpts" && !(inside && is_source) { print }
MODE == "commands" && inside && is_file { print }
MODE == "commands" && inside && is_console && /^\$ / { command($0) }
END {
    if (!bad && inside) { printf "%s: a block that does not end\n", FILENAME > "/dev/stderr"; bad = 1 }
    exit bad
}
