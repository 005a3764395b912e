#!/usr/bin/env bash
# package_test.sh archive|debian BUILD-DIR: packs an archive or a Debian package, unpacks it elsewhere and
# runs what is inside.
set -euo pipefail
kind=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# pack GENERATOR PATTERN: prints the path of the package
pack() {
    (cd "$build" && cpack -G "$1" -B "$scratch/$1") >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        return 1
    }
    find "$scratch/$1" -maxdepth 1 -name "$2"
}

# try PREFIX: the model and the specs are found from where the program lies.
try() {
    "$1/bin/inferno" generate -p 'Once upon a time' -n 2 >/dev/null
    "$1/bin/inferno" conform --op add --profile smoke --quiet >"$scratch/log"
    grep -q ': conformant, of --op add alone$' "$scratch/log"
    "$1/bin/inferno" conform --museum --op add --quiet >"$scratch/log" || { cat "$scratch/log" >&2; return 1; }
    test -s "$1/include/inferno/inferno.h"
    test -s "$1/share/man/man1/inferno-conform-merge.1"
    test -s "$1/share/man/man1/model-generate.1"
    test -s "$1/share/bash-completion/completions/inferno"
    test -s "$1/share/zsh/site-functions/_inferno"
    test -s "$1/share/fish/vendor_completions.d/inferno.fish"
    test -s "$1/share/doc/inferno/copyright"
}

try_archive() {
    tar -xzf "$(pack TGZ 'inferno-*.tar.gz')" -C "$scratch" --one-top-level=archive --strip-components=1
    try "$scratch/archive"
}

try_debian() {
    local package depends tool
    for tool in dpkg-deb dpkg-shlibdeps; do
        type -P "$tool" >/dev/null || { echo "$tool: not installed, no Debian package can be made"; exit 77; }
    done
    package=$(pack DEB 'inferno_*.deb')
    dpkg-deb -x "$package" "$scratch/debian"
    try "$scratch/debian/usr"
    depends=$(dpkg-deb --field "$package" Depends)
    case $depends in
    *libpcre2-8-0*libyaml-0-2* | *libyaml-0-2*libpcre2-8-0*) ;;
    *)
        echo "the package depends on \"$depends\", expected libpcre2-8-0 and libyaml-0-2 among it" >&2
        exit 1
        ;;
    esac
}

"try_$kind"
