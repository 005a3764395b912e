# shellcheck shell=bash
# Sourced by debian-sources.sh and sysroot.sh: a scratch folder, $work, and an apt-get whose lists and downloads
# lie there. Needs no root and leaves the machine's own packages alone.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache,parts,packages}

# own_apt [OPTION...] COMMAND ARGUMENT...: an update goes on where only some of the lists can be had
own_apt() {
    apt-get --quiet --quiet -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" \
        -o APT::Sandbox::User=root "$@" && return
    [ "${!#}" = update ] && echo "$0: some package lists are missing; going on with the others"
}
