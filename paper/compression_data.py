# SPDX-License-Identifier: Apache-2.0
"""compression_data.py RUNS [DIR]: paper/data of the landslide and of both biaxial tests
from the files of their runs in the folder RUNS (docs/granular.md has the commands).

A figure whose files are not there keeps the data it has."""
import csv
import math
import os
import sys

RUNS = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
DATA = sys.argv[2] if len(sys.argv) > 2 else os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "data")


def rows_of(name):
    with open(os.path.join(RUNS, name), newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def write(name, header, rows):
    if not rows:
        return
    with open(os.path.join(DATA, name + ".csv"), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        for row in rows:
            out.writerow([f"{x:.5g}" if isinstance(x, float) else x for x in row])


def vtk(name):
    """Points and polygons of a file of `run --vtk`."""
    words = open(os.path.join(RUNS, name)).read().split()
    at = words.index("POINTS")
    count = int(words[at + 1])
    flat = [float(x) for x in words[at + 3:at + 3 + 3 * count]]
    points = [flat[3 * k:3 * k + 2] for k in range(count)]
    faces = []
    if "POLYGONS" in words:
        at = words.index("POLYGONS")
        k = at + 3
        for _ in range(int(words[at + 1])):
            size = int(words[k])
            faces.append([int(x) for x in words[k + 1:k + 1 + size]])
            k += size + 1
    return points, faces


def landslide():
    rows = []
    for t in (1, 2.5, 5, 10):
        name = f"slide_vtk/landslide-{round(t * 1e4):08d}.vtk"
        if not os.path.exists(os.path.join(RUNS, name)):
            sys.stderr.write(f"landslide: no frame at {t} s\n")
            continue
        points, faces = vtk(name)
        for face in faces:
            x = sum(points[k][0] for k in face) / len(face)
            y = sum(points[k][1] for k in face) / len(face)
            first = points[face[0]]
            angle = math.atan2(first[1] - y, first[0] - x)
            rows.append([t, len(face), x, y, angle])
    write("landslide", ["t", "sides", "x", "y", "angle"], rows)


def binned(rows, key, width, make):
    """make(rows of a bin) for bins of that width."""
    bins = {}
    for row in rows:
        bins.setdefault(int(row[key] / width), []).append(row)
    return [make(bins[k]) for k in sorted(bins)]


def mean(rows, key):
    return sum(r[key] for r in rows) / len(rows)


def biaxial_200():
    rows = []
    for mu, name in ((0.1, "disks_run.csv"), (0.5, "disks_rough.csv")):
        if not os.path.exists(os.path.join(RUNS, name)):
            continue
        run = rows_of(name)[1:]
        first = run[0]["width"]
        rows += binned(run, "strain", 0.0025, lambda b, m=mu: [
            m, mean(b, "strain"),
            (mean(b, "moment_up") - mean(b, "moment_across"))
            / (mean(b, "moment_up") + mean(b, "moment_across")),
            mean(b, "width") * (1 - mean(b, "strain")) / first - 1])
    write("biaxial_200", ["mu", "strain", "sin_phi", "dilation"], rows)


def gradient(start, end):
    """Centre, mean displacement and displacement gradient, by least squares."""
    n, axes = len(start), (0, 1)
    c = [sum(p[i] for p in start) / n for i in axes]
    m = [sum(q[i] - p[i] for p, q in zip(start, end)) / n for i in axes]
    X = [[p[i] - c[i] for i in axes] for p in start]
    D = [[q[i] - p[i] - m[i] for i in axes] for p, q in zip(start, end)]
    xx = [[sum(x[a] * x[b] for x in X) for b in axes] for a in axes]
    dx = [[sum(d[a] * x[b] for d, x in zip(D, X)) for b in axes] for a in axes]
    det = xx[0][0] * xx[1][1] - xx[0][1] * xx[1][0]
    inverse = [[xx[1][1] / det, -xx[0][1] / det], [-xx[1][0] / det, xx[0][0] / det]]
    return c, m, [[sum(dx[a][k] * inverse[k][b] for k in axes) for b in axes]
                  for a in axes]


def shear_of(start, end, reach):
    """Half the difference of the principal strains about each point."""
    shear = []
    for centre in start:
        near = [j for j, p in enumerate(start) if math.dist(p, centre) <= reach]
        _, _, G = gradient([start[j] for j in near], [end[j] for j in near])
        shear.append(math.hypot((G[0][0] - G[1][1]) / 2, (G[0][1] + G[1][0]) / 2))
    return shear


def shear_band():
    start, end = rows_of("disks_start.csv"), rows_of("disks_end.csv")
    places = [[(r["x"], r["y"]) for r in state] for state in (start, end)]
    shear = shear_of(*places, 0.3)
    write("shear_band", ["radius", "x", "y", "shear"],
          [[r["bound"], r["x"], r["y"], s] for r, s in zip(end, shear)])


def biaxial_1024():
    run = rows_of("sample_run.csv")[1:]
    write("biaxial_1024", ["strain", "s_1", "s_2", "area", "lost", "coordination"],
          binned(run, "strain", 0.0005, lambda b: [
              mean(b, "strain"), mean(b, "s_1"), mean(b, "s_2"), mean(b, "area"),
              sum(r["lost"] for r in b), mean(b, "coordination")]))


def affine_free(start, end):
    """Displacements less their best affine part."""
    c, m, G = gradient(start, end)
    return [[q[a] - p[a] - m[a] - sum(G[a][i] * (p[i] - c[i]) for i in (0, 1))
             for a in (0, 1)] for p, q in zip(start, end)]


def displacements():
    """First and last quarter of the strains from 2.625 to 5.25 %."""
    names = sorted(n for n in os.listdir(os.path.join(RUNS, "sample_vtk")))
    last = len(names)
    disks = len(rows_of("sample_start.csv")) - 2  # two of the walls are bodies
    rows = []
    for part, (a, b) in (("first", (0.5, 0.625)), ("last", (0.875, 1.0))):
        start, end = (vtk("sample_vtk/" + names[round(f * last) - 1])[0]
                      for f in (a, b))
        start, end = start[:disks], end[:disks]  # walls and contacts follow
        for p, d in zip(start, affine_free(start, end)):
            rows.append([part, p[0], p[1], d[0], d[1]])
    write("displacements", ["quarter", "x", "y", "dx", "dy"], rows)


os.makedirs(DATA, exist_ok=True)
for figure in (landslide, biaxial_200, shear_band, biaxial_1024, displacements):
    try:
        figure()
    except FileNotFoundError as missing:
        sys.stderr.write(f"{figure.__name__}: no {missing.filename}\n")
