# SPDX-License-Identifier: Apache-2.0
"""Shaken vessels over five seeds: what grains near the walls and inside move in a period,
with rough walls and in the twin with smooth ones."""
import style

rows = style.read("shaken_seeds")
figure, axes = style.panels(3, height=2.2)
checks = (("displacement of a period near the walls in grains", "near the walls", "v"),
          ("the same in the inner half", "inner half", "^"))
for panel, name in zip(axes, ("shaken-cylinder", "brazil-nut", "shaken-box")):
    for at, (mu, colour) in enumerate(((0.8, style.BLUE), (0.0, style.ORANGE))):
        for check, label, mark in checks:
            values = style.column(rows, "value", example=name, wall_mu=mu, check=check)
            panel.plot([at + 0.06 * (k - 2) for k in range(len(values))], values, mark,
                       color=colour, markersize=4, label=label if at == 0 else None)
    panel.axhline(0, color=style.GREY, linewidth=0.6)
    panel.set(title=name, xlim=(-0.5, 1.5), xticks=(0, 1))
    panel.set_xticklabels(("rough walls", "smooth"))
axes[0].set_ylabel("rise in a period (grains)")
style.legend_below(figure, axes[0])
style.save(figure, "shaken_seeds")
