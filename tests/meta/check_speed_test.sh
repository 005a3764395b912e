#!/usr/bin/env bash
# ci/check-speed finds what is too slow, measures that alone again, and says what a machine lacks: inferno is a
# script here, whose product gains a tenth of the peak each turn.
set -euo pipefail
command -v python3 >/dev/null || exit 77
check=$(cd "$(dirname "$0")/../../ci" && pwd)/check-speed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >inferno <<'SCRIPT'
#!/usr/bin/env bash
echo "$*" >>turns
case $* in *--level\ wide*)
    echo 'inferno: bench: simd=wide: not a level of this processor; it has: narrow' >&2
    exit 1 ;;
esac
turn=$(wc -l <turns)
cat <<ANSWER
[{"op": "matmul", "dtype": "F32", "packed": false, "level": "narrow", "size": [8, 8, 8],
  "flops_per_second": $turn, "peak_flops_per_second": 10},
 {"op": "matmul", "dtype": "F32", "packed": false, "level": "narrow", "size": [9, 9, 9],
  "flops_per_second": 9, "peak_flops_per_second": 10}]
ANSWER
SCRIPT
chmod +x inferno

# expect STATUS TURNS PATTERN FLOOR...: what it ends with, how often it measured and what it says
expect() {
    local status=0
    rm -f turns
    printf '%s\n' '# of paper' "${@:4}" >floors
    "$check" --floors floors --inferno ./inferno --rounds 3 >output 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || [ "$(wc -l <turns)" -ne "$2" ] || ! grep -qE -- "$3" output; then
        echo "floors ${*:4}: status $status after $(wc -l <turns) turns, expected $1 after $2 and $3" >&2
        cat output >&2
        exit 1
    fi
}
slow='narrow matmul F32 raw 8x8x8' fast='narrow matmul F32 raw 9x9x9' wide='wide matmul F32 raw 8x8x8'
touch turns
expect 0 1 '9x9x9: 90 % of the multiply-adds, floor 90 %$' "$slow 10" "$fast 90"
expect 0 3 '8x8x8: 30 % .* floor 30 %$' "$slow 30" "$fast 90"
grep -q -- '--sizes 8x8x8,9x9x9 ' <(head -n 1 turns)
grep -q -- '--sizes 8x8x8 ' <(tail -n 1 turns)
expect 1 3 '8x8x8: 30 % .* floor 31 %: TOO SLOW$' "$slow 31" "$fast 90"
expect 0 2 '^wide: not a level of this processor' "$slow 10" "$wide 90"
expect 77 1 '^wide: not a level of this processor' "$wide 90"
expect 1 1 'narrow matmul F32 packed 9x9x9: bench measures no such product' 'narrow matmul F32 packed 9x9x9 0'
