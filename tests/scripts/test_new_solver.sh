#!/bin/bash
# A solver in one new file: written, built, conforming, listed, solving. In a copy of the
# tree, objects included, so that only the new file is compiled.
. tests/support/tap.sh
tree=$folder/tree
mkdir "$tree"
tar -cf - --exclude=./.git --exclude=./build/release . | tar -xf - -C "$tree"
cd "$tree" || exit 1

check "the template is written" make new-solver NAME=scratch-name
check "a name that is taken is refused" bash -c '! make new-solver NAME=pgs'
check "a bad name is refused" bash -c '! make new-solver NAME=Bad.Name'
check "it is one new file" test -f solvers/scratch_name.c
check "it compiles without warnings" make MODE=debug EXTRA_CFLAGS=-Werror \
    build/debug/solvers/scratch_name.o
check "and links" make -j2 MODE=debug build/debug/delassus build/debug/tests/solvers/test_conformance
check "delassus list has it" bash -c 'build/debug/delassus list solvers | grep -q scratch-name'
check "its options are in the help" bash -c 'build/debug/delassus help scratch-name | grep -q rho'
check "it conforms" bash -c 'DLS_SOLVER=scratch-name build/debug/tests/solvers/test_conformance >out 2>&1; cat out; ! grep -q "^not ok.*scratch-name" out && [ $(grep -c "^ok.*scratch-name" out) = 7 ]'
check "it solves" build/debug/delassus solve benchmarks/snapshots/one-contact.hdf5 --solver scratch-name
finish
