#!/usr/bin/env bash
# ci/sysroot.sh ARCH: the C library and what inferno and its tests need, for another of Debian's
# architectures, below build/sysroot/ARCH. Needs no root and leaves the machine's own packages alone:
# installed beside each other, those of several architectures must be of one version, and updates do not
# reach all archives at once. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1
root=$PWD/build/sysroot/$arch
[ ! -d "$root" ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache" "$work/packages" "$work/root"
foreign() {
    apt-get --quiet --quiet -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State::Lists=$work/lists" \
        -o "Dir::Cache=$work/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "$@"
}
foreign update || echo "sysroot: some package lists are missing; going on with the others"
cd "$work/packages"
foreign download libc6 libc6-dev linux-libc-dev libgcc-s1 libcrypt1 libpcre2-dev libpcre2-8-0 \
    libyaml-dev libyaml-0-2 libcmocka-dev libcmocka0
for package in *.deb; do
    dpkg -x "$package" "$work/root"
done
# Absolute links would lead to this machine's files.
find "$work/root" -type l -lname '/*' | while read -r link; do
    ln --symbolic --force --relative "$work/root$(readlink "$link")" "$link"
done
mkdir -p "$(dirname "$root")"
mv "$work/root" "$root"
