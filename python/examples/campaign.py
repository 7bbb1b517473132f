# SPDX-License-Identifier: Apache-2.0
"""A campaign: three snapshots, two solvers of the library and one in Python; its rows as dictionaries, ready for a DataFrame."""
import tempfile
from pathlib import Path

import delassus

mine = Path(__file__).with_name("jacobi.py")
with tempfile.TemporaryDirectory() as folder:
    files = []
    for n in (3, 6, 12):
        files.append(Path(folder) / f"stack-{n}.hdf5")
        delassus.generate("stack", n=n, mu=0.3).save(files[-1])
    rows = delassus.bench(files, ["auto", "pgs", str(mine)], tol=(1e-2, 1e-4), max_time=2, folder=Path(folder) / "campaign")
    # With pandas: pandas.DataFrame(rows).pivot_table("time", "problem", "solver"). The page is campaign/report.html.
    for row in sorted(rows, key=lambda row: (row["tol"], row["problem"], row["solver"])):
        print(f"{row['problem']:9} {row['solver']:7} {row['tol']:g}  {row['status']:10} {row['natural']:.1e}  {1e3 * row['time']:8.3f} ms")
