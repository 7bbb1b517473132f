# SPDX-License-Identifier: Apache-2.0
"""Scenes of rigid bodies: a run of steps, each solved by any solver."""
from __future__ import annotations

import ctypes
import os
import tempfile
from ctypes import c_int, c_void_p
from typing import Any, Iterator, Sequence

import numpy as np

from ._library import DelassusError, copied, library
from ._problem import Problem, as_doubles, load
from ._solve import _OpenSolver


def _three(name: str, x: Sequence[float]) -> np.ndarray:
    x = as_doubles(name, x).ravel()
    if len(x) not in (2, 3):
        raise DelassusError(f"{name}: 2 or 3 numbers are needed")
    return np.append(x, 0.0) if len(x) == 2 else x


class Step:
    """One step of a scene, as it was when it ended."""

    def __init__(self, scene: "Scene") -> None:
        number = scene._number
        self.time, self.contacts, self.iterations = number("time"), int(number("contacts")), int(number("iterations"))
        self.natural, self.unconverged = number("natural"), int(number("unconverged"))
        self.kinetic, self.potential, self.dissipated = number("kinetic"), number("potential"), number("dissipated")
        self.position, self.velocity = scene.position, scene._array("velocity")
        self.r, self.u = scene._array("r"), scene._array("u")

    def __repr__(self) -> str:
        return f"<delassus.Step t={self.time:.6g}, {self.contacts} contacts, natural {self.natural:.1e}>"


class Scene:
    """Rigid bodies with gravity, obstacles and one law of contact.

        scene = Scene(2, mu=0.3)
        scene.plane((0, 0), (0, 1))
        ball = scene.ball(0.1, at=(0, 1))
        for step in scene.run(steps=100, h=0.005):
            print(step.time, step.position[ball])
    """

    def __init__(self, dim: int = 2, *, mu: float = 0.0, e_n: float = 0.0, e_t: float = 0.0, mu_r: float = 0.0,
                 gravity: Sequence[float] | None = None) -> None:
        if dim not in (2, 3):
            raise DelassusError("dim: 2 or 3")
        if not (mu >= 0 and mu_r >= 0 and 0 <= e_n <= 1 and 0 <= e_t <= 1):
            raise DelassusError("mu and mu_r must not be negative, e_n and e_t lie in [0, 1]")
        self.dim, self._law = dim, (mu, e_n, e_t, mu_r)
        self._gravity = _three("gravity", gravity if gravity is not None else ((0, -9.81, 0) if dim == 2 else (0, 0, -9.81)))
        self._bodies: list[tuple] = []
        self._planes: list[tuple] = []
        self._handle, self._solver = c_void_p(), None

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.scene_free(self._handle)
        if getattr(self, "_solver", None):
            library.solver_free(self._solver.handle)

    def _add(self, at, velocity, spin, *call) -> int:
        if self._handle:
            raise DelassusError("the scene has started: no more bodies")
        spin = (0, 0, spin) if np.ndim(spin) == 0 else spin
        state = np.concatenate([_three("at", at), _three("velocity", velocity), _three("spin", spin)])
        self._bodies.append((state, *call))
        return len(self._bodies) - 1

    def ball(self, radius: float, at, *, density: float = 1.0, velocity=(0, 0, 0), spin=0.0) -> int:
        """A disk or sphere; returns the number of the body. Density is mass per volume, in the plane per area."""
        return self._add(at, velocity, spin, "ball", float(radius), float(density))

    def box(self, edges, at, *, density: float = 1.0, velocity=(0, 0, 0), spin=0.0, angle: float = 0.0) -> int:
        """A rectangle or box, turned by `angle` about z."""
        return self._add(at, velocity, spin, "box", _three("edges", edges), float(density), float(angle))

    def polygon(self, corners, at, *, density: float = 1.0, velocity=(0, 0, 0), spin=0.0, angle: float = 0.0) -> int:
        """A convex polygon in the plane, corners counterclockwise; its centre of mass comes to `at`."""
        points = as_doubles("corners", corners)
        if points.ndim != 2 or points.shape[1] != 2:
            raise DelassusError("corners: rows of two numbers are needed")
        flat = np.ascontiguousarray(np.column_stack([points, np.zeros(len(points))]))
        return self._add(at, velocity, spin, "polygon", flat, float(density), float(angle))

    def plane(self, point, normal, *, velocity=(0, 0, 0)) -> int:
        """A half-space; bodies stay on the side of its normal. It may move with a constant velocity."""
        if self._handle:
            raise DelassusError("the scene has started: no more obstacles")
        self._planes.append((_three("point", point), _three("normal", normal), _three("velocity", velocity)))
        return len(self._planes) - 1

    def start(self, h: float, *, scheme: str = "moreau", solver: Any = "pgs", tol: float = 1e-10, max_time: float = 10.0) -> None:
        """Fixes the scene and its time step; `run` calls it."""
        if self._handle:
            raise DelassusError("the scene has started")
        handle = c_void_p()
        library.scene_open(ctypes.byref(handle), self.dim, len(self._bodies), len(self._planes), self._law[3] > 0)
        try:
            library.scene_law(handle, *self._law)
            library.scene_gravity(handle, self._gravity.ctypes.data)
            for state, kind, *rest in self._bodies:
                if kind == "ball":
                    library.scene_ball(handle, *rest, state.ctypes.data)
                elif kind == "box":
                    library.scene_box(handle, rest[0].ctypes.data, rest[1], state.ctypes.data, rest[2])
                else:
                    library.scene_polygon(handle, len(rest[0]), rest[0].ctypes.data, rest[1], state.ctypes.data, rest[2])
            for plane in self._planes:
                library.scene_plane(handle, *(x.ctypes.data for x in plane))
            self._solver = _OpenSolver(solver)
            library.scene_start(handle, scheme.encode(), self._solver.handle, tol, max_time, h)
        except BaseException:
            library.scene_free(handle)
            raise
        self._handle = handle

    def step(self) -> Step:
        """One time step."""
        if not self._handle:
            raise DelassusError("the scene has not started")
        try:
            library.scene_step(self._handle)
        except DelassusError:
            if self._solver.made and self._solver.made.error:
                raise self._solver.made.error
            raise
        return Step(self)

    def run(self, steps: int, h: float, *, record: str | os.PathLike | None = None, every: int = 1, **start) -> Iterator[Step]:
        """Steps one after the other. `record` is a folder for snapshots of every k-th step that has contacts; further
        keywords are those of `start`."""
        if not self._handle:
            self.start(h, **start)
        if record is not None:
            os.makedirs(record, exist_ok=True)
        for k in range(1, steps + 1):
            step = self.step()
            if record is not None and k % every == 0 and step.contacts:
                self.record(os.path.join(record, f"step-{int(self._number('steps')):05d}.hdf5"))
            yield step

    def record(self, path: str | os.PathLike) -> None:
        """Writes the last step problem with its answer as a snapshot."""
        if not self._handle:
            raise DelassusError("the scene has not started")
        library.scene_record(self._handle, os.fsencode(path))

    def problem(self) -> Problem:
        """The last step problem."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.hdf5")
            self.record(path)
            return load(path)

    @property
    def position(self) -> np.ndarray:
        """Centres of the bodies, one row each."""
        if not self._handle:
            return np.array([state[:3] for state, *_ in self._bodies]).reshape(-1, 3)
        return self._array("position").reshape(-1, 3)

    def _number(self, name: str) -> float:
        return library.scene_number(self._handle, name.encode())

    def _array(self, name: str) -> np.ndarray | None:
        count = c_int()
        pointer = library.scene_array(self._handle, name.encode(), ctypes.byref(count))
        return copied(pointer, count.value)
