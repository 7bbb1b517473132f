#!/bin/bash
# run_tests.sh BUILD [NAME]: runs the programs test_* under BUILD/tests and the scripts test_*.sh under tests (or the one NAME),
# each speaking TAP, and ends with `N passed, N failed[, N skipped]`. DLS_PATIENCE: seconds that one of them may take (900).
set -u
build=$1 only=${2:-*}
export DLS_BUILD=$build CMOCKA_MESSAGE_OUTPUT=TAP OPENBLAS_NUM_THREADS=1
export OMP_WAIT_POLICY=passive # threads that wait leave the core to other tests
export ASAN_OPTIONS=handle_segv=0:allow_user_segv_handler=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$PWD/tests/leaks.supp:print_suppressions=0
passed=0 failed=0 skipped=0
log=$(mktemp); trap 'rm -f "$log"' EXIT

for test in $(find "$build/tests" -name "test_$only" -type f -perm -u+x | sort) $(find tests -name "test_$only.sh" | sort); do
    start=$(date +%s.%N)
    timeout "${DLS_PATIENCE:-900}" "$test" >"$log" 2>&1; code=$?
    # cmocka writes `not ok N # SKIP name`, others `ok N - name # SKIP reason`.
    skip=$(grep -cE '^(not )?ok.*# SKIP' "$log")
    bad=$(grep -E '^not ok' "$log" | grep -cv '# SKIP')
    good=$(grep -E '^ok' "$log" | grep -cv '# SKIP')
    if [ $code != 0 ] && [ "$bad" = 0 ]; then bad=1; fi # died outside a test
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf '%-28s %4d passed %3d failed %3d skipped %7.1f s\n' "$(basename "$test")" \
        $good $bad $skip "$(date +%s.%N | awk -v s="$start" "{print \$1 - s}")"
    # cmocka's reason is what the test printed just before.
    [ -z "${V:-}" ] || awk '/^not ok.*# SKIP/ {sub(/^not ok [0-9]* # SKIP /, ""); print "    skipped: " $0 " (" last ")"}
         /^ok.*# SKIP/ {sub(/^ok [0-9]* - /, ""); print "    skipped: " $0} {last = $0}' "$log"
    if [ $bad != 0 ]; then echo "    exit code $code; output:"; { grep -A6 '^not ok' "$log"; tail -n 40 "$log"; } | sed 's/^/    | /'; fi
done
[ $skipped = 0 ] && echo "$passed passed, $failed failed" ||
    echo "$passed passed, $failed failed, $skipped skipped$([ -n "${V:-}" ] || echo ' (V=1 tells why)')"
[ $failed = 0 ] && [ $passed != 0 ]
