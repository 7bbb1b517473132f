# SPDX-License-Identifier: Apache-2.0
"""growth_data.py OBSERVED: paper/data/pile_growth.csv on the standard output, from what a run
of the conical pile saw every second (docs/granular.md has the command).

Pressures are in dPa for spheres of density 1; in the run a sphere of the mean volume has
mass 1."""
import csv
import math
import sys

RATE, ANNULI = 200, 10
VOLUME = math.pi / 24 * (0.5**4 - 0.25**4) / 0.25

with open(sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__), newline="") as file:
    seen = list(csv.DictReader(file))
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["t", "grains"] + ["p%d" % (k + 1) for k in range(ANNULI)])
for row in seen:
    pressures = [VOLUME * float(row["ground_p%d" % (k + 1)]) for k in range(ANNULI)]
    out.writerow([round(float(row["t"])), min(14000, round(RATE * float(row["t"])))]
                 + ["%.5g" % p for p in pressures])
