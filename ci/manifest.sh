#!/usr/bin/env bash
# Writes fixtures/MANIFEST.sha256: the SHA-256 of every fixture, which a test checks. Generators and
# texts are not fixtures.
set -euo pipefail
cd "$(dirname "$0")/../fixtures"
sums=$(find . -type f ! -path './make/*' ! -name '*.md' ! -name MANIFEST.sha256 -printf '%P\n' |
    LC_ALL=C sort | xargs -r -d '\n' sha256sum)
printf '%s\n' "$sums" >MANIFEST.sha256
