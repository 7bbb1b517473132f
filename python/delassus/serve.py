# SPDX-License-Identifier: Apache-2.0
"""Speaks the protocol of docs/protocol.md for a class in a Python file: `delassus solve FILE --solver ./mine.py`.

The file has a class `Solver` with `create(W, q, mu)` and `step(r)`. Optional members: `name`, `brief`, `cite`,
`version`; `one_call = True` where
`step` works to the tolerance by itself (it then gets `solve(r, tol, seconds)` instead of `step(r)`); `claimed` after a step,
True or False for solved or not, or its own error in the judge's measure; `note`, a text; `options = {name: (default, least,
most, help)}`, set as attributes; and `missing`, a sentence, where the file cannot work here."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def say(line: str, out=sys.stdout) -> None:
    print(line, file=out, flush=True)


def introduce(cls) -> None:
    say(f"name {getattr(cls, 'name', cls.__module__.replace('_', '-'))}")
    say(f"brief {getattr(cls, 'brief', 'a class in Python')}")
    say("takes delassus")
    for word in ("cite", "version"):
        if getattr(cls, word, None):
            say(f"{word} {getattr(cls, word)}")
    if getattr(cls, "one_call", False):
        say("one-call")
    for name, (default, least, most, text) in getattr(cls, "options", {}).items():
        say(f"option {name} {default} {least} {most} {text}")
    missing = getattr(cls, "missing", None)
    say(f"unsupported {missing}" if missing else "hello")


def load(solver, path: str):
    import delassus
    problem = delassus.load(path)
    if problem.m == 0:
        return None  # the judge is content with nothing
    return solver.create(problem.W.tobsr((problem.d, problem.d)), problem.q, problem.mu)


def go(solver, impulses: str, tol: float, seconds: float) -> None:
    import numpy as np
    r = np.fromfile(impulses)
    if getattr(solver, "one_call", False):
        answer = solver.solve(r, tol, seconds)
    else:
        answer = solver.step(r)
    if isinstance(answer, np.ndarray):
        r, answer = answer, False
    np.asarray(r, dtype=float).tofile(impulses)
    claimed, note = getattr(solver, "claimed", None), getattr(solver, "note", None)
    if isinstance(claimed, bool):
        say("claim solved" if claimed else "claim failed")
    elif claimed is not None:
        say(f"claim {claimed:.17g}")
    if note:
        say(f"note {note}")
    say("done" if answer else "more")


def serve(path: str) -> None:
    out = os.fdopen(os.dup(1), "w")  # what the class prints must not be taken for an answer
    os.dup2(2, 1)
    globals()["say"].__defaults__ = (out,)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    import importlib.util
    stem = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cls, solver, impulses = module.Solver, None, ""
    settings = {}
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "delassus":
            introduce(cls)
        elif word == "set":
            settings[rest[0]] = float(rest[1])
        elif word == "load":
            solver, impulses = cls(), rest[1]
            for name, (default, *_) in getattr(cls, "options", {}).items():
                setattr(solver, name, settings.get(name, default))
            taken = load(solver, rest[0])
            refusal = taken if isinstance(taken, str) else "it refuses the problem"
            say(f"unsupported {refusal}" if taken is False or isinstance(taken, str) else "ready")
        elif word == "go":
            go(solver, impulses, float(rest[0]), float(rest[1]))
        elif word == "quit":
            break


if __name__ == "__main__":
    serve(sys.argv[1])
