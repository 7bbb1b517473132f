#!/bin/bash
# The rules that a machine can check: layers, self-contained headers, formatting, both
# compilers without warnings, every citation in the bibliography.
set -u
cd "$(dirname "$0")/.."
bad=0
files=$(find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^\./||' | sort)
complain() { echo "lint: $*"; bad=1; }

# Layers: what the files of each folder may include, beside their own folder. The order of
# the lines is the map: nothing includes what stands below it.
layers='
base
formulations            base formulations/parts formulations/judge/cone formulations/velocities
formulations/parts      base formulations/[a-z0-9_]+\.h
formulations/judge      base formulations/[a-z0-9_]+\.h formulations/parts/inertia formulations/parts/frames
formulations/velocities base formulations/[a-z0-9_]+\.h
formulations/files      base formulations/[a-z0-9_]+\.h
solvers                 base formulations solvers/contact solvers/linear solvers/kernel
solvers/contact         base formulations solvers/solver\.h
solvers/linear          base formulations solvers/solver\.h solvers/contact
solvers/kernel          base formulations solvers/solver\.h solvers/contact solvers/linear
solvers/reference       base formulations solvers/solver\.h solvers/contact solvers/linear solvers/kernel
solvers/driver          base formulations solvers/solver\.h
solvers/sequence        base formulations solvers/solver\.h solvers/driver
solvers/peers           base formulations solvers/solver\.h
solvers/outside         base formulations solvers/solver\.h
problems/shapes         base
problems/mechanics      base formulations solvers/solver\.h solvers/sequence problems/shapes
problems/schemes        base formulations problems/mechanics
problems/observe        base formulations solvers/solver\.h problems/mechanics problems/shapes
problems/preparation    base formulations solvers/solver\.h problems/mechanics problems/shapes problems/observe
problems/generators     base formulations problems/mechanics
problems/examples       base formulations problems/mechanics problems/shapes problems/observe problems/preparation
doors                   base formulations solvers problems
benchmarks/terminal     base formulations solvers problems
benchmarks/campaign     base formulations solvers problems benchmarks/terminal
benchmarks/stress       base formulations problems benchmarks/terminal
benchmarks/report       base formulations benchmarks/terminal benchmarks/campaign
benchmarks/film         base formulations problems benchmarks/report
benchmarks/program      base formulations solvers problems benchmarks
benchmarks/speed        base formulations solvers problems benchmarks
'
while read -r folder allowed; do
    [ -n "$folder" ] || continue
    hits=$(grep -HnE '^#include "' "$folder"/*.[ch] 2>/dev/null |
        grep -vE "#include \"($folder/[a-z0-9_]+\.h${allowed:+|$(printf '%s\n' $allowed | paste -sd'|')})")
    [ -z "$hits" ] || complain "includes against the layers of $folder/:"$'\n'"$hits"
done <<<"$layers"
for folder in $(find base formulations solvers problems doors benchmarks -name '*.[ch]' -printf '%h\n' | sort -u); do
    grep -qE "^$folder( |$)" <<<"$layers" || complain "$folder/ is not on the map of layers"
done

# Below the program nothing prints or exits.
hits=$(grep -nE '\b(printf|puts|exit|abort)\(' -r base formulations solvers problems doors --include='*.c')
[ -z "$hits" ] || complain "library code prints or exits:"$'\n'"$hits"

# Every file says its licence; every cited key is in the bibliography.
for file in $files; do
    head -1 "$file" | grep -q SPDX-License-Identifier || complain "$file has no SPDX line"
done
for key in $(grep -hoE '\.cite = "[A-Za-z0-9]+"' -r solvers problems --include='*.c' | grep -oE '"[^"]+"' | tr -d '"' | sort -u); do
    grep -q "{$key," paper/references.bib || complain "$key is not in paper/references.bib"
done

# docs/solvers.md is written from the descriptors, and this build must have all of them.
if [ ! -x build/delassus ]; then
    echo "lint: build/delassus is not here, docs/solvers.md was not checked (run \`make\`)"
elif build/delassus list solvers | grep -q 'not in this build'; then
    echo "lint: solvers are missing from this build, docs/solvers.md was not checked"
else
    build/delassus help --markdown | cmp -s - docs/solvers.md ||
        complain "docs/solvers.md is stale: run \`make docs/solvers.md\`"
fi

# Formatting, and both compilers over every header and source.
if command -v clang-format >/dev/null; then
    clang-format --dry-run -Werror $files || complain "run \`make format\`"
else
    echo "lint: clang-format is not here, formatting was not checked"
fi
flags="-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -fopenmp -Werror -fsyntax-only $(make -s cppflags)"
for header in $(echo "$files" | grep -E '\.h$' | grep -v '^tests/'); do
    gcc $flags -x c "$header" || complain "$header does not compile alone"
done
if command -v clang >/dev/null; then
    clang $flags $(make -s sources) || complain "clang warns"
else
    echo "lint: clang is not here, only GCC was asked"
fi
[ $bad = 0 ] && echo "lint: clean"
exit $bad
