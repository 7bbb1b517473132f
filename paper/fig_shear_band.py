# SPDX-License-Identifier: Apache-2.0
"""Where the sample between flexible sides was sheared."""
from matplotlib.collections import EllipseCollection

import style

rows = style.read("shear_band")
figure, (panel,) = style.panels(1, height=4.2)
size = [2 * r["radius"] for r in rows]
disks = EllipseCollection(size, size, [0] * len(rows), units="xy",
                          offsets=[(r["x"], r["y"]) for r in rows],
                          transOffset=panel.transData, edgecolors=style.GREY,
                          linewidths=0.3, cmap="YlOrRd")
disks.set_array([r["shear"] for r in rows])
panel.add_collection(disks)
panel.set(aspect="equal", xlim=(min(r["x"] for r in rows) - 0.2,
                                max(r["x"] for r in rows) + 0.2),
          ylim=(-0.1, max(r["y"] for r in rows) + 0.2), title="shear strain")
figure.colorbar(disks, ax=panel, shrink=0.6)
style.save(figure, "shear_band")
