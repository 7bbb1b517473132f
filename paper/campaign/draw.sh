#!/bin/bash
# draw.sh: the figures of README and docs from the rows in this folder.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cp paper/campaign/corpus/results.csv paper/campaign/corpus/campaign.json "$folder"
build/delassus report "$folder" --no-pdf >/dev/null
cp "$folder/plots/profile-time-1e-08.svg" paper/profile-corpus.svg
