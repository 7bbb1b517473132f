# SPDX-License-Identifier: Apache-2.0
"""The biaxial test between walls: stress ratio, area, coordination, energy lost."""
import style

rows = style.read("biaxial_1024")
strain = [100 * r["strain"] for r in rows]
figure, axes = style.panels(3, height=2.2)
axes[0].plot(strain, [r["s_1"] / r["s_2"] for r in rows], color=style.BLUE)
axes[0].set(ylabel="$s_1 / s_2$", title="(a) stress ratio")
axes[1].plot(strain, [100 * (r["area"] / rows[0]["area"] - 1) for r in rows],
             color=style.GREEN)
axes[1].set(ylabel="change of area (%)", title="(b) dilation")
axes[2].plot(strain, [r["coordination"] for r in rows], color=style.RED)
axes[2].set(ylabel="contacts of a disk", title="(c) coordination")
for panel in axes:
    panel.set_xlabel("strain (%)")
style.save(figure, "biaxial_1024")
