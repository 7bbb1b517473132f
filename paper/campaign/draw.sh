#!/bin/bash
# draw.sh [OUT]: the figures of README and docs from the rows in this folder, into OUT (default paper); `paper/campaign/tables.py
# paper/campaign/corpus` prints the tables. DELASSUS names another build than build/release.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-paper} build=${DELASSUS:-build/release}
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cp paper/campaign/corpus/campaign.json "$folder"
${PYTHON:-/usr/bin/python3} paper/campaign/tables.py paper/campaign/corpus --whole "$folder/results.csv"
"$build/delassus" report "$folder" --no-pdf >/dev/null
cp "$folder/plots/profile-time-1e-08.svg" "$out/profile-corpus.svg"
"$build/benchmarks/speed/scaling" --from paper/campaign/scaling.csv --svg "$folder/scaling.svg" >/dev/null
cp "$folder/scaling.svg" "$out/scaling-auto.svg"
