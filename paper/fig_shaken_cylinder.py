# SPDX-License-Identifier: Apache-2.0
"""Forces of the wall of a shaken cylinder on 363 spheres over one period."""
import style

rows = style.read("shaken_cylinder")
time = [0.04 * r["phase"] for r in rows]
figure, (normal, vertical) = style.panels(2)
normal.plot(time, [r["normal"] for r in rows], color=style.BLUE)
top = max(r["normal"] for r in rows) / max(r["pressure"] for r in rows)
normal.plot(time, [top * r["pressure"] for r in rows], color=style.RED,
            linestyle=(0, (3, 2)))
normal.text(0.014, 0.8 * max(r["normal"] for r in rows), "force of the wall",
            color=style.BLUE)
normal.text(0.014, 0.66 * max(r["normal"] for r in rows),
            "pressure inside,\nscaled to the same peak", color=style.RED, va="top")
normal.set(xlabel="time (s)", ylabel="normal force / weight", xlim=(0, 0.04),
           title="(a) normal to the wall")
vertical.axvspan(0.015, 0.030, color=style.GREY, alpha=0.15, linewidth=0)
vertical.axhline(0, color=style.GREY, linewidth=0.5)
vertical.plot(time, [r["vertical"] for r in rows], color=style.BLUE)
mean = sum(r["vertical"] for r in rows) / len(rows)
vertical.axhline(mean, color=style.BLACK, linewidth=0.8, linestyle=(0, (4, 2)))
vertical.text(0.0395, mean - 0.02, f"mean {mean:.3f}", ha="right", va="top")
vertical.text(0.0225, 0.3, "sliding up", ha="center", color=style.GREY)
vertical.set(xlabel="time (s)", ylabel="vertical force / weight", xlim=(0, 0.04),
             title="(b) along the wall, upward positive")
style.save(figure, "shaken_cylinder")
