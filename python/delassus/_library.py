# SPDX-License-Identifier: Apache-2.0
"""The shared library, found and declared: the flat interface of doors/flat.h and scene.h."""
from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_long, c_void_p
from pathlib import Path

import numpy as np

ERROR_SIZE = 256
doubles, ints = POINTER(c_double), POINTER(c_int)

Monitor = CFUNCTYPE(c_int, c_void_p, c_long, c_double, c_double, c_double)
Create = CFUNCTYPE(c_int, c_void_p, c_int, c_int, ints, ints, doubles, doubles, doubles)
Step = CFUNCTYPE(c_int, c_void_p, doubles, c_int, c_double, c_double, c_double)
Destroy = CFUNCTYPE(None, c_void_p)


class Terms(ctypes.Structure):
    """struct dls_flat_terms"""
    _fields_ = [("tol", c_double), ("max_time", c_double), ("max_iter", c_long),
                ("seed", c_long), ("measure", c_int), ("cancel", ints),
                ("monitor", Monitor), ("data", c_void_p)]


class Functions(ctypes.Structure):
    """struct dls_flat_functions"""
    _fields_ = [("create", Create), ("step", Step), ("destroy", Destroy), ("data", c_void_p)]


class DelassusError(ValueError):
    """Bad input, in one sentence."""


def places() -> list[Path]:
    """Where the library may be: named by DELASSUS_LIBRARY, in the package, in a build tree."""
    here = Path(__file__).resolve().parent
    named = os.environ.get("DELASSUS_LIBRARY")
    return [Path(named)] if named else [here / "libdelassus.so",
                                        here.parents[1] / "build/release/libdelassus.so",
                                        here.parents[3] / "lib/libdelassus.so",  # make install
                                        Path("libdelassus.so.0")]


def _open() -> ctypes.CDLL:
    reasons = []
    for path in places():
        if path.is_absolute() and not path.exists():
            reasons.append(f"{path} is not there")
            continue
        try:
            return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libdelassus.so was not found (" + "; ".join(reasons)
                      + "): run `make`, or name it in DELASSUS_LIBRARY")


# name: result, arguments; a function whose last argument is ERROR raises its sentence.
ERROR = object()
_declarations = {
    "version": (c_char_p, []),
    "status_name": (c_char_p, [c_int]),
    "list": (c_char_p, [c_char_p, c_int, c_char_p]),
    "load": (c_int, [POINTER(c_void_p), c_char_p, ERROR]),
    "generate": (c_int, [POINTER(c_void_p), c_char_p, c_char_p, ERROR]),
    "free": (None, [c_void_p]),
    "open": (c_int, [POINTER(c_void_p), c_int, c_int, c_int, c_int, c_int, ERROR]),
    "set_matrix": (c_int, [c_void_p, c_char_p, c_int, c_int, c_void_p, c_void_p, c_void_p, ERROR]),
    "set_vector": (c_int, [c_void_p, c_char_p, c_void_p, c_int, ERROR]),
    "close": (c_int, [c_void_p, c_char_p, ERROR]),
    "save": (c_int, [c_void_p, c_char_p, c_void_p, ERROR]),
    "size": (c_int, [c_void_p, c_char_p]),
    "title": (c_char_p, [c_void_p]),
    "vector": (doubles, [c_void_p, c_char_p, ints]),
    "matrix": (c_int, [c_void_p, c_char_p, ints, ints, POINTER(ints), POINTER(ints), POINTER(doubles)]),
    "solver_open": (c_int, [POINTER(c_void_p), c_char_p, ERROR]),
    "solver_made": (c_int, [POINTER(c_void_p), c_char_p, POINTER(Functions), ERROR]),
    "solver_free": (None, [c_void_p]),
    "solve": (c_int, [POINTER(c_void_p), c_void_p, c_void_p, POINTER(Terms), c_void_p, ERROR]),
    "judge": (c_int, [POINTER(c_void_p), c_void_p, c_void_p, ERROR]),
    "certify": (c_int, [POINTER(c_void_p), c_void_p, c_void_p, POINTER(Terms), c_void_p, ERROR]),
    "existence": (c_int, [c_void_p, c_double, POINTER(c_char_p), ints, doubles, ERROR]),
    "result_free": (None, [c_void_p]),
    "number": (c_double, [c_void_p, c_char_p]),
    "text": (c_char_p, [c_void_p, c_char_p]),
    "result_status": (c_int, [c_void_p]),
    "array": (doubles, [c_void_p, c_char_p, ints]),
    "contact_statuses": (ints, [c_void_p, ints]),
    "scene_open": (c_int, [POINTER(c_void_p), c_int, c_int, c_int, c_int, ERROR]),
    "scene_free": (None, [c_void_p]),
    "scene_law": (None, [c_void_p, c_double, c_double, c_double, c_double]),
    "scene_gravity": (None, [c_void_p, c_void_p]),
    "scene_ball": (c_int, [c_void_p, c_double, c_double, c_void_p, ERROR]),
    "scene_box": (c_int, [c_void_p, c_void_p, c_double, c_void_p, c_double, ERROR]),
    "scene_polygon": (c_int, [c_void_p, c_int, c_void_p, c_double, c_void_p, c_double, ERROR]),
    "scene_plane": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, ERROR]),
    "scene_start": (c_int, [c_void_p, c_char_p, c_void_p, c_double, c_double, c_double, ERROR]),
    "scene_step": (c_int, [c_void_p, ERROR]),
    "scene_number": (c_double, [c_void_p, c_char_p]),
    "scene_array": (doubles, [c_void_p, c_char_p, ints]),
    "scene_record": (c_int, [c_void_p, c_char_p, ERROR]),
}


class _Library:
    """dls_flat_NAME as a method; a negative status raises DelassusError."""

    def __init__(self) -> None:
        library = _open()
        for name, (result, arguments) in _declarations.items():
            function = getattr(library, "dls_flat_" + name)
            function.restype = result
            raises = bool(arguments) and arguments[-1] is ERROR
            function.argtypes = arguments[:-1] + [c_char_p] if raises else arguments
            setattr(self, name, self._raising(function) if raises else function)

    @staticmethod
    def _raising(function):
        def call(*arguments):
            error = ctypes.create_string_buffer(ERROR_SIZE)
            status = function(*arguments, error)
            if status < 0:
                raise DelassusError(error.value.decode(errors="replace"))
            return status
        return call


library = _Library()


def copied(pointer, count: int, dtype=np.float64) -> np.ndarray | None:
    """An array of its own from what the library owns; None for a null pointer."""
    if not pointer:
        return None
    return np.ctypeslib.as_array(pointer, (count,)).astype(dtype, copy=True) if count else np.empty(0, dtype)
