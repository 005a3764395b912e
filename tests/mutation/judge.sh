# shellcheck shell=bash disable=SC2154
# Sourced by ci/mutation.sh: one mutant from its text to a verdict, and what came of them all.

# A list of mutants in the form of equivalent.txt as lines "file, function, before, after, why".
read_records() {
    awk '
    /^#/ || /^ *$/ { next }
    /^[^ ]/ { split($0, where, ": "); before = after = ""; next }
    { text = substr($0, 7) }
    /^    - / { before = text; next }
    /^    \+ / { after = text; next }
    /^    = / { printf "%s\t%s\t%s\t%s\t%s\n", where[1], where[2], before, after, text; next }
    { printf "%s:%d: found \"%s\", expected \"- \", \"+ \" or \"= \" and a text\n", FILENAME, FNR, $0 >"/dev/stderr"; exit 2 }
    ' "$1"
}

# All mutants: file, number, kind, line, function, before, after; of other processors' sources, too, as
# records are the same everywhere.
list_mutants() {
    local file
    while read -r file; do
        "$mutate" "$tree/$file" --list | sed "s|^|$file\t|"
    done < <(cd "$tree" && find scalar simd -name '*.[ch]' | sort)
}

# A record that no mutant answers to is about a text that is gone.
check_records() {
    awk -F'\t' -v list="${1#"$root/"}" '
    NR == FNR { there[$1 FS $5 FS $6 FS $7] = 1; next }
    !($1 FS $2 FS $3 FS $4 in there) { printf "%s: %s: %s: no such mutant: %s\n", list, $1, $2, $4; bad = 1 }
    $5 == "" { printf "%s: %s: %s: no reason given\n", list, $1, $2; bad = 1 }
    END { exit bad }' "$work/mutants" "$2" >&2 || exit 2
}

select_these() {
    awk -F'\t' '
    NR == FNR { wanted[$1 FS $2 FS $3 FS $4] = 1; next }
    $1 FS $5 FS $6 FS $7 in wanted { print $1 "\t" $2; delete wanted[$1 FS $5 FS $6 FS $7] }' "$1" "$work/mutants"
}

# try_mutant FILE NUMBER PROGRESS: adds a line to $work/results: verdict, file, number, by whom.
try_mutant() {
    local file=$1 number=$2 variants variant keys start=$SECONDS verdict by='' i
    mapfile -t variants < <(awk -F'\t' -v f="$file" '$3 == f { print $1 }' "$work/users" | sort -u)
    "$mutate" "$pristine/$file" --apply "$number" >"$tree/$file"
    for ((i = 0; i < ${#variants[@]}; i++)); do # the next one where the first has no use for the code
        variant=${variants[(number + i) % ${#variants[@]}]}
        mapfile -t keys < <(awk -F'\t' -v f="$file" -v v="$variant" '$3 == f && $1 == v { print $2 }' "$work/users")
        rebuild "$file" "$number" "$variant" "${keys[@]}"
        [ "$verdict" = identical ] || break
    done
    cp "$pristine/$file" "$tree/$file"
    printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$file" "$number" "$variant" "$by" >>"$work/results"
    printf '%-14s %-9s %-12s %4d s  %s\n' "$3" "$verdict" "$by" $((SECONDS - start)) \
        "$(mutant_line "$file" "$number")"
}

# Mutants of a list that met another fate than it says.
compare_fates() {
    awk -F'\t' '
    FILENAME ~ /these$/ { said[$1 FS $2 FS $3 FS $4] = $5; next }
    FILENAME ~ /results$/ { met[$2 FS $3] = $1; next }
    ($1 FS $2 in met) && met[$1 FS $2] != said[$1 FS $5 FS $6 FS $7] {
        printf "%s:%d: %s, expected %s\n", $1, $4, met[$1 FS $2], said[$1 FS $5 FS $6 FS $7]
        bad = 1
    }
    END { exit bad }' "$1" "$work/results" "$work/mutants" >&2
}

# file:line, before and after.
mutant_line() {
    awk -F'\t' -v f="$1" -v n="$2" '$1 == f && $2 == n { print $1 ":" $4 ": " $6 "  ->  " $7; exit }' "$work/mutants"
}

# "group<TAB>key", groups of few objects first. Objects of a group share layouts in memory or an op: they are
# rebuilt together, while each group alone is a whole mutant.
group_keys() {
    local key
    for key in "$@"; do
        printf '%s\t%s\n' "$(group_of_key "$key")" "$key"
    done | sort | awk -F'\t' '{ n[$1]++; line[NR] = $0; group[NR] = $1 }
        END { for (i = 1; i <= NR; i++) print n[group[i]] "\t" line[i] }' | sort -s -n -k1,1 -k2,2 | cut -f2-
}

# Whether equivalent.txt has the mutant.
is_listed() {
    awk -F'\t' -v f="$1" -v n="$2" '
    FILENAME ~ /equivalent$/ { known[$1 FS $2 FS $3 FS $4] = 1; next }
    $1 == f && $2 == n { if ($1 FS $5 FS $6 FS $7 in known) print "listed"; exit }' "$work/equivalent" "$work/mutants" |
        grep -q .
}

# rebuild FILE NUMBER VARIANT KEY...: group by group, up to the first judgement: smoke for all of them, then
# ci for those that survive it. Where there is a proof that no case kills it, smoke must do. Sets verdict and by.
rebuild() {
    local file=$1 number=$2 variant=$3 group keys died=''
    local -a groups survivors=()
    shift 3
    verdict=identical
    group_keys "$@" >"$work/groups"
    mapfile -t groups < <(cut -f1 "$work/groups" | uniq)
    for group in "${groups[@]}"; do
        mapfile -t keys < <(awk -F'\t' -v g="$group" '$1 == g { print $2 }' "$work/groups")
        rebuild_group "$group" smoke "${keys[@]}"
        case $verdict in
        invalid | killed) return ;;
        dead) died=$by ;;
        survived) survivors+=("$group") ;;
        esac
    done
    for group in "${survivors[@]}"; do
        ! is_listed "$file" "$number" || break
        mapfile -t keys < <(awk -F'\t' -v g="$group" '$1 == g { print $2 }' "$work/groups")
        rebuild_group "$group" ci "${keys[@]}"
        [ "$verdict" != killed ] || return 0
        [ "$verdict" != dead ] || died=$by
    done
    verdict=identical by=''
    [ "${#survivors[@]}" = 0 ] || verdict=survived
    [ -z "$died" ] || verdict=dead by=$died
}

# rebuild_group GROUP PROFILE KEY...
rebuild_group() {
    local profile=$2 backend=simd expression=$work/mutant.so key is_same=1
    shift 2
    for key in "$@"; do
        if ! compile "$key" "$work/obj/${key//[:\/]/_}.o"; then
            verdict=invalid
            return
        fi
        cmp -s "$work/obj/${key//[:\/]/_}.o" "${object_of[$key]}" || is_same=0
    done
    verdict=identical
    [ "$is_same" = 0 ] || return 0
    if [ "$variant" = scalar ]; then
        backend=scalar
    else
        expression=$expression=$variant
    fi
    link_plugin "$backend" "$@" || stop "the plugin cannot be linked: $(cat "$work/log")"
    mapfile -t ops < <(for key in "$@"; do ops_of_key "$key"; done | sort -u)
    judge "$expression" "$profile" "${ops[@]}"
}

# judge BACKEND PROFILE OP...: killed by a judgement; dead, where only processes died; survived.
judge() {
    local status=0 faults expression=$1 profile=$2
    shift 2
    "$inferno" conform --backend "$expression" "${@/#/--op=}" --profile "$profile" --fail-fast --patience 1 --quiet \
        --json "$work/report.json" >"$work/log" 2>&1 || status=$?
    verdict=survived
    by=''
    # What the mutant no longer has, the backend below it has done right.
    if [ "$status" -eq 0 ] && grep -q '"inherited": true' "$work/report.json"; then
        verdict=killed by=inherited
    fi
    [ "$status" -ne 0 ] || return 0
    faults=$(grep -o '"faults": {[^}]*}' "$work/report.json" 2>/dev/null | grep -o '"[a-z-]*": [0-9]' | cut -d'"' -f2 | sort -u) || true
    by=$(grep -vxE 'crash|hang|memory' <<<"$faults" | head -1) || true
    verdict=killed
    if [ "$status" -ge 2 ] || { [ -n "$faults" ] && [ -z "$by" ]; }; then
        verdict=dead
        by=${faults//$'\n'/,}
    fi
    [ -n "$by" ] || by=account
    rm -f "$work/report.json"
}

# Survivors that no record explains, in the form in which one would.
unexplained() {
    awk -F'\t' '
    FILENAME ~ /equivalent$/ { known[$1 FS $2 FS $3 FS $4] = 1; next }
    FILENAME ~ /results$/ { if ($1 == "survived") wanted[$2 FS $3] = 1; next }
    ($1 FS $2 in wanted) && !($1 FS $5 FS $6 FS $7 in known) {
        printf "%s: %s\n    - %s\n    + %s\n", $1, $5, $6, $7 }' \
        "$work/equivalent" "$work/results" "$work/mutants"
}

summarise() {
    local n_open
    unexplained >"$work/open"
    n_open=$(grep -c '^    + ' "$work/open") || true
    awk -F'\t' -v open="$n_open" '
    { n[$2]++; all[$1]++; per[$2 FS $1]++ }
    END {
        row = "%-34s %8s %8s %9s %7s %7s %9s\n"
        printf row, "file", "mutants", "compiled", "identical", "killed", "by dying", "survived"
        for (f in n) printf row, f, n[f], n[f] - per[f FS "invalid"], per[f FS "identical"] + 0, per[f FS "killed"] + 0,
            per[f FS "dead"] + 0, per[f FS "survived"] + 0 | "sort"
        close("sort")
        compiled = NR - all["invalid"]
        counted = compiled - all["identical"] - (all["survived"] - open)
        printf "%d mutants, %d compiled, %d of them identical code, %d equivalent; %d killed by a judgement, %d only by dying, %d survived\n",
            NR, compiled, all["identical"], all["survived"] - open, all["killed"], all["dead"], open
        score = counted ? 100 * (all["killed"] + all["dead"]) / counted : 100
        printf "score: %.1f %% (%.1f %% by a judgement)\n", score, counted ? 100 * all["killed"] / counted : 100
        exit score < 95
    }' "$work/results" || n_open=$((n_open + 1))
    [ "$n_open" = 0 ] || {
        printf '\nnot in tests/mutation/equivalent.txt:\n'
        cat "$work/open"
        return 1
    }
}
