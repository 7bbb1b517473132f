# SPDX-License-Identifier: Apache-2.0
"""Displacements of disks in a biaxial test, less their affine part."""
import style

rows = style.read("displacements")
figure, axes = style.panels(2, height=3.2)
titles = {"first": "(a) first quarter", "last": "(b) last quarter"}
for panel, quarter in zip(axes, ("first", "last")):
    part = [r for r in rows if r["quarter"] == quarter]
    panel.quiver([r["x"] for r in part], [r["y"] for r in part],
                 [r["dx"] for r in part], [r["dy"] for r in part],
                 color=style.BLUE, angles="xy", width=0.0018)
    panel.set(aspect="equal", title=titles[quarter], xlabel="m")
style.save(figure, "displacements")
