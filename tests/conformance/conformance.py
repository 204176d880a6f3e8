"""Judges the lazy interface by NumPy or PyTorch: values, dtypes, shapes, and which inputs are refused.

conformance.py LIBRARY_FOLDER [--judge=numpy|torch] [--cases=N per op] [--seed=S] [--only=OP] [--table=FILE]
Exit status 1 if fewer than 99 % of the cases agree, an op has none that does, or NumPy's cases compiled fewer than 30
fusions of a kind; 77 if the judge is not installed.
"""

import argparse
import collections
import importlib.util
import os
import pathlib
import re
import shutil
import sys
import tempfile
import warnings

import numpy as np

from binding import OF_NUMPY, Library, Refused
from draw import Draw

BATCH = 24
KINDS = ["loop", "row", "column", "contraction", "scan", "sort", "scatter"]
LEAST_OF_KIND = 0.45  # for each case of an op
TORCH = (2, 4)  # the first with rms_norm


class Tally:
    def __init__(self):
        self.cases = self.passed = self.refusals = 0
        self.failures = []

    def fail(self, text, why):
        self.failures.append(f"{text}: {why}")


def attempt(function, errors):
    """(value, None) or (None, message)."""
    try:
        return function(), None
    except errors as error:
        return None, str(error).splitlines()[0] if str(error) else type(error).__name__


def tolerance(expected, error):
    if callable(error):
        return np.broadcast_to(np.asarray(error(expected), np.float64), expected.shape)
    if error == 0 or expected.dtype.kind != "f":
        return np.zeros(expected.shape)
    magnitude = np.abs(np.where(np.isfinite(expected), expected, 0))
    return error * np.spacing(np.maximum(magnitude, np.finfo(expected.dtype).tiny)).astype(np.float64)


def difference(got, expected, error):
    """None, or what differs."""
    expected = np.asarray(expected)
    if got.shape != expected.shape:
        return f"shape {got.shape}, the judge {expected.shape}"
    if got.dtype != expected.dtype:
        return f"dtype {got.dtype}, the judge {expected.dtype}"
    same = (got == expected) | ((got != got) & (expected != expected))
    if same.all():
        return None
    if expected.dtype.kind != "f":
        where = np.argwhere(~same)[0]
        return f"{got[tuple(where)]}, the judge {expected[tuple(where)]} at {where.tolist()}"
    bound = tolerance(expected, error)
    with np.errstate(all="ignore"):
        apart = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    wrong = ~same & ~(apart <= bound)
    # Rounding to infinity and to the largest number are neighbours.
    if not wrong.any():
        return None
    where = tuple(np.argwhere(wrong)[0])
    return f"{got[where]!r}, the judge {expected[where]!r} at {list(map(int, where))}, allowed {bound[where]:.3g}"


def judge(lib, case, draw, tally, count):
    pending = []
    for _ in range(count):
        text, ours, theirs, error = case(draw, lib)
        tally.cases += 1
        expected, refused = attempt(theirs, (ValueError, TypeError, IndexError, RuntimeError))
        tensor, message = attempt(ours, Refused)
        if refused is None and message is None:
            pending.append((text, tensor, expected, error))
        elif refused is not None and message is not None:
            tally.passed += 1
            tally.refusals += 1
        elif refused is None:
            tally.fail(text, f"refused: {message}")
        else:
            tally.fail(text, f"not refused by us, but by the judge: {refused}")
    for start in range(0, len(pending), BATCH):
        batch = pending[start : start + BATCH]
        _, message = attempt(lambda: lib.eval([t for _, t, _, _ in batch]), Refused)  # noqa: B023
        for text, tensor, expected, error in batch:
            if message is not None:
                got, alone = attempt(tensor.numpy, Refused)
                if alone is not None:
                    tally.fail(text, f"fails when evaluated: {alone}")
                    continue
            else:
                got = tensor.numpy()
            why = difference(got, expected, error)
            if why is None:
                tally.passed += 1
            else:
                tally.fail(text, why)


def take_kinds(folder, counts):
    """Counts the fusions of each kind that were compiled since, and removes what TENSORC_DUMP wrote of them."""
    for compilation in pathlib.Path(folder).iterdir():
        for path in compilation.glob("*fuse.mlir"):
            counts.update(re.findall(r'tx\.fusion "(\w+)"', path.read_text()))
        shutil.rmtree(compilation)


def table(tallies):
    lines = ["| op | cases | refused by both | agree |", "|---|---|---|---|"]
    for name, t in sorted(tallies.items()):
        lines.append(f"| {name} | {t.cases} | {t.refusals} | {100 * t.passed / t.cases:.4g} % |")
    cases, passed = sum(t.cases for t in tallies.values()), sum(t.passed for t in tallies.values())
    lines.append(f"| all | {cases} | {sum(t.refusals for t in tallies.values())} | {100 * passed / cases:.4g} % |")
    return "\n".join(lines) + "\n"


def cases_of(judge):
    """None: the judge is not installed."""
    if judge == "numpy":
        import array_cases
        import cases
        import indexing_cases  # noqa: F401  adds to those of cases
        import scan_cases

        ops = cases.OPS | array_cases.OPS | scan_cases.OPS
        if importlib.util.find_spec("ml_dtypes") is None:
            print("f8 and 4-bit integers are not judged: ml_dtypes is not installed")
            return ops
        import storage_cases

        return ops | storage_cases.OPS
    if importlib.util.find_spec("torch") is None:
        return None
    import torch

    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < TORCH:
        return None
    import torch_cases

    torch_cases.torch.set_num_threads(1)
    return torch_cases.OPS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--judge", choices=["numpy", "torch"], default="numpy")
    parser.add_argument("--cases", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--table")
    options = parser.parse_args()
    ops = cases_of(options.judge)
    if ops is None:
        print("skipped: PyTorch 2.4 or newer is not installed")
        return 77
    with tempfile.TemporaryDirectory() as dumps:
        os.environ["TENSORC_DUMP"] = dumps
        return run(options, ops, dumps)


def run(options, ops, dumps):
    lib = Library(options.folder)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    assert OF_NUMPY
    tallies, kinds = {}, collections.Counter({kind: 0 for kind in KINDS})
    for i, name in enumerate(ops):
        if options.only and name not in options.only.split(","):
            continue
        tallies[name] = Tally()
        judge(lib, ops[name], Draw([options.seed, i]), tallies[name], options.cases)
        take_kinds(dumps, kinds)
        for failure in tallies[name].failures[:4]:
            print(failure)
    cases, passed = sum(t.cases for t in tallies.values()), sum(t.passed for t in tallies.values())
    if options.table:
        with open(options.table, "w", encoding="utf-8") as f:
            f.write(table(tallies))
    print(f"{len(tallies)} ops, {cases} cases, {passed} agree ({100 * passed / max(1, cases):.2f} %)")
    print("fusions compiled:", ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    few = options.judge == "numpy" and not options.only and min(kinds.values()) < LEAST_OF_KIND * options.cases
    return int(few or passed < 0.99 * cases or any(t.passed == 0 for t in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
