#!/usr/bin/env bash
# ci/compare-peers finds the ratio that it is given: inferno and its peer are scripts here, which
# answer with rates of their own and write down the turns they had.
set -euo pipefail
command -v python3 >/dev/null || exit 77
compare=$(cd "$(dirname "$0")/../../ci" && pwd)/compare-peers
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# engine NAME JSON: a program that prints it, with @ replaced by the number of its turn
engine() {
    cat >"$1" <<SCRIPT
#!/usr/bin/env bash
echo "$1 \$*" >>"$scratch/turns"
turn=\$(grep -c "^$1 " "$scratch/turns")
sed "s/@/\$turn/" <<'ANSWER'
$2
ANSWER
SCRIPT
    chmod +x "$1"
}

# expect WHAT PATTERN FILE
expect() {
    grep -qE -- "$2" "$3" && return
    echo "$1: no line of this has $2:" >&2
    cat "$3" >&2
    exit 1
}

engine inferno '{"facts": {"processor": "of paper"}, "results": [{"tokens_per_second": 30@, "ceiling_per_second": 1000, "per_token": 2}]}'
engine peer '[
WARNING: a line of something else
{"avg_ts": 10@, "build_commit": "abc", "build_number": 1, "cpu_info": "paper"}]'
"$compare" speed m.gguf --inferno ./inferno --peer 'llama.cpp=./peer -fa 1' --threads 2 -p 8 -n 0 \
    --rounds 3 --json out.json >table
# 301/101, 302/102, 303/103: logarithms 1.0920, 1.0855, 1.0790, deviation 0.0065, t 4.303
expect 'the ratio and its interval' '\| m.gguf \| pp8 \| 2 \| 302 \| 60 % \| 102 \| 2.96 \(2.91 .. 3.01\) \|' table
expect 'the machine' '^processor: of paper' table
expect 'every sample' '"build_commit": "abc"' out.json
python3 -c 'import json; r = json.load(open("out.json"))["rows"][0]
assert r["inferno"] == [301, 302, 303] and r["peers"]["llama.cpp"]["samples"] == [101, 102, 103]'
[ "$(cut -d' ' -f1 turns | tr '\n' ' ')" = "inferno peer inferno peer inferno peer " ] ||
    { echo 'they did not take turns:' >&2; cat turns >&2; exit 1; }
expect 'the same file, threads and test, and no depth' '^peer -fa 1 -m m.gguf -p 8 -n 0 -t 2 ' turns
expect 'the same file, threads and test' '^inferno bench m.gguf -p 8 -n 0 -d 0 -t 2 ' turns

"$compare" speed m.gguf --inferno ./inferno --peer p=./peer --threads 1 -p 8 -n 0 -d 64 --rounds 1 >table
expect 'a depth' '^peer -m m.gguf -p 8 -n 0 -d 64 -t 1 ' turns

"$compare" quantize m.gguf Q8_0 --inferno ./inferno --peer q=./peer --threads 3 --rounds 2 >table
expect 'a type' '\| m.gguf \| Q8_0 \| 3 \|' table
expect 'the types and threads of both' '^peer m.gguf .*/out.gguf Q8_0 3$' turns
expect 'the types and threads of both' '^inferno quantize m.gguf .*/out.gguf Q8_0 -t 3' turns

# refused PATTERN ARGUMENTS...
refused() {
    if "$compare" "${@:2}" >said 2>&1; then
        echo "${*:2}: no failure" >&2
        exit 1
    fi
    expect "${*:2}" "$1" said
}
printf '#!/bin/sh\necho no such model >&2\nexit 3\n' >broken
chmod +x broken
refused 'status 3: no such model' speed m.gguf --inferno ./inferno --peer b=./broken --rounds 1
refused 'none/such' speed m.gguf --inferno none/such --peer b=./peer --rounds 1
refused 'expected NAME=PROGRAM' speed m.gguf --peer peer
refused 'expected numbers' speed m.gguf --peer p=./peer --threads one
refused 'expected 1 or more' speed m.gguf --peer p=./peer --rounds 0
refused 'is inside the tree' build "$(dirname "$compare")/peers"
