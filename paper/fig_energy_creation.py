# SPDX-License-Identifier: Apache-2.0
"""A rod strikes the ground at 45 degrees, mu = 0.6: the energy that the law makes."""
import style

START = 0.203125  # kinetic energy before, J: u^- . W^-1 u^- / 2
rows = style.read("energy_creation")
LAWS = [  # rows, label, colour, mark and line
    (lambda r: r["scheme"] == "moreau" and r["e_t"] == 0, "Newton, $e_t = 0$",
     style.RED, "o-"),
    (lambda r: r["scheme"] == "moreau" and r["e_t"] == r["e_n"], "Newton, $e_t = e_n$",
     style.BLUE, "s--"),
    (lambda r: r["scheme"] == "acd2", "A-CD$^2$", style.GREEN, "^-."),
]


def gain(row):
    return 100 * (row["work_normal"] + row["work_tangential"]) / START


figure, (by_e, works) = style.panels(2, 3.0)
for mine, label, colour, look in LAWS:
    chosen = [r for r in rows if mine(r)]
    by_e.plot([r["e_n"] for r in chosen], [gain(r) for r in chosen], look, color=colour,
              markersize=4, label=label)
by_e.axhspan(0, 65, color=style.RED, alpha=0.1, linewidth=0)
by_e.text(0.02, 60, "energy created", color=style.RED, va="top")
by_e.axhline(0, color=style.BLACK, linewidth=0.6)
by_e.set(xlabel="normal restitution $e_n$", ylabel="change of kinetic energy (%)",
         xlim=(0, 1.02), ylim=(-105, 65), title="(a) by restitution")
by_e.legend(loc="lower right", bbox_to_anchor=(1, 0.0))

KINDS = [("work_normal", "normal", style.SKY, ""), ("work_tangential", "tangential",
         style.ORANGE, "////"), (None, "sum", style.GREY, "")]
for k, (mine, label, colour, look) in enumerate(LAWS):
    row = next(r for r in rows if mine(r) and r["e_n"] == 0.9)
    for i, (name, kind, fill, hatch) in enumerate(KINDS):
        height = 100 * row[name] / START if name else gain(row)
        works.bar(k + 0.26 * (i - 1), height, 0.24, color=fill, hatch=hatch,
                  edgecolor="white", linewidth=0, label=kind if k == 0 else None)
        works.annotate(f"{height:+.0f}", (k + 0.26 * (i - 1), height),
                       (0, 2 if height > 0 else -2), textcoords="offset points",
                       ha="center", va="bottom" if height > 0 else "top", fontsize=7)
works.axhline(0, color=style.BLACK, linewidth=0.6)
works.set(xticks=range(3), xticklabels=[law[1] for law in LAWS], ylim=(-90, 65),
          ylabel="work of the contact (% of energy before)", title="(b) at $e_n = 0.9$")
works.tick_params(axis="x", length=0)
works.legend(loc="upper right", title="work of the impulse")
style.save(figure, "energy_creation")
