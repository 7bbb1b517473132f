#!/bin/bash
# install.sh DESTDIR PREFIX BUILD VERSION LIBS: puts the program, both libraries, the
# headers, delassus.pc and the man page under DESTDIR/PREFIX. `make install` calls it.
set -eu
destdir=$1 prefix=$2 build=$3 version=$4 libs=$5
root=$destdir$prefix

install -d "$root/bin" "$root/lib/pkgconfig" "$root/share/man/man1"
install -m 755 "$build/delassus" "$root/bin/delassus"
install -m 644 "$build/libdelassus.a" "$root/lib/libdelassus.a"
install -m 755 "$build/libdelassus.so.$version" "$root/lib/"
cp -P "$build"/libdelassus.so "$build"/libdelassus.so.[0-9] "$root/lib/" # links to it
# Public is what the three headers of the root include. Headers include each other from
# the root of the tree, hence a folder of their own.
for header in $(${CC:-cc} -std=c17 -I. -MM delassus.h delassus_*.h | tr -d '\\' | cut -d: -f2- | tr ' ' '\n' | sort -u); do
    install -D -m 644 "$header" "$root/include/delassus/$header"
done
install -d "$root/share/delassus/python/delassus" # serves solvers written in Python
install -m 644 python/delassus/*.py "$root/share/delassus/python/delassus"
for folder in suites snapshots; do # what `delassus bench` runs on by name
    install -d "$root/share/delassus/benchmarks/$folder"
    install -m 644 benchmarks/$folder/* "$root/share/delassus/benchmarks/$folder"
done
"$build/delassus" --man >"$root/share/man/man1/delassus.1"
chmod 644 "$root/share/man/man1/delassus.1"
# Whoever links the static library (pkg-config --static) needs its own libraries too.
cat >"$root/lib/pkgconfig/delassus.pc" <<PC
prefix=$prefix
includedir=\${prefix}/include/delassus
libdir=\${prefix}/lib

Name: delassus
Description: Contact with friction: step problems, solvers and one judge
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -ldelassus
Libs.private: $libs
PC
chmod 644 "$root/lib/pkgconfig/delassus.pc"
echo "installed delassus $version under $root"
