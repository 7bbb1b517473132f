# SPDX-License-Identifier: Apache-2.0
"""Data of fig_piles.py: grains and contact forces of small piles at rest, and the pressure
under conical ones, from states that runs left.

    paper/pile_data.py build/release/delassus >paper/data/piles.csv

More states are given as NAME=SCALE=STATE=OPTIONS and add rows of pressure.
"""
import csv
import subprocess
import sys
import tempfile

STATES = "tests/problems/examples/packings/pile-%s.csv"


def run(program, name, scale, state, more, folder):
    """One state, looked at after a tenth of a second at rest: VTK file, measures."""
    step = 2e-4 if name == "conical-pile" else 1e-4
    steps = round(0.1 / step)
    subprocess.run(
        [program, "run", name, "--scale", str(scale), "--from", state, *more,
         "--set", "rest=0.1", "--every", str(steps), "--vtk", folder,
         "--observe", "ground=6", "--observe-csv", folder + "/seen.csv"],
        check=True, stdout=subprocess.DEVNULL)
    with open(folder + "/seen.csv", newline="") as file:
        seen = list(csv.DictReader(file))[-1]
    return "%s/%s-%08d.vtk" % (folder, name, steps), seen


def read_vtk(path):
    """Points, and the fields by name as lists of tuples."""
    words = iter(open(path).read().split())
    points, fields = [], {}
    for word in words:
        if word == "POINTS":
            count = int(next(words))
            next(words)
            points = [tuple(float(next(words)) for _ in range(3)) for _ in range(count)]
        if word == "default":
            fields["part"] = [(float(next(words)),) for _ in points]
        if word == "FieldData":
            for _ in range(int(next(words))):
                name, size = next(words), int(next(words))
                next(words), next(words)
                fields[name] = [tuple(float(next(words)) for _ in range(size))
                                for _ in points]
    return points, fields


def grains(out, case, path):
    """Rows of grains (x, y, radius, tag) and contacts (x, y, force, of which grain)."""
    points, f = read_vtk(path)
    centre = {f["body"][k][0]: p for k, p in enumerate(points) if f["part"][k][0] == 0}
    for k, (x, y, _) in enumerate(points):
        if f["part"][k][0] == 0:
            out.writerow([case, "grain", x, y, f["radius"][k][0], f["tag"][k][0]])
        elif f["part"][k][0] == 1:
            force = sum(c * c for c in f["normal"][k]) ** 0.5
            a = centre[f["body"][k][0]]
            out.writerow([case, "contact", "%.6g" % x, "%.6g" % y, "%.6g" % force, "",
                          "%.6g" % a[0], "%.6g" % a[1]])


def main():
    program, more = sys.argv[1], [word.split("=", 3) for word in sys.argv[2:]]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["case", "what", "x", "y", "value", "tag", "to_x", "to_y"])
    for case, options in (("poured", []), ("level", ["--set", "level=1"])):
        with tempfile.TemporaryDirectory() as folder:
            path, _ = run(program, "sandpile-2d", 0.05, STATES % case, options, folder)
            grains(out, case, path)
    cones = [("laid", 0.02, STATES % "laid", []),
             ("rained", 0.02, STATES % "rained", ["--set", "width=3"])]
    cones += [(n, float(s), state, o.split()) for n, s, state, o in more]
    for case, scale, state, options in cones:
        with tempfile.TemporaryDirectory() as folder:
            _, seen = run(program, "conical-pile", scale, state, options, folder)
            for k in range(6):  # annuli three mean diameters wide, 1.125 cm
                out.writerow([case, "pressure", 1.125 * (k + 0.5), "",
                              "%.6g" % float(seen["ground_p%d" % (k + 1)]), ""])


if __name__ == "__main__":
    main()
