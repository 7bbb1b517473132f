# SPDX-License-Identifier: Apache-2.0
"""Polygons under the A-CD2 law after their gate was taken away."""
import math

from matplotlib.collections import PolyCollection

import style

RADIUS = 0.25
COLOURS = {4: style.BLUE, 5: style.SKY, 6: style.GREEN, 7: style.ORANGE, 8: style.RED}
rows = style.read("landslide")
times = sorted({r["t"] for r in rows})
figure, axes = style.panels(len(times), height=1.9)
for panel, t in zip(axes, times):
    frame = [r for r in rows if r["t"] == t]
    corners = [[(r["x"] + RADIUS * math.cos(r["angle"] + 2 * math.pi * k / r["sides"]),
                 r["y"] + RADIUS * math.sin(r["angle"] + 2 * math.pi * k / r["sides"]))
                for k in range(int(r["sides"]))] for r in frame]
    panel.add_collection(PolyCollection(
        corners, facecolors=[COLOURS[int(r["sides"])] for r in frame],
        edgecolors="white", linewidths=0.2))
    panel.axhline(0, color=style.GREY, linewidth=0.6, zorder=0)
    panel.axvline(0, color=style.GREY, linewidth=0.6, zorder=0)
    panel.set(aspect="equal", xlim=(-0.5, 17), ylim=(-0.5, 9), title=f"{t:g} s")
    panel.set_xlabel("m")
style.save(figure, "landslide")
