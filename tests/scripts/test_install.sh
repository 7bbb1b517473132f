#!/bin/bash
# `make install` into a fresh folder, and the examples built against what was installed.
. tests/support/tap.sh
unset MAKEFLAGS MAKELEVEL MFLAGS
mode=$(basename "$build")
# The sanitizers that the library was built with must be linked too.
sanitize=
[ "$mode" != debug ] || sanitize=-fsanitize=address,undefined
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig
export LD_LIBRARY_PATH=$folder/usr/lib LSAN_OPTIONS=${LSAN_OPTIONS:-}:print_suppressions=0
build_example() { # NAME
    cp "examples/$1.c" "$folder" && cd "$folder" &&
        ${CC:-cc} -std=c17 -Wall -Wextra -Werror $sanitize "$1.c" \
            $(pkg-config --cflags --libs delassus) -o "$1"
}
build_static() {
    cd "$folder" && ${CC:-cc} -std=c17 $sanitize solve_file.c $(pkg-config --cflags delassus) \
        usr/lib/libdelassus.a $(pkg-config --static --libs delassus | tr ' ' '\n' | grep -v '^-ldelassus$') -o solve_static
}
solves() { # PROGRAM
    "$folder/usr/bin/delassus" generate stack "$folder/stack.hdf5" --set n=4 &&
        "$folder/$1" "$folder/stack.hdf5" | grep -q 'converged after [1-9]'
}
# The motion of the block in closed form: see the head of the example.
arrays_right() { "$folder/solve_arrays" | grep -qx 'converged: r_N = 0.19620, r_T = -0.09810, v_x = 0.95095'; }
records() {
    mkdir "$folder/disks" && "$folder/disks_in_a_box" "$folder/disks" | grep '100 steps, [2-9][0-9] contacts in the last, 0 short' &&
        [ "$(ls "$folder/disks" | wc -l)" = 10 ] &&
        "$folder/usr/bin/delassus" solve "$folder"/disks/disks-100.hdf5 --solver pgs
}
only_ours() { ! nm -D --defined-only "$folder/usr/lib/libdelassus.so" | awk '{print $3}' | grep -v '^dls_' | grep -vE '^__(asan|odr)'; }
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
    '[ "delassus $(pkg-config --modversion delassus)" = "$("$program" --version | head -n 1)" ]'
check "the man page is there" grep -q '^.TH DELASSUS 1' "$folder/usr/share/man/man1/delassus.1"
check "the bundled suite is found from anywhere" eval \
    '(cd "$folder" && usr/bin/delassus list suites | grep -q share/delassus/benchmarks/suites/bundled.txt)'
check "the library exports nothing but dls_ symbols" only_ours
check "solve_file builds against the installed library" eval '(build_example solve_file)'
check "and solves a snapshot" solves solve_file
check "and against the static one" eval '(build_static) && solves solve_static'
check "solve_arrays builds" eval '(build_example solve_arrays)'
check "and finds the motion of the block" arrays_right
check "disks_in_a_box builds" eval '(build_example disks_in_a_box)'
check "and records ten snapshots that can be solved" records
solver_outside() { # needs the installed headers alone, and no library
    cp examples/my_solver.c "$folder" && (cd "$folder" && ${CC:-cc} -std=c17 -Wall -Wextra -Werror -shared -fPIC my_solver.c \
        $(pkg-config --cflags delassus) -o my_solver.so) &&
        "$folder/usr/bin/delassus" solve "$folder/stack.hdf5" --solver "$folder/my_solver.so" --tol 1e-4
}
check "my_solver builds against the installed headers and runs in the installed program" solver_outside
check "and refuses a missing file" eval '! "$folder/solve_file" "$folder/none.hdf5"'
check "DESTDIR goes before the prefix" eval \
    'make --no-print-directory MODE="$mode" DESTDIR="$folder/stage" PREFIX=/usr install &&
     [ -x "$folder/stage/usr/bin/delassus" ] && grep -qx "prefix=/usr" "$folder/stage/usr/lib/pkgconfig/delassus.pc"'
check "every public header compiles alone" headers_alone
finish
