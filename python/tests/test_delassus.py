# SPDX-License-Identifier: Apache-2.0
"""The package as a user calls it: right answers, sentences for bad input, no crash of the interpreter."""
import os
import resource
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sparse

import delassus
from delassus import DelassusError, Problem

ROOT = Path(__file__).resolve().parents[2]


def pushed_block():
    """One block of mass 2 on the floor, v_x = 1: see examples/solve_arrays.c. r = (0.1962, -0.0981) in closed form."""
    return dict(M=2 * np.eye(2), H=np.array([[0.0, 1], [1, 0]]), f=[2.0, -2 * 9.81 * 0.01], mu=[0.5])


class Jacobi:
    """Damped projected Jacobi in the plane."""

    def create(self, W, q, mu):
        self.W, self.q, self.mu, self.d = W, q, mu, W.blocksize[0]
        self.l = W.diagonal().reshape(-1, self.d).sum(1)

    def step(self, r):
        y = (self.W @ r + self.q).reshape(-1, self.d)
        y[:, 0] += self.mu * np.linalg.norm(y[:, 1:], axis=1)
        y = r.reshape(-1, self.d) - 0.5 / self.l[:, None] * y
        n, t = y[:, 0], np.linalg.norm(y[:, 1:], axis=1)
        face = np.maximum((n + self.mu * t) / (1 + self.mu**2), 0)
        out, free = t > self.mu * n, self.mu * t <= -n
        y[:, 1:][out] *= (self.mu * face / np.where(t > 0, t, 1))[out, None]
        y[out, 0] = face[out]
        y[free] = 0
        r[:] = y.ravel()


# --- problems ----------------------------------------------------------------------------

def test_closed_form_dense_and_sparse():
    for wrap in (np.asarray, sparse.csc_matrix, sparse.coo_matrix, np.asfortranarray):
        arrays = pushed_block()
        arrays["H"], arrays["M"] = wrap(arrays["H"]), wrap(arrays["M"])
        result = delassus.solve(Problem(**arrays))
        assert result.converged and result.contact_status.tolist() == ["slip"]
        np.testing.assert_allclose(result.r, [0.1962, -0.0981], rtol=1e-7)
        np.testing.assert_allclose(result.v, [0.95095, 0], atol=1e-8)


def test_local_equals_global():
    a = pushed_block()
    H, Minv = a["H"], np.linalg.inv(a["M"])
    local = Problem(W=H @ Minv @ H.T, q=H @ Minv @ a["f"], mu=a["mu"])
    np.testing.assert_allclose(delassus.solve(local).r, [0.1962, -0.0981], rtol=1e-7)
    assert local.n == 0 and local.M is None and local.d == 2


def test_non_contiguous_and_integer_arrays():
    big = np.zeros((8, 8))
    big[::2, ::2] = np.diag([2.0, 2, 2, 2])
    q = np.repeat([-1.0, 0, -1, 0], 2)[::2]
    result = delassus.solve(Problem(W=big[::2, ::2], q=q, mu=np.array([1, 0])))
    np.testing.assert_allclose(result.r, [0.5, 0, 0.5, 0], atol=1e-8)


@pytest.mark.parametrize("change, sentence", [
    (dict(q=[1.0]), "q: 1 entries, should be 2"),
    (dict(q=[np.nan, 0]), "q: entry 0 is nan"),
    (dict(mu=[-1.0]), "mu: entry 0 is -1"),
    (dict(mu=[0.1, 0.2, 0.3]), "3 contacts for 2 rows"),
    (dict(W=np.ones((2, 3))), "W: 2 x 3, should be 2 x 2"),
    (dict(W=np.ones(4)), "W: a matrix is needed"),
    (dict(W=[["a", "b"], ["c", "d"]]), "W: real numbers"),
    (dict(q=np.array([1j, 0])), "q: real numbers"),
    (dict(W=sparse.csr_matrix(np.eye(2) * 1j)), "W: real numbers"),
    (dict(W=np.array([[1, np.inf], [0, 1]])), "W: entry (0, 1) is inf"),
    (dict(q=None), "q: missing"),
    (dict(M=np.eye(2)), "either W"),
    (dict(nonsense=[1]), "no field 'nonsense'"),
    (dict(e_n=[2.0]), "e_n: entry 0 is 2"),
    (dict(gap=[1.0, 2]), "gap: 2 entries, should be 1"),
])
def test_bad_arrays_have_a_sentence(change, sentence):
    arrays = dict(W=np.eye(2), q=[-1.0, 0], mu=[0.5], **{})
    arrays.update(change)
    with pytest.raises(DelassusError) as caught:
        Problem(**arrays)
    assert sentence in str(caught.value)


def test_bad_calls_have_a_sentence(tmp_path):
    problem = Problem(**pushed_block())
    for call, sentence in [
        (lambda: delassus.load(tmp_path / "none.hdf5"), "none.hdf5"),
        (lambda: delassus.load(3), "name of a file is needed"),
        (lambda: delassus.generate("nonsense"), "no generator"),
        (lambda: delassus.generate("stak"), "did you mean 'stack'?"),
        (lambda: delassus.generate("stack", n="3 mu=7"), "a blank in"),
        (lambda: delassus.solve(problem, "psg"), "did you mean 'pgs'?"),
        (lambda: delassus.solve(problem, "./none.py"), "no such file"),
        (lambda: delassus.solve(problem, "./none.so"), "none.so"),
        (lambda: delassus.solve(problem, tol="small"), "tol: a number that is not negative is needed, not 'small'"),
        (lambda: delassus.solve(problem, tol=np.nan), "tol: a number"),
        (lambda: delassus.solve(problem, max_time=None), "max_time: a number"),
        (lambda: delassus.solve(problem, max_iter=2.5), "max_iter: a whole number"),
        (lambda: delassus.solve(problem, monitor=3), "monitor: a function is needed"),
        (lambda: delassus.solve(problem, r0=[0, np.nan]), "r: entry 1 is nan"),
        (lambda: delassus.judge(problem, [np.inf, 0]), "r: entry 0 is inf"),
        (lambda: delassus.judge(3, [0.0]), "delassus.Problem is needed"),
        (lambda: delassus.existence(3), "delassus.Problem is needed"),
        (lambda: delassus.save(3, "x.hdf5"), "delassus.Problem is needed"),
        (lambda: delassus.bench([], "pgs", folder=tmp_path / "c"), "files: none"),
        (lambda: delassus.generate("stack", n="many"), "n"),
        (lambda: delassus.solve(problem, "nonsense"), "no solver"),
        (lambda: delassus.solve(problem, "pgs:omega=99"), "omega"),
        (lambda: delassus.solve(problem, "pgs:nonsense"), "option=value"),
        (lambda: delassus.solve(problem, r0=[1.0]), "r: 1 entries, should be 2"),
        (lambda: delassus.solve(problem, tol=-1), "tol: a number that is not negative"),
        (lambda: delassus.solve(problem, measure="best"), "natural, merit, both or correction"),
        (lambda: delassus.solve("problem"), "delassus.Problem is needed"),
        (lambda: delassus.solve(problem, object()), "has no 'create'"),
        (lambda: delassus.solve(Problem(W=np.zeros((2, 2)), q=[-1.0, 0], mu=[0.5])), "W"),
    ]:
        with pytest.raises(DelassusError) as caught:
            call()
        assert sentence in str(caught.value)


def test_files_go_round(tmp_path):
    problem = delassus.generate("stack", n=4)
    result = delassus.solve(problem)
    problem.save(tmp_path / "stack.hdf5", result.r)
    again = delassus.load(tmp_path / "stack.hdf5")
    np.testing.assert_array_equal(again.solution_r, result.r)
    assert (again.M != problem.M).nnz == 0 and again.m == problem.m
    assert delassus.judge(again, again.solution_r).natural <= 1e-8


# --- runs --------------------------------------------------------------------------------

def test_result_tells_all():
    problem = delassus.generate("manufactured", contacts=20) if "manufactured" in delassus.generators() else delassus.generate("stack")
    seen = []
    result = delassus.solve(problem, "pgs", tol=1e-10, monitor=lambda *row: seen.append(row))
    assert result.converged and len(seen) == len(result.history)
    np.testing.assert_allclose(np.array(seen), result.history)
    assert result.history[-1, 2] <= 1e-10 < result.history[0, 2]
    assert len(result.contact_status) == problem.contacts and set(result.times) == {"build", "create", "solve", "check"}
    # Independently: u = W r + q by the arrays of the problem.
    if problem.n:
        M, H = problem.M.toarray(), problem.H
        v = np.linalg.solve(M, problem.f + H.T @ result.r)
        np.testing.assert_allclose(result.u, H @ v + problem.w, atol=1e-9 * abs(v).max())


def test_no_exception_without_convergence():
    result = delassus.solve(delassus.generate("stack", n=30), "pgs", tol=1e-14, max_iter=2)
    assert result.status == "max_iter" and result.message and not result.converged and result.natural > 1e-14


def test_monitor_stops_and_raises():
    problem = delassus.generate("stack", n=30)
    assert delassus.solve(problem, "pgs", tol=0, monitor=lambda *_: True).status == "stopped"
    with pytest.raises(ZeroDivisionError):
        delassus.solve(problem, "pgs", tol=0, monitor=lambda *_: 1 / 0)


def test_certify_and_existence():
    problem = delassus.generate("stack", n=3)
    assert delassus.certify(problem).certificate["natural"] < 1e-14
    assert delassus.existence(problem).verdict == "exists"


def test_ctrl_c():
    problem = delassus.generate("stack", n=60)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        delassus.solve(problem, "pgs", tol=0, max_time=30, monitor=lambda *_: time.sleep(0.02))  # some 10 s
    assert time.monotonic() - start < 5


# --- solvers in Python -------------------------------------------------------------------

def test_python_solver_under_the_driver():
    problem = delassus.generate("stack", n=4)
    result = delassus.solve(problem, Jacobi, tol=1e-6, max_time=20)
    assert result.converged
    np.testing.assert_allclose(result.u, delassus.solve(problem, tol=1e-12).u, atol=1e-4)


@pytest.mark.parametrize("step, raises", [
    (lambda self, r: 1 / 0, ZeroDivisionError),
    (lambda self, r: np.zeros(len(r) + 1), DelassusError),
    (lambda self, r: np.zeros((2, 2, 2)), DelassusError),
    (lambda self, r: self.W.data.__setitem__(0, 5.0), ValueError),  # read only
    (lambda self, r: sys.exit(1), SystemExit),
])
def test_bad_python_solvers_raise(step, raises):
    bad = type("Bad", (Jacobi,), {"step": step})
    with pytest.raises(raises):
        delassus.solve(delassus.generate("stack", n=4), bad, max_time=5)


def test_create_that_raises_or_refuses():
    problem = delassus.generate("stack", n=4)
    with pytest.raises(KeyError):
        delassus.solve(problem, type("Bad", (Jacobi,), {"create": lambda self, *_: {}["x"]}))
    assert delassus.solve(problem, type("Shy", (Jacobi,), {"create": lambda self, *_: False})).status == "unsupported"


def test_no_contacts_at_all():
    empty = Problem(W=np.zeros((0, 0)), q=[], mu=[])
    assert delassus.solve(empty, Jacobi).converged and delassus.solve(empty).converged


def test_garbage_answers_are_judged():
    problem = delassus.generate("stack", n=4)
    lie = type("Nan", (Jacobi,), {"step": lambda self, r: r.fill(np.nan)})
    assert delassus.solve(problem, lie).status == "diverged"
    done = type("Done", (Jacobi,), {"step": lambda self, r: True})
    assert delassus.solve(problem, done).status == "finished"


def test_file_solver(tmp_path):
    text = Path(ROOT / "python/examples/jacobi.py").read_text()
    (tmp_path / "mine.py").write_text(text)
    assert delassus.solve(delassus.generate("stack", n=4), str(tmp_path / "mine.py"), tol=1e-6).converged
    slow = delassus.solve(delassus.generate("stack", n=4), f"{tmp_path}/mine.py:omega=0.05", tol=1e-6)
    assert slow.iterations > delassus.solve(delassus.generate("stack", n=4), f"{tmp_path}/mine.py:omega=0.5", tol=1e-6).iterations
    for setting, sentence in (("omega", "option=value"), ("omega=99", "takes 0 ... 10"), ("omege=1", "did you mean 'omega'?")):
        with pytest.raises(DelassusError, match=sentence.replace("?", ".")):
            delassus.solve(delassus.generate("stack", n=4), f"{tmp_path}/mine.py:{setting}")
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(DelassusError):
        delassus.solve(delassus.generate("stack", n=4), str(tmp_path / "empty.py"))


# --- scenes, campaigns -------------------------------------------------------------------

def test_scene_falls_and_records(tmp_path):
    scene = delassus.Scene(2, mu=0.3)
    scene.plane((0, 0), (0, 2))
    ball = scene.ball(0.1, at=(0, 0.5), density=2)
    scene.box((0.2, 0.2), at=(1, 0.1))
    scene.polygon([(0, 0), (0.2, 0), (0.1, 0.2)], at=(2, 0.5))
    steps = list(scene.run(100, 0.005, record=tmp_path, every=50))
    # Before the first contact the fall is x = 0.5 - g t^2 / 2, within g h t of the scheme.
    t = steps[19].time
    assert abs(steps[19].position[ball, 1] - (0.5 - 9.81 * t * t / 2)) < 9.81 * 0.005 * t
    # It lies on the floor, within the way of one step at the speed of arrival, sqrt(2 g 0.4).
    assert steps[-1].position[ball, 1] == pytest.approx(0.1, abs=2.8 * 0.005) and steps[-1].unconverged == 0
    assert len(list(tmp_path.glob("*.hdf5"))) == 2
    assert delassus.solve(scene.problem()).converged
    with pytest.raises(DelassusError):
        scene.ball(1, at=(0, 0))


@pytest.mark.parametrize("call", [
    lambda s: s.ball(-1, at=(0, 0)), lambda s: s.ball(1, at=(np.nan, 0)), lambda s: s.box((1, 0), at=(0, 0)),
    lambda s: s.polygon([(0, 0), (1, 0)], at=(0, 0)), lambda s: s.polygon([(0, 0), (0, 1), (1, 0)], at=(0, 0)),
    lambda s: s.plane((0, 0), (0, 0)), lambda s: s.ball(1, at=(0, 0, 0, 0)),
])
def test_bad_scenes_have_a_sentence(call):
    scene = delassus.Scene(2)
    with pytest.raises(DelassusError):
        call(scene)
        scene.start(0.01)


def test_bench_rows(tmp_path):
    delassus.generate("stack", n=4).save(tmp_path / "stack.hdf5")
    rows = delassus.bench([tmp_path / "stack.hdf5"], ["pgs", str(ROOT / "python/examples/jacobi.py")], tol=1e-3, max_time=5,
                          folder=tmp_path / "campaign")
    assert {row["solver"]: row["status"] for row in rows} == {"pgs": "converged", "jacobi": "converged"}
    assert rows[0]["rolling"] is False and isinstance(rows[0]["time"], float) and rows[0]["contacts"] == 4
    with pytest.raises(DelassusError):
        delassus.bench([tmp_path / "none.hdf5"], "nonsense", folder=tmp_path / "other")


# --- many --------------------------------------------------------------------------------

def test_ten_thousand_solves_do_not_grow():
    problem = Problem(**pushed_block())
    for _ in range(500):
        delassus.solve(problem, "pgs")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(9500):
        delassus.solve(problem, "pgs")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 4096  # kB: a leak of one result (some 3 kB) a solve would be 30 MB


def test_other_threads_run_during_a_solve():
    """With the interpreter's lock held by the library the other thread would stand still for the whole solve."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    threading.Thread(target=tick).start()
    delassus.solve(delassus.generate("stack", n=200), "pgs", tol=0, max_time=0.5)
    done.set()
    assert len(ticks) >= 5  # some 50 on an idle machine


def test_four_threads_at_once():
    problem = delassus.generate("stack", n=20)
    expected = delassus.solve(problem, "pgs", tol=1e-6).r
    answers, errors = [], []

    def work():
        try:
            for name in ("pgs", "newton", "pgs"):
                answers.append((name, delassus.solve(problem, name, tol=1e-6)))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads: t.start()
    for t in threads: t.join()
    assert not errors and len(answers) == 12
    for name, result in answers:
        assert result.converged
        if name == "pgs":
            np.testing.assert_array_equal(result.r, expected)


# --- other engines -----------------------------------------------------------------------

def test_mujoco():
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string("""<mujoco><option timestep="0.01" cone="elliptic"/><worldbody>
        <geom type="plane" size="5 5 .1" friction="0.5 0 0"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2" friction="0.5 0 0"/></body>
        </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    data.qvel[0] = 1.0
    mujoco.mj_forward(model, data)
    problem = delassus.from_mujoco(model, data)
    assert problem.contacts == data.ncon == 4 and problem.n == 6
    result = delassus.solve(problem)
    # The floor carries the weight, and the box (which cannot tip) is braked by mu g h.
    assert result.converged and result.r[::3].sum() == pytest.approx(2 * 9.81 * 0.01, rel=1e-6)
    assert result.v[0] == pytest.approx(1 - 0.5 * 9.81 * 0.01, rel=1e-6)
    theirs = delassus.judge_mujoco(model, data, problem)
    assert theirs.natural > 1e-6 and theirs.relaxes  # another law, and labelled so


def test_pinocchio():
    pinocchio = pytest.importorskip("pinocchio")
    model = pinocchio.Model()
    joint = model.addJoint(0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "box")
    model.appendBodyToJoint(joint, pinocchio.Inertia.FromBox(2.0, 0.2, 0.2, 0.2), pinocchio.SE3.Identity())
    corners = [model.addFrame(pinocchio.Frame(f"c{k}", joint, 0, pinocchio.SE3(np.eye(3), np.array([x, y, -0.1])), pinocchio.FrameType.OP_FRAME))
               for k, (x, y) in enumerate([(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)])]
    v = np.zeros(6)
    v[0] = 1
    problem = delassus.from_pinocchio(model, model.createData(), [(c, (0, 0, 1), 0.5) for c in corners],
                                      q=pinocchio.neutral(model), v=v, h=0.01)
    result = delassus.solve(problem)
    assert result.converged and result.v[0] == pytest.approx(1 - 0.5 * 9.81 * 0.01, rel=1e-6)
