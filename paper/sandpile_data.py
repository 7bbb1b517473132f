# SPDX-License-Identifier: Apache-2.0
"""Data of fig_sandpile.py from the pile of 3000 disks: grains and larger contact forces at
rest, and what carried the slice between the cuts while the pile grew.

    build/delassus run sandpile-2d --check --checkpoint sand.checkpoint \\
        --save-state sand.csv --observe slice=25,ground=10 --observe-csv seen.csv --every 5000
    paper/sandpile_data.py build/delassus sand.csv seen.csv >paper/data/sandpile.csv
"""
import csv
import sys
import tempfile

import pile_data


def main():
    program, state, seen = sys.argv[1:]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["what", "x", "y", "value", "tag", "to_x", "to_y"])
    with open(seen, newline="") as file:
        for row in csv.DictReader(file):
            weight, lift = float(row["slice_weight"]), float(row["slice_lift"])
            out.writerow(["lift", row["t"], "", "%.4g" % (lift / weight)])
    with tempfile.TemporaryDirectory() as folder:
        path, _ = pile_data.run(program, "sandpile-2d", 1, state, [], folder)
        points, f = pile_data.read_vtk(path)
    centre = {f["body"][k][0]: p for k, p in enumerate(points) if f["part"][k][0] == 0}
    force = [sum(c * c for c in n) ** 0.5 for n in f["normal"]]
    contacts = [k for k, part in enumerate(f["part"]) if part[0] == 1]
    mean = sum(force[k] for k in contacts) / len(contacts)
    for k, p in enumerate(points):
        if f["part"][k][0] == 0:
            out.writerow(["grain", "%.3f" % p[0], "%.3f" % p[1],
                          "%.3f" % f["radius"][k][0], int(f["tag"][k][0])])
        elif f["part"][k][0] == 1 and force[k] > mean:
            a = centre[f["body"][k][0]]
            out.writerow(["contact", "%.3f" % p[0], "%.3f" % p[1],
                          "%.3g" % (force[k] / mean), "", "%.3f" % a[0], "%.3f" % a[1]])


if __name__ == "__main__":
    main()
