# SPDX-License-Identifier: Apache-2.0
"""Delassus: contact problems with friction, their solvers, and one judge.

    import delassus
    problem = delassus.Problem(W=W, q=q, mu=mu)     # or M=, H=, f=, mu=;  load(path);  generate("stack", n=10)
    result = delassus.solve(problem, "auto", tol=1e-8)
    print(result.status, result.natural, result.r)
"""
from ._bench import bench, program
from ._engines import from_mujoco, from_pinocchio, judge_mujoco, mujoco_answer
from ._library import DelassusError, library
from ._problem import Problem, generate, generators, load, save, schemes, solvers
from ._scene import Scene, Step
from ._solve import Existence, Result, Solver, certify, existence, judge, load_solver, solve

__version__ = library.version().decode()
__all__ = ["Problem", "Result", "Existence", "Scene", "Step", "Solver", "DelassusError", "load", "save", "generate",
           "solve", "judge", "certify", "existence", "bench", "program", "solvers", "generators", "schemes", "load_solver",
           "from_mujoco", "mujoco_answer", "judge_mujoco", "from_pinocchio"]
