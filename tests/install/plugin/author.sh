# shellcheck shell=bash
# To be sourced by the tests of a plugin's author: an installed copy of BUILD in an empty directory, and how to
# look at what its programs do.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
inferno=$prefix/bin/inferno
cd "$scratch" || exit
quietly() { "$@" >log 2>&1 || { cat log >&2; echo "failed: $*" >&2; return 1; }; }
# same WHAT FOUND EXPECTED
same() {
    [ "$2" = "$3" ] && return
    printf '%s: found "%s", expected "%s"\n' "$@" >&2
    exit 1
}

quietly cmake --install "$1" --prefix "$prefix"
quietly "$inferno" synth llama:tiny model.gguf --quiet
# continue_on BACKEND [OPTION...]: the ids of a continuation
continue_on() {
    "$inferno" generate model.gguf --ids 1,2,3 -n 8 --ignore-eos --json --backend "$@" |
        sed -n 's/.*"ids": \(\[[0-9, ]*\]\).*/\1/p'
}

# commands_of README: what it tells to type: whole lines, and words between backquotes that name the plugin
commands_of() {
    sed -n 's/^    //p' "$1" | grep -E '^([A-Z_]+=[a-z]+ )?(cmake|ctest|inferno|gdb) ' | sed 's/  .*//'
    # shellcheck disable=SC2016 # these quotes are the page's own
    grep -o '`inferno [^`]*build/[^`]*`' "$1" | tr -d '`'
}

# follow_readme PROJECT: types its README, word for word. Where every op would be judged, `add` is; the profile ci is
# listed, and the debugger left out.
follow_readme() {
    local command n=0
    PATH=$prefix/bin:$PATH
    cd "$1" || exit
    while read -r command; do
        command=${command//<where inferno is installed>/$prefix}
        case $command in
        gdb*) continue ;;
        ctest*' -C ci '*) command+=' -N' ;;
        ctest*' -R '*) ;;
        ctest*) command+=" -R '[.]add\$'" ;;
        *' --op '* | *' --case '* | *' --e2e '*) ;;
        'inferno conform'*) command+=' --op add' ;;
        esac
        bash -euc "$command" >../log 2>&1 </dev/null || { cat ../log >&2; echo "the README's '$command' fails" >&2; exit 1; }
        if grep -q 'No tests were found\|Total Tests: 0' ../log; then
            echo "the README's '$command' finds no test" >&2
            exit 1
        fi
        n=$((n + 1))
    done < <(commands_of README.md)
    cd .. || exit
    [ "$n" -ge 14 ] && return
    echo "the README has $n commands, expected 14 or more" >&2
    exit 1
}
