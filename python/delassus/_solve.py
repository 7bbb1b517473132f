# SPDX-License-Identifier: Apache-2.0
"""Runs: solve, judge, certify, existence."""
from __future__ import annotations

import ctypes
import importlib.util
import os
import threading
import typing
from ctypes import c_char_p, c_double, c_int, c_void_p
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np
import scipy.sparse as sparse

from ._library import Create, DelassusError, Destroy, Functions, Monitor, Step, Terms, copied, library
from ._problem import Problem, as_problem, near, solvers

STATUSES = ("open", "stick", "slip")
_MEASURES = {"natural": 0, "merit": 1, "both": 2, "correction": 3}
_FINISHED, _FAILED = 1, -3


class Solver(typing.Protocol):
    """What a solver in Python looks like. `create` may return False to refuse the problem; `step` changes r in place and
    may return True when there is nothing left to do. The driver judges after each step."""

    def create(self, W: sparse.bsr_matrix, q: np.ndarray, mu: np.ndarray) -> Any: ...

    def step(self, r: np.ndarray) -> Any: ...


@dataclass
class Result:
    """An answer and all that the judge says of it."""
    status: str  #: "converged", or how the run ended short of it
    r: np.ndarray  #: impulses, m
    u: np.ndarray  #: local velocities, m
    v: np.ndarray | None  #: velocities, n; None in a local problem
    lambda_: np.ndarray | None  #: multipliers of joints
    natural: float  #: |r - P_K(r - u~)| / |q|
    merit: float  #: the same in units of energy
    contact_status: np.ndarray  #: of each contact: "open", "stick", "slip"
    contact_work: np.ndarray  #: r.u_bar of each contact, where u^- is known
    energy: dict[str, float]  #: work, normal, tangential, free_work, kinetic_minus, kinetic_plus, defect
    measures: dict[str, float]  #: bipotential, penetration, cone_excess, signorini, angle, momentum
    iterations: int
    times: dict[str, float]  #: build, create, solve, check, in seconds
    history: np.ndarray  #: rows of iteration, time, natural, merit
    message: str  #: a sentence where it did not converge
    note: str  #: what the solver wishes to tell
    relaxes: str  #: how the law that was solved differs from Coulomb's, or ""
    claimed: float  #: a foreign solver's own error; a mere verdict is the tolerance (solved) or infinity; NaN where it says nothing
    certificate: dict[str, float] = field(default_factory=dict)

    @property
    def converged(self) -> bool:
        """Whether the judge found the residual below the tolerance."""
        return self.status == "converged"

    def __repr__(self) -> str:
        return (f"<delassus.Result {self.status} after {self.iterations} iterations, natural {self.natural:.1e}, "
                f"merit {self.merit:.1e}, {self.times['build'] + self.times['create'] + self.times['solve']:.3g} s>")


def _result(handle: c_void_p) -> Result:
    number = lambda name: library.number(handle, name.encode())
    text = lambda name: library.text(handle, name.encode()).decode(errors="replace")
    count = c_int()

    def array(name):
        pointer = library.array(handle, name.encode(), ctypes.byref(count))
        return copied(pointer, count.value)

    kinds = copied(library.contact_statuses(handle, ctypes.byref(count)), count.value, np.int64)
    history = array("history")
    return Result(
        status=library.status_name(library.result_status(handle)).decode(),
        r=array("r"), u=array("u"), v=array("v"), lambda_=array("lambda"),
        natural=number("natural"), merit=number("merit"),
        contact_status=np.array(STATUSES)[kinds],
        contact_work=array("work_of"),
        energy={k: number(k) for k in ("work", "normal", "tangential", "free_work", "kinetic_minus", "kinetic_plus", "defect")},
        measures={k: number(k) for k in ("bipotential", "penetration", "cone_excess", "signorini", "angle", "momentum")},
        iterations=int(number("iterations")),
        times={k: number(k + "_time") for k in ("build", "create", "solve", "check")},
        history=np.empty((0, 4)) if history is None else history.reshape(-1, 4),
        message=text("message"), note=text("note"), relaxes=text("relaxes"), claimed=number("claimed"),
    )


def load_solver(path: str | os.PathLike) -> type:
    """The class `Solver` of a Python file."""
    if not os.path.isfile(path):
        raise DelassusError(f"solver '{path}': there is no such file")
    spec = importlib.util.spec_from_file_location("delassus_solver_file", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "Solver"):
        raise DelassusError(f"{path}: no class 'Solver'")
    return module.Solver


def _from_file(path: str, *settings: str) -> Any:
    """An object of the class in a file, with the options that it declares: "mine.py:omega=0.3"."""
    solver = load_solver(path)()
    table = getattr(solver, "options", {})
    for name, (default, *_) in table.items():
        setattr(solver, name, default)
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise DelassusError(f"{path}: '{setting}' is not of the form option=value")
        if name not in table:
            raise DelassusError(f"{path} has no option '{name}'{near(name, table)}")
        _, least, most, *_ = table[name]
        try:
            value = float(text)
        except ValueError:
            value = np.nan
        if not least <= value <= most:
            raise DelassusError(f"{path}: option {name} takes {least:g} ... {most:g}, not '{text}'")
        setattr(solver, name, value)
    return solver


class _Made:
    """A Python solver behind C functions. An exception ends the run, and is raised when it has ended."""

    def __init__(self, solver: Any) -> None:
        self.solver = solver() if isinstance(solver, type) else solver
        self.error: BaseException | None = None
        for name in ("create", "step"):
            if not callable(getattr(self.solver, name, None)):
                raise DelassusError(f"solver: {type(self.solver).__name__} has no '{name}'")
        self.functions = Functions(Create(self._create), Step(self._step), Destroy(0), None)

    def _guard(self, call: Callable[[], int]) -> int:
        try:
            return call()
        except BaseException as error:  # nothing may pass through the library
            self.error = error
            return _FAILED

    def _create(self, _, contacts, d, p, j, x, q, mu) -> int:
        def call() -> int:
            at = np.ctypeslib.as_array
            pointers = at(p, (contacts + 1,))
            blocks = int(pointers[-1])
            m = contacts * d
            arrays = [at(x, (blocks, d, d)), at(j, (blocks,)), at(q, (m,)), at(mu, (contacts,))]
            for array in arrays:
                array.flags.writeable = False  # they are the library's
            W = sparse.bsr_matrix((arrays[0], arrays[1], pointers), (m, m), blocksize=(d, d))
            return 8 if self.solver.create(W, arrays[2], arrays[3]) is False else 0
        return self._guard(call)

    def _step(self, _, r, m, tol, seconds, judged) -> int:
        def call() -> int:
            mine = np.ctypeslib.as_array(r, (m,))
            answer = self.solver.step(mine)
            if isinstance(answer, np.ndarray):
                if answer.shape != (m,):
                    raise DelassusError(f"step returned an array of shape {answer.shape}, not ({m},)")
                mine[:] = answer
                return 0
            return _FINISHED if answer else 0
        return self._guard(call)


class _OpenSolver:
    """A solver handle, freed at the end."""

    def __init__(self, solver: Any) -> None:
        self.handle, self.made = c_void_p(), None
        if isinstance(solver, os.PathLike):
            solver = os.fspath(solver)
        if isinstance(solver, str) and solver.split(":")[0].endswith(".py"):
            solver = _from_file(*solver.split(":"))
        if isinstance(solver, str):
            name = solver.split(":")[0]
            if "/" not in name and name not in solvers():
                raise DelassusError(f"no solver '{name}'{near(name, solvers())}; see delassus.solvers()")
            library.solver_open(ctypes.byref(self.handle), solver.encode())
        else:
            self.made = _Made(solver)
            name = type(self.made.solver).__name__
            library.solver_made(ctypes.byref(self.handle), name.encode(), ctypes.byref(self.made.functions))

    def __enter__(self) -> "_OpenSolver":
        return self

    def __exit__(self, *_) -> None:
        library.solver_free(self.handle)


def interruptible(call: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """Runs the call so that Ctrl-C works: in a thread of its own while the main thread waits. `stop` asks it to end."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    outcome: dict[str, Any] = {}
    ended = threading.Event()  # Thread.join may return too early once it was interrupted

    def run() -> None:
        try:
            outcome["value"] = call()
        except BaseException as error:
            outcome["error"] = error
        finally:
            ended.set()

    threading.Thread(target=run, daemon=True).start()
    interrupt = None
    while not ended.is_set():  # what the run uses must outlive it, whatever comes
        try:
            ended.wait()
        except KeyboardInterrupt as caught:
            interrupt = caught
            stop()
    if interrupt:
        raise interrupt
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


def _run(function, problem: Problem, solver, tol, max_time, max_iter, measure, seed, r0, monitor) -> Result:
    as_problem(problem)
    if measure not in _MEASURES:
        raise DelassusError(f"measure: natural, merit, both or correction, not {measure!r}")
    for name, value in (("tol", tol), ("max_time", max_time), ("max_iter", max_iter), ("seed", seed)):
        whole = name in ("max_iter", "seed")
        if not isinstance(value, (int, np.integer) if whole else (int, float, np.integer, np.floating)) or not value >= 0:
            raise DelassusError(f"{name}: {'a whole number' if whole else 'a number'} that is not negative is needed, not {value!r}")
    if monitor is not None and not callable(monitor):
        raise DelassusError(f"monitor: a function is needed, not {type(monitor).__name__}")
    start, cancel, errors = problem._impulses(r0), c_int(0), []

    def watch(_, iteration, time, natural, merit) -> int:
        try:
            return bool(monitor(iteration, time, natural, merit))
        except BaseException as error:
            errors.append(error)
            return 1

    terms = Terms(tol, max_time, max_iter, seed, _MEASURES[measure], ctypes.pointer(cancel),
                  Monitor(watch) if monitor else Monitor(0), None)
    handle = c_void_p()
    with _OpenSolver(solver) as opened:
        def stop() -> None:
            cancel.value = 1
        try:
            interruptible(lambda: function(ctypes.byref(handle), problem._handle, opened.handle, ctypes.byref(terms),
                                           start.ctypes.data), stop)
            result = _result(handle)
        finally:
            library.result_free(handle)
        error = opened.made.error if opened.made else None
        if errors or error:
            raise error or errors[0]
    return result


def solve(problem: Problem, solver: Any = "auto", *, tol: float = 1e-8, max_time: float = 60.0, max_iter: int = 0,
          measure: str = "natural", seed: int = 0, r0=None,
          monitor: Callable[[int, float, float, float], Any] | None = None) -> Result:
    """Runs a solver and has its answer judged.

    `solver` is a name with options ("pgs:omega=1.2"), a file ("./mine.so", "./mine.py", a program), or an object or class
    with `create` and `step`. `monitor(iteration, time, natural, merit)` is called at each check; a true result stops the
    run. That a run does not converge is no error: see result.status. Ctrl-C stops it and raises KeyboardInterrupt."""
    return _run(library.solve, problem, solver, tol, max_time, max_iter, measure, seed, r0, monitor)


def judge(problem: Problem, r) -> Result:
    """The judge's opinion of impulses from anywhere."""
    handle, mine = c_void_p(), as_problem(problem)._impulses(r)
    library.judge(ctypes.byref(handle), problem._handle, mine.ctypes.data)
    try:
        result = _result(handle)
    finally:
        library.result_free(handle)
    result.status = "judged"
    return result


def certify(problem: Problem, solver: Any = "auto", *, tol: float = 1e-14, max_time: float = 60.0, r0=None) -> Result:
    """Solves and refines in extended precision; result.certificate has the residuals found there."""
    def call(out, *rest):
        status = library.certify(out, *rest)
        numbers.update({k: library.number(out._obj, (k + "_extended").encode()) for k in ("natural", "merit")})
        return status
    numbers: dict[str, float] = {}
    result = _run(call, problem, solver, tol, max_time, 0, "natural", 0, r0, None)
    result.certificate = numbers
    return result


@dataclass
class Existence:
    """What is known about the existence of a solution before solving."""
    verdict: str  #: "unknown", "exists", "not guaranteed", "none"
    sentence: str
    margin: float  #: of the admissible motion that was found

    def __bool__(self) -> bool:
        return self.verdict == "exists"


def existence(problem: Problem, *, max_time: float = 10.0) -> Existence:
    """Whether the problem has a solution, as far as that can be told."""
    text, code, margin = c_char_p(), c_int(), c_double()
    library.existence(as_problem(problem)._handle, max_time, ctypes.byref(text), ctypes.byref(code), ctypes.byref(margin))
    return Existence(("unknown", "exists", "not guaranteed", "none")[code.value], text.value.decode(), margin.value)
