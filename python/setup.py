# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel from a checkout: the shared library and the program come from `make`, run here where they are missing."""
import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = Path(__file__).resolve().parent.parent
BUILT = Path(os.environ.get("DELASSUS_BUILD", ROOT / "build/release"))


class Build(build_py):
    def run(self):
        super().run()
        if not (BUILT / "libdelassus.so").exists() or not (BUILT / "delassus").exists():
            if not (ROOT / "Makefile").exists():
                raise SystemExit("delassus: build from a checkout, or name a folder with libdelassus.so in DELASSUS_BUILD")
            subprocess.run(["make", f"-j{os.cpu_count()}", "build/release/delassus", "library"], cwd=ROOT, check=True)
        package = Path(self.build_lib) / "delassus"
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy((BUILT / "libdelassus.so").resolve(), package / "libdelassus.so")
        shutil.copy(BUILT / "delassus", package / "bin/delassus")


class Binary(Distribution):
    def has_ext_modules(self):  # the wheel is of this platform
        return True


setup(cmdclass={"build_py": Build}, distclass=Binary)
