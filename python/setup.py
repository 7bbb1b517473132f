# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel from a checkout: the shared library and the program come from `make`, which is run first."""
import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = Path(__file__).resolve().parent.parent
NAMED = os.environ.get("DELASSUS_BUILD")
BUILT = Path(NAMED or ROOT / "build/release")


def make():
    """Brings library and program up to date: a wheel of yesterday's build would be a trap."""
    if NAMED and (BUILT / "libdelassus.so").exists() and (BUILT / "delassus").exists():
        return
    if NAMED or not (ROOT / "Makefile").exists():
        raise SystemExit("delassus: build from a checkout, or name a folder with delassus and libdelassus.so in DELASSUS_BUILD")
    subprocess.run(["make", f"-j{os.cpu_count()}", "build/release/delassus", "library"], cwd=ROOT, check=True)


class Build(build_py):
    def run(self):
        super().run()
        make()
        package = Path(self.build_lib) / "delassus"
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy((BUILT / "libdelassus.so").resolve(), package / "libdelassus.so")
        shutil.copy(BUILT / "delassus", package / "bin/delassus")
        for folder in ("suites", "snapshots"):  # what `delassus bench` runs on by name: as `make install` does
            shutil.copytree(BUILT.parents[1] / "benchmarks" / folder, package / "share/delassus/benchmarks" / folder, dirs_exist_ok=True)


class Binary(Distribution):
    def has_ext_modules(self):  # the wheel is of this platform
        return True


# What setuptools leaves behind goes to build/, which is not part of the checkout; it starts empty, so that nothing old gets in.
scratch = (ROOT / "build" if (ROOT / "Makefile").exists() else Path("build").resolve()) / "python"
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
setup(cmdclass={"build_py": Build}, distclass=Binary,
      options={"build": {"build_base": str(scratch)}, "egg_info": {"egg_base": str(scratch)}})
