#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tables.py DIR: the tables of docs/campaigns.md from DIR/results.csv, in Markdown.
tables.py DIR --whole FILE: the rows of the solvers that ran on every problem, as CSV; of them are standings and profile.

A row counts as solved when its status is `converged` and the judge's residual is at most its tolerance. The mean time is a
shifted geometric mean over all problems, shift 10 ms, a failure charged 10 time limits, as on the page of a campaign."""
import csv
import math
import sys


def geometric(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def number(x, digits=3):
    return "" if math.isnan(x) else f"{x:.{digits}g}"


class Campaign:
    def __init__(self, folder):
        with open(f"{folder}/results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.names = rows[0].keys()
        self.rows = {(r["problem"], self.name(r), float(r["tol"])): r for r in rows}
        self.problems = sorted({key[0] for key in self.rows})
        self.tols = sorted({key[2] for key in self.rows})
        whole = len(self.problems) * len(self.tols)
        count = {}
        for _, solver, _ in self.rows:
            count[solver] = count.get(solver, 0) + 1
        self.solvers = [s for s in count if count[s] == whole]
        self.all = list(count)  # with those that are under way: what they claimed can be told

    @staticmethod
    def name(row):
        return f"{row['solver']} {row['options']}".strip()

    def of(self, solver, tol):
        return [self.rows[p, solver, tol] for p in self.problems if (p, solver, tol) in self.rows]

    def write_whole(self, path):
        with open(path, "w", newline="") as file:
            out = csv.DictWriter(file, self.names, lineterminator="\n")
            out.writeheader()
            out.writerows(row for (_, solver, _), row in self.rows.items() if solver in self.solvers)

    def time(self, problem, solver, tol):
        row = self.rows[problem, solver, tol]
        good = row["status"] == "converged" and float(row["natural"]) <= tol
        return float(row["time"]) if good else math.inf

    def standings(self):
        tight, loose = self.tols[0], self.tols[-1]
        best = {p: min(self.time(p, s, tight) for s in self.solvers) for p in self.problems}
        lines = []
        for s in self.solvers:
            times = {p: self.time(p, s, tight) for p in self.problems}
            limit = 10 * max(float(r["max_time"]) for r in self.of(s, tight))
            taken = sum(r["status"] != "unsupported" for r in self.of(s, tight))
            mean = geometric((t if t < math.inf else limit) + 0.01 for t in times.values()) - 0.01
            ratio = geometric(max(t, 1e-6) / max(best[p], 1e-6) for p, t in times.items() if t < math.inf)
            solved = sum(t < math.inf for t in times.values())
            early = sum(self.time(p, s, loose) < math.inf for p in self.problems)
            of = "" if taken == len(self.problems) else f" of {taken}"
            lines.append((-solved, mean, f"| `{s}` | {solved}{of} | {early}{of} | {number(ratio)} | {number(mean)} |"))
        print(f"| solver | solved to {tight:g} | to {loose:g} | time over the fastest | mean time in s, failures charged |")
        print("|---|---|---|---|---|", *(line for _, _, line in sorted(lines)), sep="\n")

    def claims(self):
        print("| peer | tolerance | problems | said solved | false | at worst | false by merit too | at worst | missed |")
        print("|---|---|---|---|---|---|---|---|---|")
        for s in self.all:
            for tol in self.tols:
                said = [r for r in self.of(s, tol) if r["claimed"]]
                if not said:
                    continue
                claimed = [r for r in said if r["claimed"] == "true"]
                wrong = [r for r in claimed if float(r["claim_natural"]) > tol]
                both = [r for r in wrong if float(r["claim_merit"]) > tol]
                missed = sum(r["claimed"] == "false" and self.time(r["problem"], s, tol) < math.inf for r in said)
                worst = [number(max((float(r[c]) / tol for r in rows), default=math.nan), 2)
                         for c, rows in (("claim_natural", wrong), ("claim_merit", both))]
                print(f"| `{s}` | {tol:g} | {len(said)} | {len(claimed)} | {len(wrong)} | {worst[0]} | {len(both)} | {worst[1]} | {missed} |")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--whole"]):
        sys.exit(__doc__)
    campaign = Campaign(sys.argv[1])
    if len(sys.argv) == 4:
        campaign.write_whole(sys.argv[3])
    else:
        campaign.standings()
        print()
        campaign.claims()
