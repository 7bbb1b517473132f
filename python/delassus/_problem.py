# SPDX-License-Identifier: Apache-2.0
"""Step problems: from files, from arrays, from generators."""
from __future__ import annotations

import ctypes
import difflib
import os
from ctypes import c_int, c_void_p
from typing import Any, Iterable

import numpy as np
import scipy.sparse as sparse

from ._library import DelassusError, copied, doubles, ints, library

_VECTORS = ("mu", "mu_r", "f", "w", "b", "q", "s", "v_minus", "u_minus", "w_ob", "e_n", "e_t", "hF", "gap", "position")


def as_doubles(name: str, x: Any) -> np.ndarray:
    """A contiguous array of doubles; complex numbers and texts are refused."""
    try:
        array = np.asarray(x)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise DelassusError(f"{name}: real numbers are needed, not {type(x).__name__} of "
                            f"{getattr(np.asarray(x, dtype=object), 'dtype', '?')}") from None


def as_csr(name: str, A: Any) -> sparse.csr_matrix:
    """Any matrix, dense or sparse, in compressed rows with 32-bit indices."""
    if not sparse.issparse(A):
        A = as_doubles(name, A)
        if A.ndim != 2:
            raise DelassusError(f"{name}: a matrix is needed, not an array of {A.ndim} dimensions")
    elif A.dtype.kind not in "fiub":
        raise DelassusError(f"{name}: real numbers are needed, not {A.dtype}")
    B = sparse.csr_matrix(A, dtype=np.float64)
    return sparse.csr_matrix((np.ascontiguousarray(B.data), B.indices.astype(np.int32), B.indptr.astype(np.int32)), B.shape)


class Problem:
    """One step problem of contact dynamics with friction.

    Problem(W=, q=, mu=)              u = W r + q
    Problem(M=, H=, f=, w=, mu=)      M v = f + H^T r,  u = H v + w

    Each contact owns d consecutive rows, normal component first; d follows from the sizes. Matrices may be NumPy arrays or
    anything of scipy.sparse. Further fields by keyword: G and b (joints), mu_r (rolling), v_minus, u_minus, e_n, e_t,
    hF, w_ob, gap, position, time, step, title. Bad input raises DelassusError with a sentence.
    """

    def __init__(self, *, W=None, q=None, mu=None, M=None, H=None, f=None, w=None, G=None, b=None,
                 title: str | None = None, time: float | None = None, step: float | None = None, **vectors) -> None:
        self._handle = c_void_p()
        if (W is None) == (M is None):
            raise DelassusError("give either W, q, mu or M, H, f, mu")
        given = {"mu": mu, "q": q, "f": f, "w": w, "b": b, **vectors}
        unknown = set(vectors) - set(_VECTORS)
        if unknown:
            raise DelassusError(f"there is no field '{sorted(unknown)[0]}'")
        needed = ("q", "mu") if M is None else ("f", "mu")
        for name in needed:
            if given[name] is None:
                raise DelassusError(f"{name}: missing")
        if M is not None and H is None:
            raise DelassusError("H: missing")
        matrices = {"W": W, "M": M, "H": H, "G": G}
        matrices = {name: as_csr(name, A) for name, A in matrices.items() if A is not None}
        arrays = {name: as_doubles(name, x).ravel() for name, x in given.items() if x is not None}
        rows = matrices["W" if M is None else "H"].shape[0]
        contacts = len(arrays["mu"])
        if contacts == 0 or rows % contacts:
            if rows or contacts:
                raise DelassusError(f"mu: {contacts} contacts for {rows} rows")
        d = rows // contacts if contacts else 3
        n = 0 if M is None else matrices["M"].shape[0]
        joints = matrices["G"].shape[0] if "G" in matrices else 0
        library.open(ctypes.byref(self._handle), contacts, d, n, joints, "mu_r" in arrays)
        for name, A in matrices.items():
            library.set_matrix(self._handle, name.encode(), *A.shape, A.indptr.ctypes.data, A.indices.ctypes.data, A.data.ctypes.data)
        arrays.update({name: as_doubles(name, [x]) for name, x in (("time", time), ("step", step)) if x is not None})
        for name, x in arrays.items():
            library.set_vector(self._handle, name.encode(), x.ctypes.data, len(x))
        library.close(self._handle, None if title is None else str(title).encode())

    @classmethod
    def _adopt(cls, handle: c_void_p) -> "Problem":
        problem = cls.__new__(cls)
        problem._handle = handle
        return problem

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.free(self._handle)
            self._handle = None

    def _size(self, name: str) -> int:
        return library.size(self._handle, name.encode())

    contacts = property(lambda self: self._size("contacts"), doc="how many contacts")
    d = property(lambda self: self._size("d"), doc="rows of a contact")
    m = property(lambda self: self._size("m"), doc="rows in all")
    n = property(lambda self: self._size("n"), doc="velocities; 0 in a local problem")
    joints = property(lambda self: self._size("joints"), doc="bilateral rows")
    rolling = property(lambda self: bool(self._size("rolling")), doc="whether there are rolling rows")

    @property
    def title(self) -> str:
        text = library.title(self._handle)
        return text.decode(errors="replace") if text else ""

    def vector(self, name: str) -> np.ndarray | None:
        """A copy of a field: mu, q, f, w, v_minus, solution_r, ...; None where the problem has none."""
        count = c_int()
        return copied(library.vector(self._handle, name.encode(), ctypes.byref(count)), count.value)

    def matrix(self, name: str) -> sparse.csr_matrix | None:
        """A copy of M, H, G or W, V, R; None where the problem has none."""
        rows, cols, p, j, x = c_int(), c_int(), ints(), ints(), doubles()
        if not library.matrix(self._handle, name.encode(), *map(ctypes.byref, (rows, cols, p, j, x))):
            return None
        pointers = copied(p, rows.value + 1, np.int32)
        count = int(pointers[-1])
        data = copied(x, count) if count else np.empty(0)
        indices = copied(j, count, np.int32) if count else np.empty(0, np.int32)
        return sparse.csr_matrix((data, indices, pointers), (rows.value, cols.value))

    def __getattr__(self, name: str):
        if name in _VECTORS or name in ("time", "step", "solution_r", "guess_r"):
            x = self.vector(name)
            return x if name not in ("time", "step") else float(x[0])
        if len(name) == 1 and name in "MHGWVR":
            return self.matrix(name)
        raise AttributeError(f"'Problem' has no '{name}'")

    def save(self, path: str | os.PathLike, r=None) -> None:
        """Writes .hdf5 (FCLIB), .dat (Siconos) or .mtx; with the answer r, where one is given."""
        answer = None if r is None else self._impulses(r)
        library.save(self._handle, os.fsencode(path), None if answer is None else answer.ctypes.data)

    def _impulses(self, r) -> np.ndarray:
        if r is None:
            return np.zeros(self.m)
        r = as_doubles("r", r).ravel()
        if len(r) != self.m:
            raise DelassusError(f"r: {len(r)} entries, should be {self.m}")
        if not np.all(np.isfinite(r)):
            k = int(np.argmin(np.isfinite(r)))
            raise DelassusError(f"r: entry {k} is {r[k]}")
        return r.copy()

    def __repr__(self) -> str:
        form = f"{self.n} velocities" if self.n else "local"
        return f"<delassus.Problem {self.title or 'untitled'}: {self.contacts} contacts of {self.d} rows, {form}>"


def as_problem(problem: Any) -> Problem:
    """What is no problem is refused before it comes near the library."""
    if not isinstance(problem, Problem):
        raise DelassusError(f"problem: a delassus.Problem is needed, not {type(problem).__name__}")
    return problem


def near(name: str, known: Iterable[str]) -> str:
    """The hint "(did you mean 'stack'?)" for a name that is misspelt, with a blank before; or nothing."""
    close = difflib.get_close_matches(name, list(known), 1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def load(path: str | os.PathLike) -> Problem:
    """Reads a snapshot, .hdf5 or .dat."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise DelassusError(f"path: the name of a file is needed, not {type(path).__name__}")
    handle = c_void_p()
    library.load(ctypes.byref(handle), os.fsencode(path))
    return Problem._adopt(handle)


def save(problem: Problem, path: str | os.PathLike, r=None) -> None:
    """problem.save(path, r)"""
    as_problem(problem).save(path, r)


def generate(name: str, **options) -> Problem:
    """A bundled generator: generate("stack", n=10, mu=0.3). `generators()` names them."""
    handle = c_void_p()
    settings = [f"{key}={value}" for key, value in options.items()]
    for setting in settings:
        if len(setting.split()) != 1:
            raise DelassusError(f"{name}: a blank in '{setting}'")
    if name not in generators():
        raise DelassusError(f"no generator '{name}'{near(str(name), generators())}; see delassus.generators()")
    library.generate(ctypes.byref(handle), name.encode(), " ".join(settings).encode())
    return Problem._adopt(handle)


def _list(kind: str) -> dict[str, str]:
    found: dict[str, str] = {}
    while (name := library.list(kind.encode(), len(found), b"name")) is not None:
        found[name.decode()] = library.list(kind.encode(), len(found), b"brief").decode()
    return found


def solvers() -> dict[str, str]:
    """Solvers of the library with a line about each."""
    return _list("solver")


def generators() -> dict[str, str]:
    """Generators of problems with a line about each."""
    return _list("generator")


def schemes() -> dict[str, str]:
    """Time-stepping schemes with a line about each."""
    return _list("scheme")
