# shellcheck shell=bash
# Sourced by check.sh and nightly.sh: runs stages and prints the result of each at the end.

# Stages of check.sh that run only when named, and every night.
# shellcheck disable=SC2034 # who sources this reads it
slow_stages=(tidy asan-slow tsan msan valgrind baseline aarch64 armhf ppc64el s390x riscv64)
# The stages of ci/nightly.sh. The workflow has a job for each, which meta/checks compares with this list.
# shellcheck disable=SC2034
night_stages=(check "${slow_stages[@]}" long mutation fuzz coverage coverage-arm64 deletions)

table=
print_table() { [ -z "$table" ] || printf '\n%-14s %-8s %8s\n%s' stage result seconds "$table"; }
trap print_table EXIT

# Whether any stage was run to its end.
any_ran=false

# run STAGE COMMAND...: fails if the command does
run() {
    local start=$SECONDS status=0 result=passed
    printf '\n== %s\n' "$1"
    ("${@:2}") || status=$?
    case $status in
    0) any_ran=true ;;
    "${not_run:?}") result='not run' ;;
    *) result=FAILED ;;
    esac
    printf -v table '%s%-14s %-8s %8d\n' "$table" "$1" "$result" $((SECONDS - start))
    [ "$result" != FAILED ]
}
