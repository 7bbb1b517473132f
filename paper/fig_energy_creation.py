# SPDX-License-Identifier: Apache-2.0
"""A rod strikes the ground at 45 degrees, mu = 0.6: the energy that the law makes."""
import style

rows = style.read("energy_creation")
START = rows[0]["kinetic"] - rows[0]["work_normal"] - rows[0]["work_tangential"]
LAWS = [  # rows, label and its place in (a), colour, mark and line
    (lambda r: r["scheme"] == "moreau" and r["e_t"] == 0, "Newton\n$e_t = 0$",
     (0.52, -22), style.RED, "o-"),
    (lambda r: r["scheme"] == "moreau" and r["e_t"] == r["e_n"], "Newton\n$e_t = e_n$",
     (0.9, -54), style.BLUE, "s--"),
    (lambda r: r["scheme"] == "acd2", "A-CD$^2$", (0.86, -90), style.GREEN, "^-."),
]


def gain(row):
    return 100 * (row["work_normal"] + row["work_tangential"]) / START


figure, (by_e, works) = style.panels(2, 3.0)
for mine, label, place, colour, look in LAWS:
    chosen = [r for r in rows if mine(r)]
    by_e.plot([r["e_n"] for r in chosen], [gain(r) for r in chosen], look, color=colour,
              markersize=4)
    by_e.text(*place, label, color=colour, ha="center", va="center")
by_e.axhspan(0, 65, color=style.RED, alpha=0.1, linewidth=0)
by_e.text(0.02, 60, "energy created", color=style.RED, va="top")
by_e.axhline(0, color=style.BLACK, linewidth=0.6)
by_e.set(xlabel="normal restitution $e_n$", ylabel="change of kinetic energy (%)",
         xlim=(0, 1.02), ylim=(-105, 65), title="(a) by restitution")

KINDS = [("work_normal", "normal", style.SKY, ""), ("work_tangential", "tangential",
         style.ORANGE, "////"), (None, "sum", style.GREY, "")]
for k, law in enumerate(LAWS):
    row = next(r for r in rows if law[0](r) and r["e_n"] == 0.9)
    for i, (name, kind, fill, hatch) in enumerate(KINDS):
        height = 100 * row[name] / START if name else gain(row)
        works.bar(k + 0.26 * (i - 1), height, 0.24, color=fill, hatch=hatch,
                  edgecolor="white", linewidth=0, label=kind if k == 0 else None)
        number = f"{height:+.0f}".replace("-", "−")
        works.annotate(number, (k + 0.26 * (i - 1), height),
                       (0, 2 if height > 0 else -2), textcoords="offset points",
                       ha="center", va="bottom" if height > 0 else "top", fontsize=7)
works.axhline(0, color=style.BLACK, linewidth=0.6)
works.set(xticks=range(3), xticklabels=[law[1] for law in LAWS], ylim=(-90, 65),
          ylabel="work / kinetic energy before (%)", title="(b) at $e_n = 0.9$")
works.tick_params(axis="x", length=0)
works.legend(loc="upper right", title="work of the contact")
style.save(figure, "energy_creation")
