# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ci/mutation.sh: which objects a source file is in, and how they are built. A copy of
# src/backends is mutated, never the tree itself; the commands are those of the build.

pristine=$work/pristine tree=$work/src/backends
declare -a sources levels
declare -A command_of object_of chain

stop() {
    echo "mutation: $*" >&2
    exit 2
}

prepare_tree() {
    mkdir -p "$work/src" "$work/obj"
    cp -r "$root/src/backends" "$work/src/"
    cp -r "$root/src/backends" "$pristine"
    [ -r "$build/compile_commands.json" ] ||
        stop "$build/compile_commands.json: cannot be read, expected a build there"
}

# The lowest level of simd and the best this processor has. chain[level]: it, then those below it.
find_levels() {
    local all level below=''
    mapfile -t all < <(sed -n 's/^ *X(\([a-z0-9]*\)).*/\1/p' "$build/src/backends/simd/simd_levels.h")
    for level in "${all[@]}"; do
        "$inferno" conform --backend "simd=$level" --op add --cases 1 --quiet >"$work/log" 2>&1 || continue
        below="$level $below"
        chain[$level]=$below
        levels+=("$level")
    done
    [ "${#levels[@]}" -gt 0 ] || stop "no level of simd runs here"
    [ "${#levels[@]}" -eq 1 ] || levels=("${levels[0]}" "${levels[-1]}")
}

# command_of[layer:file] and object_of[layer:file], such as simd_avx2:simd/gemm/gemm.c.
read_recipes() {
    local directory command file key object backend
    while IFS=$'\t' read -r directory command file; do
        [[ $command =~ \ -o\ ([^ ]*/ifn_(scalar|simd[a-z0-9_]*|base|quant|ops)\.dir/[^ ]*) ]] || continue
        key=${BASH_REMATCH[2]}:${file#"$root/src/backends/"}
        object=${BASH_REMATCH[1]} # seen from the directory, unless it is a whole path
        [[ $object = /* ]] || object=$directory/$object
        object_of[$key]=$object
        command_of[$key]=${command//"$root/src/backends"/"$tree"}
    done < <(sed -n -e 's/\\"/"/g' -e 's/\\\\/\\/g' -e '/^ *"directory": "/{s///;s/",$//;h;}' \
        -e '/^ *"command": "/{s///;s/",$//;H;}' \
        -e '/^ *"file": "/{s///;s/",\{0,1\}$//;H;g;s/\n/\t/g;p;}' "$build/compile_commands.json")
    for backend in scalar simd; do
        compile scalar:scalar/scalar.c "$work/entry_$backend.o" "$here/plugin.c" "-DMUTATED=ifn_backend_$backend" ||
            stop "plugin.c: cannot be compiled: $(cat "$work/log")"
    done
    if ! compile scalar:scalar/scalar.c "$work/obj/same.o" ||
        ! cmp -s "$work/obj/same.o" "${object_of[scalar:scalar/scalar.c]}"; then
        stop "scalar.c: another object than that of $build, expected a Release build of this tree"
    fi
    list_users | sort -u >"$work/users"
    mapfile -t sources < <(cut -f3 "$work/users" | sort -u)
}

# compile KEY OBJECT [SOURCE FLAG...]: by the build's command, into another object.
compile() {
    local key=$1 object=$2 file=${3:-$tree/${1#*:}} line=${command_of[$1]}
    shift $(($# < 3 ? $# : 3))
    line=${line%% -o *}
    (cd "$build" && eval "${line#*/ccache } $* -w -o '$object' -c '$file'") >"$work/log" 2>&1
}

# "variant<TAB>key<TAB>file": the object `key` of the plugin `variant` includes the file. A variant is
# scalar or a level; an op of a level runs on the best object of its chain.
list_users() {
    local key
    for key in "${!command_of[@]}"; do
        case $key in
        scalar:*) list_includes scalar "$key" ;;
        simd:*) list_includes "${levels[-1]}" "$key" ;;
        esac
    done
    list_users_of_levels
    list_tables
}

list_users_of_levels() {
    local file level variant
    for file in $(printf '%s\n' "${!command_of[@]}" | sed -n 's/^simd_[a-z0-9]*://p' | sort -u); do
        for variant in $(printf '%s\n' "${levels[@]}" | sort -u); do
            for level in ${chain[$variant]}; do
                [ -n "${command_of[simd_$level:$file]:-}" ] || continue
                list_includes "$variant" "simd_$level:$file"
                break
            done
        done
    done
}

# A place of its own for one of several jobs: what it changes and builds, and the commands for that.
move_to() {
    local shared=$work key
    work=$1 tree=$1/src/backends
    mkdir -p "$work/src" "$work/obj"
    cp -r "$pristine" "$tree"
    cp "$shared"/users "$shared"/mutants "$shared"/equivalent "$shared"/entry_*.o "$work/"
    for key in "${!command_of[@]}"; do
        command_of[$key]=${command_of[$key]//"$shared/src/backends"/"$tree"}
    done
}

# What every level has of its own.
list_tables() {
    local level variant
    for variant in $(printf '%s\n' "${levels[@]}" | sort -u); do
        for level in ${chain[$variant]}; do
            printf '%s\tsimd_%s:simd/level_table.c\tsimd/level_table.c\n' "$variant" "$level"
        done
    done
}

list_includes() {
    compile "$2" "$work/deps" "$tree/${2#*:}" -MM || stop "$2: $(cat "$work/log")"
    tr -s '[:space:]' '\n' <"$work/deps" | grep -E "^$tree/(scalar|simd)/" | sed "s|^$tree/|$1\t$2\t|"
}

# The ops an object serves.
ops_of_key() {
    local name=${1##*/}
    case $name in
    dot_*) echo linear_q8 ;;
    gemm*) printf '%s\n' linear matmul ;;
    half_rows.c | weight_panels.c) echo linear ;;
    attention_*) echo attention ;;
    block_*) echo linear_q8 ;;
    level_table.c) printf '%s\n' linear linear_q8 rms_norm attention ;; # of all ops, also of those it cuts anywhere
    simd.c | linear_scalar.c) printf '%s\n' linear linear_q8 ;;
    scalar.c) echo add ;;
    *)
        name=${name%_scalar.c}
        echo "${name%_simd.c}"
        ;;
    esac
}

# What is rebuilt together: packed weights and the kernels that read them; an op by itself otherwise.
group_of_key() {
    local ops
    ops=$(ops_of_key "$1" | head -1)
    case $ops in
    linear | linear_q8 | matmul) echo linear ;;
    *) echo "$ops" ;;
    esac
}

# link_plugin BACKEND KEY...: $work/mutant.so, with new objects for these keys.
link_plugin() {
    local backend=$1 key
    local -A mine
    shift
    for key in "${!object_of[@]}"; do
        mine[$key]=${object_of[$key]}
    done
    for key in "$@"; do
        mine[$key]=$work/obj/${key//[:\/]/_}.o
    done
    "${compiler[@]}" -shared -Wl,-Bsymbolic "$work/entry_$backend.o" "${mine[@]}" -lm -o "$work/mutant.so" \
        >"$work/log" 2>&1
}
