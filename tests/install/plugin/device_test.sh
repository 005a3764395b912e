#!/usr/bin/env bash
# device_test.sh BUILD-DIR: the author of a device starts from an installed copy: the project that is written for it
# builds, its op and some that it has not are judged, and a model continues as on scalar. What fails is one line.
set -euo pipefail
# shellcheck source=tests/install/plugin/author.sh
. "$(dirname "$0")/author.sh"
export TMPDIR=$scratch # for the logs of kernels
plugin=mine/build/mine.so

# told TEXT COMMAND...: fails with one line that holds it. A driver's compiler may have said something of its own.
told() {
    if "${@:2}" >out 2>err; then
        echo "is accepted: ${*:2}" >&2
        exit 1
    fi
    if [ -s out ] || [ "$(grep -c '^inferno: ' err)" -ne 1 ] || ! grep '^inferno: ' err | grep -qF "$1"; then
        cat out err >&2
        echo "expected one line with '$1': ${*:2}" >&2
        exit 1
    fi
}
skip() {
    echo "not run: $1"
    exit 77
}
configure() { cmake -S mine -B mine/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS=-Werror "$@"; }
judge() { "$inferno" conform --backend "$plugin" --quiet "${@/#/--op=}"; }
generate() { "$inferno" generate model.gguf --ids 1,2,3 -n 1 --backend "$@"; }

quietly "$inferno" backend new --device mine
if configure -DOPENCL_HEADERS= >log 2>&1 || ! grep -qE 'Debian: apt install opencl-headers ocl-icd-opencl-dev$' log; then
    cat log >&2
    echo "without OpenCL it is not said what to install" >&2
    exit 1
fi
rm -r mine/build
configure >log 2>&1 || { ! grep 'No OpenCL' log || skip "no headers or no loader of OpenCL"; }
quietly cmake --build mine/build
same "what the plugin exports" \
    "$(nm --dynamic --defined-only --format=just-symbols "$plugin")" ifn_backend_entry
told "backend 'mine': no platform, expected an OpenCL driver" env OCL_ICD_VENDORS="$scratch/" "$inferno" \
    generate model.gguf --ids 1,2,3 -n 1 --backend "$plugin"
"$inferno" generate model.gguf --ids 1,2,3 -n 1 --backend "$plugin" >log 2>&1 || ! grep 'no platform' log || skip "no driver of OpenCL"

# Its own op, the doors, and one that is staged.
quietly judge add copy_in copy_out rms_norm
for graph in fused primitive; do
    expected=$(continue_on scalar --graph "$graph")
    [ -n "$expected" ]
    same "a model on the device, $graph" "$(continue_on "$plugin" --graph "$graph")" "$expected"
done

cp -r mine reader
rm -r reader/build
follow_readme reader

told "option 'gpu', expected a device's number" generate "$plugin=gpu"
told "no device 99, expected 0 or more, below " generate "$plugin=99"

# The next op, as the README says.
n_own() { "$inferno" backends "$plugin" | sed -n 's/ *\([0-9]*\) of .* the others are staged$/\1/p'; }
same "ops of its own" "$(n_own)" 3
sed 's/add(/scale(/; s/BUFFER(y)/const float value/; s/+ AS(const float, y)\[i\]/* value/' \
    mine/kernels/add.cl >mine/kernels/scale.cl
sed -i 's/set(KERNELS add)/set(KERNELS add scale)/' mine/CMakeLists.txt
sed -i '/^static ifn_status add(/,/^}/ { H; /^}/ { p; x; s/add/scale/g; s/launch_buffer(&l, a->y)/launch_float(\&l, a->value)/ } }
    s/^    table->add = add;/&\n    table->scale = scale;/' mine/mine.c
quietly cmake --build mine/build
same "ops of its own" "$(n_own)" 4
quietly judge scale add

# It is the kernel that is judged.
sed -i 's/\* value/+ value/' mine/kernels/scale.cl
quietly cmake --build mine/build
if judge scale >log 2>&1; then
    echo "a kernel that adds passes as scale" >&2
    exit 1
fi
grep -q 'NOT conformant' log

sed -i 's/+ value/+ nothing/' mine/kernels/scale.cl
quietly cmake --build mine/build
told "backend 'mine': kernel scale does not compile (" generate "$plugin"
grep -q nothing "$(sed -n 's/.*; the log is //p' err)"
