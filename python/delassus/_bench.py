# SPDX-License-Identifier: Apache-2.0
"""Campaigns: the program `delassus bench`, and its rows."""
from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import Sequence

import numpy as np

from ._library import DelassusError

_HERE = Path(__file__).resolve().parent


def program() -> Path:
    """The program `delassus`: named by DELASSUS_PROGRAM, in the package, or in a build tree."""
    named = os.environ.get("DELASSUS_PROGRAM")
    for path in [Path(named)] if named else [_HERE / "bin/delassus", _HERE.parents[1] / "build/release/delassus"]:
        if path.exists():
            return path
    raise DelassusError("the program delassus was not found: run `make`, or name it in DELASSUS_PROGRAM")


def _environment() -> dict[str, str]:
    """The program starts solvers in Python with this interpreter and this package."""
    return {"DELASSUS_PYTHON": sys.executable, "DELASSUS_SERVE": str(_HERE / "serve.py"), **os.environ}


def main() -> None:
    """The command `delassus` that pip installs: the program, with this interpreter for solvers in Python."""
    os.execve(program(), ["delassus", *sys.argv[1:]], _environment())


def _value(text: str):
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def bench(files: Sequence[str | os.PathLike] | str, solvers: Sequence[str] | str = "all", *,
          tol: Sequence[float] | float = (1e-4, 1e-8), max_time: float = 10.0, folder: str | os.PathLike = "campaign",
          jobs: int = 1, options: Sequence[str] = (), progress: bool = False) -> list[dict]:
    """Runs `delassus bench`, each run in a process of its own, and returns the rows of FOLDER/results.csv as dictionaries:
    pandas.DataFrame(delassus.bench(...)). A campaign that was cut short goes on where it stopped. `files` may name a
    suite, `solvers` may be files ("./mine.py"); `options` are further words of the command line; `progress` prints each run as it ends."""
    many = lambda x: [x] if isinstance(x, (str, os.PathLike)) else list(x)
    tols = many(tol) if np.ndim(tol) else [tol]
    if not many(files):
        raise DelassusError("files: none were given")
    command = [str(program()), "bench", *map(os.fspath, many(files)), "--solver", ",".join(many(solvers)),
               "--tol", ",".join(f"{t:g}" for t in tols), "--max-time", f"{max_time:g}", "--jobs", str(jobs),
               "-o", os.fspath(folder), *options]
    ended = subprocess.run(command, env=_environment(), text=True, stdout=None if progress else subprocess.DEVNULL,
                           stderr=subprocess.PIPE)
    if ended.returncode not in (0, 1):  # 1: some did not converge
        raise DelassusError(ended.stderr.strip().removeprefix("delassus: ") or f"delassus bench ended with {ended.returncode}")
    with open(Path(folder) / "results.csv", newline="") as file:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]
