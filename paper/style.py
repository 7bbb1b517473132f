# SPDX-License-Identifier: Apache-2.0
"""What the figures share: reading data/<name>.csv, the look of schemes, saving.

Colours are those of Okabe and Ito, told apart by colour-blind readers; each scheme has
its own dashes too, so that figures survive a black and white print.
"""
import csv
import os
import sys

try:
    import matplotlib
except ImportError:
    sys.stderr.write(
        "The figures need matplotlib: apt-get install python3-matplotlib\n")
    sys.exit(2)
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, after the check
from matplotlib.collections import LineCollection, PatchCollection  # noqa: E402
from matplotlib.patches import Circle  # noqa: E402

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, RED, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#666666"

# Name in the data: label, colour, dashes.
SCHEMES = {
    "moreau": ("Moreau, midpoint", BLUE, "-"),
    "theta:theta=1": (r"Moreau–Jean, $\theta = 1$", RED, (0, (5, 1.5))),
    "schatzman-paoli": ("Schatzman–Paoli", GREEN, (0, (1, 1))),
    "alpha": (r"generalised-$\alpha$", PURPLE, (0, (4, 1.2, 1, 1.2))),
    "alpha:kind=newmark:gamma=1:beta=0.5": (
        r"Newmark, $\gamma = 1$, $\beta = 1/2$", ORANGE, (0, (3, 1, 1, 1, 1, 1))),
    "event": ("event-driven", SKY, (0, (2, 2))),
}
EXACT = dict(color=BLACK, linewidth=0.8, label="closed form", zorder=1)

plt.rcParams.update({
    "font.size": 8.5, "axes.titlesize": 8.5, "axes.labelsize": 8.5,
    "legend.fontsize": 7.5, "legend.frameon": False, "legend.handlelength": 2.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
    "lines.linewidth": 1.3, "figure.constrained_layout.use": True,
    "axes.titlelocation": "left", "pdf.fonttype": 42, "svg.hashsalt": "delassus",
})


def read(name):
    """Rows of data/<name>.csv as dictionaries, numbers as floats, empty cells None."""
    def value(text):
        try:
            return float(text) if text else None
        except ValueError:
            return text
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        return [{k: value(v) for k, v in row.items()} for row in csv.DictReader(file)]


def column(rows, name, **where):
    """The cells of one column, of the rows that agree with `where`."""
    return [r[name] for r in rows if all(r[k] == v for k, v in where.items())]


def line_of(scheme):
    """Arguments of plot for one scheme."""
    label, colour, dashes = SCHEMES[scheme]
    return dict(label=label, color=colour, linestyle=dashes)


def panels(count, height=2.6, **more):
    """A figure as wide as a page of text, with panels side by side."""
    figure, axes = plt.subplots(1, count, figsize=(6.5, height), squeeze=False, **more)
    return figure, axes[0]


def chains(axes, disks, contacts, widths, edge):
    """Disks shaded by layers of deposition, and for each contact a line from the centre of
    its grain through it and as far to the other side; `edge` is the line around a disk."""
    axes.add_collection(PatchCollection(
        [Circle((r["x"], r["y"]), r["value"]) for r in disks],
        facecolor=["#dbe7f1" if r["tag"] % 2 else "#f4e3c1" for r in disks],
        edgecolor=GREY, linewidth=edge))
    axes.add_collection(LineCollection(
        [[(r["to_x"], r["to_y"]), (2 * r["x"] - r["to_x"], 2 * r["y"] - r["to_y"])]
         for r in contacts], colors=RED, capstyle="round", linewidths=widths))
    axes.set_aspect("equal")
    axes.autoscale()
    axes.set_axis_off()


def legend_below(figure, axes):
    """One legend for all panels, under them, with the lines of `axes`."""
    handles, labels = axes.get_legend_handles_labels()
    below = 0.05 + 0.06 * -(-len(labels) // 3)
    figure.get_layout_engine().set(rect=(0, below, 1, 1 - below))
    figure.legend(handles, labels, loc="lower center", ncol=3)


def save(figure, name):
    """Writes name.pdf and name.svg to the folder of the first argument, or build/paper;
    the same data give the same bytes. A second argument adds another format."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join("build", "paper")
    os.makedirs(folder, exist_ok=True)
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    for kind in ["pdf", "svg"] + sys.argv[2:]:
        path = os.path.join(folder, name + "." + kind)
        figure.savefig(path, metadata=undated.get(kind), dpi=200)
        print(path)
