#!/bin/bash
# `make install` into a fresh folder, and the example built against what was installed.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS
build=${DLS_BUILD:-build/debug}
mode=$(basename "$build")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0 failures=0
check() { # TEXT COMMAND...
    local text=$1; shift
    count=$((count + 1))
    if "$@" >"$folder/log" 2>&1; then
        echo "ok $count - $text"
    else
        failures=$((failures + 1))
        echo "not ok $count - $text"
        sed 's/^/# | /' "$folder/log" | tail -n 30
    fi
}
# The sanitizers that the library was built with must be linked too.
sanitize=
[ "$mode" != debug ] || sanitize=-fsanitize=address,undefined
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig
build_example() {
    cp examples/solve_file.c "$folder" && cd "$folder" &&
        ${CC:-cc} -std=c17 -Wall -Wextra $sanitize solve_file.c \
            $(pkg-config --cflags --libs delassus) -o solve_file
}
solves() {
    "$folder/usr/bin/delassus" generate stack "$folder/stack.hdf5" --set n=4 &&
        "$folder/solve_file" "$folder/stack.hdf5" | grep -q 'converged after [1-9]'
}
headers_alone() {
    local headers; headers=$(cd "$folder/usr/include/delassus" && find . -name '*.h')
    [ "$(echo "$headers" | wc -l)" -gt 5 ] || return 1
    for header in $headers; do
        echo "#include \"$header\"" | ${CC:-cc} -std=c17 -Wall -Werror -fsyntax-only -x c \
            $(pkg-config --cflags delassus) - || return 1
    done
}

check "make install" make --no-print-directory MODE="$mode" PREFIX="$folder/usr" install
check "delassus.pc knows the version" eval \
    '[ "delassus $(pkg-config --modversion delassus)" = "$("$build/delassus" --version | head -n 1)" ]'
check "the man page is there" grep -q '^.TH DELASSUS 1' "$folder/usr/share/man/man1/delassus.1"
check "the bundled suite is found from anywhere" eval \
    '(cd "$folder" && usr/bin/delassus list suites | grep -q share/delassus/benchmarks/suites/bundled.txt)'
check "the example builds against the installed library" eval '(build_example)'
check "and solves a snapshot" solves
check "and refuses a missing file" eval '! "$folder/solve_file" "$folder/none.hdf5"'
check "DESTDIR goes before the prefix" eval \
    'make --no-print-directory MODE="$mode" DESTDIR="$folder/stage" PREFIX=/usr install &&
     [ -x "$folder/stage/usr/bin/delassus" ] && grep -qx "prefix=/usr" "$folder/stage/usr/lib/pkgconfig/delassus.pc"'
check "every public header compiles alone" headers_alone
echo "1..$count"
[ $failures = 0 ]
