#!/usr/bin/env bash
# ci/trial.sh [author|engineer|reader]...: follows the README and the pages of docs/ as three people would: an author of
# a kernel, an engineer of a build server, a reader who wants to see how a model runs. Each begins with an empty
# directory on a bare Debian of this machine's release and types the pages' own lines, in their order. Fails if a
# command does, if the machine takes more than MACHINE_SECONDS (180) beyond the installation of Debian's packages, or if
# typing and reading would take more than 15 minutes. Needs root, an archive of Debian and mmdebstrap (Debian has it).
# No stage of check.sh or nightly.sh, as few machines have all three. On a busy machine set MACHINE_SECONDS to a larger
# number.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly machine_seconds=${MACHINE_SECONDS:-180} person_minutes=15
readonly characters_a_minute=200 words_a_minute=200 # of forty words a minute typed; of technical prose read
base=build/trial/debian.tar
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The steps: read PAGE [HEADING] counts the words before HEADING; block PAGE TEXT is the first indented block after
# the line that contains TEXT; page PAGE is every command of a page, with the files that it shows.
prepare() {
    block README.md 'On Debian or Ubuntu'
    clone
}
author() {
    read_page README.md '## Use it'
    prepare
    read_page docs/pages/prove-a-backend.md
    block docs/pages/prove-a-backend.md 'In a clone of it'
    empty_directory
    page docs/pages/prove-a-backend.md
}
engineer() {
    read_page README.md '## Use it'
    prepare
    read_page docs/pages/build-server.md
    block docs/pages/prove-a-backend.md 'In a clone of it'
    empty_directory
    page docs/pages/build-server.md
}
reader() {
    read_page README.md '## Use it'
    prepare
    block README.md 'The programs alone'
    read_page docs/pages/token.md
    block docs/pages/prove-a-backend.md 'In a clone of it'
    empty_directory
    page docs/pages/token.md
}

read_page() { awk -v until="${2:-}" 'until != "" && $0 == until { exit } /^```/ { code = !code; next } !code' "$1" | wc -w >>"$scratch/words"; }
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }
typed() { printf 'run %s 0 %s\n' "$(quoted "$1")" "$(quoted "$2")"; }
clone() { typed 'the clone' 'git clone --quiet /srv/inferno.git inferno && cd inferno'; }
empty_directory() { typed 'an empty directory' 'mkdir ../empty && cd ../empty'; }
page() { awk -v ROOT="$PWD" -v NIGHTLY=0 -v MODE=commands -f tests/docs/pages.awk "$1"; }
block() {
    local line lines
    lines=$(awk -v text="$2" 'found && /^    / { seen = 1; print substr($0, 5) } seen && !/^    / { exit }
        index($0, text) { found = 1 }' "$1")
    [ -n "$lines" ] || { echo "$1: no block of commands follows '$2'" >&2; return 1; }
    while IFS= read -r line; do typed "$1" "$line"; done <<<"$lines"
}

# Runs in the bare Debian. Of each command whether it is Debian's own, the characters, when it began and ended, and how
# long processors had worked by then.
# shellcheck disable=SC2016
readonly shell='
run() {
    local status=0 begin=$EPOCHREALTIME kind=machine
    case $3 in apt-get*) kind=packages; set -- "$1" "$2" "$3" && printf "y\n" >/tmp/answer ;; *) : >/tmp/answer ;; esac
    times >/tmp/before
    eval "$3" >/tmp/log 2>&1 </tmp/answer || status=$?
    times >/tmp/after
    echo "$kind ${#3} $begin $EPOCHREALTIME $(tail -n 1 /tmp/before) $(tail -n 1 /tmp/after)" >>/tmp/typed
    [ "$status" -eq "$2" ] && return
    tail -n 40 /tmp/log >&2
    echo "$1: $3: exits with $status, expected $2" >&2
    exit 1
}
export DEBIAN_FRONTEND=noninteractive
cd "$(mktemp -d)"
'

# A release without anything that is not essential, and git, which brought the clone.
bare_debian() {
    local release
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    [ -e "$base" ] && return
    mkdir -p "$(dirname "$base")"
    mmdebstrap --quiet --format=tar --variant=minbase --include=ca-certificates,git "$release" "$base.new"
    mv "$base.new" "$base"
}

# in_root ROOT COMMAND...: with /proc, /dev and the network's names as on a machine, processes of its own.
# shellcheck disable=SC2016
in_root() {
    unshare --mount --pid --fork bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        exec chroot "$@"' in_root "$@"
}

try() {
    local root=$scratch/root words
    rm -rf "$root" "$scratch/words"
    mkdir "$root"
    tar --extract --file "$base" --directory "$root"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    git clone --quiet --bare . "$root/srv/inferno.git"
    { echo "$shell" && "$1"; } >"$root/steps"
    words=$(awk '{ n += $1 } END { print n }' "$scratch/words")
    in_root "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin bash /steps || { echo "$1: failed" >&2; return 1; }
    awk -v who="$1" -v words="$words" -v limit="$machine_seconds" -v minutes="$person_minutes" \
        -v typing="$characters_a_minute" -v reading="$words_a_minute" '
        function of(time,    parts) { split(time, parts, /[ms]/); return parts[1] * 60 + parts[2] }
        { seconds[$1] += $4 - $3; characters += $2; processors[$1] += of($7) + of($8) - of($5) - of($6) }
        END {
            person = characters / typing + words / reading
            printf "%-9s %3d commands, %4d characters, %4d words: %4.1f minutes; packages %3.0f s, machine %3.0f s (its processors %3.0f s)\n",
                who, NR, characters, words, person, seconds["packages"], seconds["machine"], processors["machine"]
            if (seconds["machine"] > limit) bad = who ": the machine worked longer than " limit " s"
            if (person > minutes) bad = who ": typing and reading take longer than " minutes " minutes"
            if (bad != "") print bad > "/dev/stderr"
            exit bad != ""
        }' "$root/tmp/typed"
}

[ "$(id -u)" -eq 0 ] || { echo "trial: needs root, for a root directory of its own" >&2; exit 77; }
type -P mmdebstrap >/dev/null || { echo "trial: mmdebstrap: not installed" >&2; exit 77; }
people=("$@")
[ $# -gt 0 ] || people=(author engineer reader)
for person in "${people[@]}"; do
    case $person in
    author | engineer | reader) ;;
    *)
        echo "trial: nobody is called $person; there are author engineer reader" >&2
        exit 2
        ;;
    esac
done
bare_debian
for person in "${people[@]}"; do
    try "$person"
done
