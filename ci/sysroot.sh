#!/usr/bin/env bash
# ci/sysroot.sh ARCH: the C library and what inferno and its tests need, for another of Debian's
# architectures, below build/sysroot/ARCH. Installed beside each other, packages of several architectures
# must be of one version, and updates do not reach all archives at once. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1
root=$PWD/build/sysroot/$arch
[ ! -d "$root" ] || exit 0

# shellcheck source=ci/own-apt.sh
. ci/own-apt.sh
foreign() {
    own_apt -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o Dir::State::status=/dev/null "$@"
}
foreign update
cd "$work/packages"
foreign download libc6 libc6-dev linux-libc-dev libgcc-s1 libcrypt1 libpcre2-dev libpcre2-8-0 \
    libyaml-dev libyaml-0-2 libcmocka-dev libcmocka0
for package in *.deb; do
    dpkg -x "$package" "$work/root"
done
# Makes absolute links relative, as they would lead to this machine's files.
find "$work/root" -type l -lname '/*' | while read -r link; do
    ln --symbolic --force --relative "$work/root$(readlink "$link")" "$link"
done
mkdir -p "$(dirname "$root")"
mv "$work/root" "$root"
