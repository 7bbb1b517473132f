#!/bin/bash
# osqp.sh find: prints how to compile and link with OSQP 0.6, or nothing where it is not.
# osqp.sh make: makes it in build/deps/osqp, once, from the source package on PyPI.
# An OSQP that is already there comes first: OSQP_PREFIX=DIR, pkg-config, a folder of
# CMAKE_PREFIX_PATH, /usr/local, /usr; then build/deps/osqp.
set -eu
cd "$(dirname "$0")/.."
version=0.6.7.post3
sha256=b0c5e0a721f21c9724097a4fd50108304d296468d124e16f34ac67046f7020e1
own=build/deps/osqp

# True when a program with these flags links: OSQP 1.x has another interface.
works() {
    ${CC:-cc} -x c - "$@" -o /dev/null 2>/dev/null <<'C'
#include <osqp/osqp.h>
int main(void)
{
    OSQPSettings settings;
    OSQPWorkspace *work = 0;
    osqp_set_default_settings(&settings);
    return (int)osqp_solve(work) + (int)osqp_update_time_limit(work, 1);
}
C
}

found_under() { # prefix
    [ -e "$1/include/osqp/osqp.h" ] || return 1
    local flags="-isystem$1/include -L$1/lib -Wl,-rpath,$1/lib -losqp -lm -ldl"
    works $flags && echo "$flags"
}

find_osqp() {
    local flags prefix
    if [ -n "${OSQP_PREFIX:-}" ]; then
        found_under "$OSQP_PREFIX" && return
        echo "osqp.sh: no OSQP 0.6 under OSQP_PREFIX=$OSQP_PREFIX" >&2
    fi
    if flags=$(pkg-config --cflags --libs osqp 2>/dev/null); then
        works $flags -lm -ldl && echo "$flags -lm -ldl" && return
    fi
    for prefix in $(echo "${CMAKE_PREFIX_PATH:-}" | tr ':;' '  ') /usr/local /usr; do
        found_under "$prefix" && return
    done
    # Its one object (no namesake of ours) goes into libdelassus.a, which then needs no path into build/.
    if [ -e $own/libosqp.o ]; then echo "-isystem$own/include $own/libosqp.o"; fi
}

fetch() { # folder
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -m pip --version >/dev/null 2>&1 || continue
        "$python" -m pip download -q --disable-pip-version-check --no-deps \
            --no-binary osqp -d "$1" "osqp==$version" >"$1/log" 2>&1 && break
    done
    echo "$sha256  $1/osqp-$version.tar.gz" | sha256sum --check --status
}

# The library keeps only its own interface visible: it carries an AMD of its own whose
# names (amd_2, amd_postorder, ...) would otherwise replace those of SuiteSparse.
make_osqp() {
    local work sources; work=$(mktemp -d); trap "rm -rf '$work'" EXIT
    fetch "$work" || { echo "osqp.sh: osqp $version could not be fetched by pip" >&2; return 1; }
    tar -xf "$work/osqp-$version.tar.gz" -C "$work"
    sources=$work/osqp-$version/osqp_sources
    mkdir -p "$sources/examples" # named by its CMake file, left out of the package
    echo 'int main(void) { return 0; }' >"$sources/examples/osqp_demo.c"
    cmake -S "$sources" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DUNITTESTS=OFF \
        -DENABLE_MKL_PARDISO=OFF -DCTRLC=OFF -DDLONG=OFF -DPRINTING=OFF \
        -DCMAKE_INSTALL_PREFIX="$work/osqp" >"$work/log" 2>&1 &&
        cmake --build "$work/build" --target install >>"$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; return 1; }
    ld -r --whole-archive "$work/osqp/lib/libosqp.a" -o "$work/osqp.o"
    objcopy --wildcard --keep-global-symbol='osqp_*' "$work/osqp.o"
    rm -rf $own; mkdir -p $own
    cp -r "$work/osqp/include" $own/include
    cp "$sources/../LICENSE" $own/LICENSE
    mv "$work/osqp.o" $own/libosqp.o
}

case ${1:-} in
find) find_osqp ;;
make) make_osqp ;;
*) sed -n 2,5p scripts/osqp.sh >&2; exit 2 ;;
esac
