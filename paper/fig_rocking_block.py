# SPDX-License-Identifier: Apache-2.0
"""A block of b/h = 0.2 let go at 5 degrees: angle, and spins kept at its impacts."""
import math

import style

rows = style.read("rocking_block")
hits = [r for r in rows if r["spin_before"] is not None]
figure, (angle, kept) = style.panels(2, width_ratios=[2, 1])
angle.plot([r["t"] for r in rows], [math.degrees(r["angle"]) for r in rows],
           color=style.BLUE)
angle.plot([r["t"] for r in hits], [math.degrees(r["angle"]) for r in hits], "o",
           color=style.RED, markersize=4)
angle.annotate("impacts", (hits[1]["t"], 0), (hits[1]["t"] + 0.12, 1.8),
               color=style.RED, va="center",
               arrowprops=dict(arrowstyle="-", color=style.RED, linewidth=0.6))
angle.axhline(0, color=style.GREY, linewidth=0.5, zorder=0)
angle.set(xlabel="time (s)", ylabel="angle (degrees)", xlim=(0, 2.5),
          title="(a) angle, $b/h$ = 0.2")

housner = 1 - 1.5 * 0.2**2 / (1 + 0.2**2)  # 1 - 3/2 sin^2(alpha), tan(alpha) = b / h
kept.axhline(housner, color=style.BLACK, linewidth=0.8)
kept.text(0.98, housner + 0.0004, f"Housner, {housner:.4f}", ha="right", va="bottom",
          transform=kept.get_yaxis_transform())
kept.plot(range(1, len(hits) + 1), [r["spin_after"] / r["spin_before"] for r in hits],
          "o", color=style.RED, markersize=4)
kept.set(xlabel="impact", ylabel=r"spin kept, $\omega^+ / \omega^-$",
         xticks=range(1, len(hits) + 1), ylim=(housner - 0.01, housner + 0.01),
         title="(b) ratio of spins")
style.save(figure, "rocking_block")
