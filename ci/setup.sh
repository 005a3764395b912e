#!/usr/bin/env bash
# Installs the Debian packages that a build and its tests need. Does nothing when all is there.
set -euo pipefail

missing=()
need_command() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
need_module() { pkg-config --exists "$1" 2>/dev/null || missing+=("$2"); }

need_command cc gcc libc6-dev
need_command cmake cmake
need_command make make
need_command pkg-config pkg-config
need_module libpcre2-8 libpcre2-dev
need_module cmocka libcmocka-dev
need_module yaml-0.1 libyaml-dev

[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install --yes --no-install-recommends "${missing[@]}")
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: missing: ${missing[*]} (Debian names); there is no apt-get here to install them" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "setup: packages are missing, and neither root nor sudo is available; as root, run:" >&2
    echo "    ${install[*]}" >&2
    exit 1
fi

echo "setup: installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@"; }
# Package lists may be absent or too old; they are fetched only then.
apt "${install[@]}" || { apt apt-get update && apt "${install[@]}"; }
