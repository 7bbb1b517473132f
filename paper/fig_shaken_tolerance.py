# SPDX-License-Identifier: Apache-2.0
"""Wall force and circulation of shaken vessels against the sweeps of a step."""
import math

import style

rows = [r for r in style.read("shaken_tolerance") if r["rule"] == "max-iter"]
counts = sorted({r["value"] for r in rows})
figure, axes = style.panels(2)
for panel, name, title in zip(
        axes, ("wall_force_sliding", "circulation"),
        ("(a) cylinder: wall force / weight, sliding up",
         "(b) nut: rise near the walls / grain")):
    for count in counts:
        cells = style.column(rows, name, value=count)
        mean = sum(cells) / len(cells)
        spread = math.sqrt(sum((c - mean)**2 for c in cells) / (len(cells) - 1))
        panel.errorbar(count, mean, spread / math.sqrt(len(cells)), fmt="o",
                       color=style.BLUE, markersize=4, capsize=2)
        panel.plot([count] * len(cells), cells, "_", color=style.GREY)
    panel.axhline(0, color=style.GREY, linewidth=0.5)
    panel.set(xscale="log", xlabel="sweeps a step", title=title)
style.save(figure, "shaken_tolerance")
