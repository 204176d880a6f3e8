"""Judges tensorc.linalg by LAPACK's measures and by NumPy's values: linalg_cases.py [--seeds=N] [--table=FILE].

A case is one matrix of one dtype, shape and kind under one function. Each function gets the kinds of a shape as one batch. Residuals and
orthogonality are at most 30 n epsilon, relative to the matrix; values are within what an error of that size in the matrix makes of them.
Results have NumPy's dtypes and shapes. Where NumPy refuses a matrix, the result must not be finite. Exit status 1 below 99 %.
"""

import argparse
import collections
import sys

import numpy as np

import tensorc as tc

DTYPES = ["float32", "float64", "complex64", "complex128"]
SQUARES = [(0, 0), (1, 1), (2, 2), (3, 3), (8, 8), (33, 33)]
OTHERS = [(0, 2), (3, 0), (5, 3), (3, 5), (1, 4), (40, 1)]
KINDS = ["normal", "ill-conditioned", "rank-deficient", "huge", "tiny", "small integers", "zero", "defective", "not finite"]
FACTOR = 30


def drawn(random, kind, m, n, dtype):
    x = random.normal(size=(m, n))
    if dtype.startswith("complex"):
        x = x + 1j * random.normal(size=(m, n))
    k, single = min(m, n), dtype in ("float32", "complex64")
    if kind == "ill-conditioned" and k > 1:
        u, _, vh = np.linalg.svd(x, full_matrices=False)
        x = u * np.geomspace(1, 1e-4 if single else 1e-10, k) @ vh
    elif kind == "rank-deficient":
        x[: k // 2 + 1] = x[:1]
    elif kind == "huge":
        x *= 1e15 if single else 1e120
    elif kind == "tiny":
        x *= 1e-15 if single else 1e-120
    elif kind == "small integers":
        x = np.round(x * 2)
    elif kind == "zero":
        x *= 0
    elif kind == "defective" and k > 0:  # one eigenvalue, and few eigenvectors
        x = np.triu(x)
        np.fill_diagonal(x, x[0, 0])
    elif kind == "not finite" and x.size:
        x[random.integers(m), random.integers(n)] = random.choice([np.nan, np.inf, -np.inf])
    return x.astype(dtype)


def h(x):
    return x.conj().swapaxes(-1, -2)


def wide(x):
    return np.asarray(x).astype(np.complex128)


def norm(x):
    """Of the scaled elements: squares neither overflow nor vanish."""
    largest = np.max(abs(x), initial=0.0)
    return largest * np.linalg.norm(x / largest) if largest > 0 and np.isfinite(largest) else largest


class Case:
    """One matrix, what NumPy says of it, and what is allowed."""

    def __init__(self, a, random):
        self.a, self.w, self.random = a, wide(a), random
        self.m, self.n = a.shape
        self.is_finite = bool(np.isfinite(a).all())
        self.size = norm(self.w)
        self.unit = FACTOR * max(self.m, self.n, 1) * np.finfo(a.dtype).eps
        self.tiny = float(np.finfo(a.dtype).tiny)

    def near(self, x, scale):
        """|x| is within the measure, relative to the scale."""
        return norm(wide(x)) <= self.unit * scale + max(self.m, self.n) * self.tiny

    def orthonormal(self, q):
        return self.near(h(wide(q)) @ wide(q) - np.eye(q.shape[-1]), np.sqrt(max(q.shape[-1], 1)))

    @property
    def condition(self):
        if not self.is_finite:
            return np.inf
        s = np.linalg.svd(self.w / (self.size or 1), compute_uv=False)
        return np.inf if s.size and s[-1] == 0 else (s[0] / s[-1] if s.size else 1.0)


def is_finite(*results):
    return all(np.isfinite(np.asarray(r)).all() for r in results)


# A judge gets the case, NumPy's results or None where it refuses, and ours.


def by_factors(check, read=lambda a: a):
    """`read`: what of a matrix the function looks at."""

    def judge(c, theirs, *ours):
        with np.errstate(all="ignore"):
            counts = np.isfinite(read(c.w)).all()
        if not counts:
            return not is_finite(*ours)
        return is_finite(*ours) and bool(check(c, *(wide(y) for y in ours)))

    return judge


def qr(c, q, r):
    return c.orthonormal(q) and c.near(q @ r - c.w, c.size) and not np.tril(r, -1).any() and not np.diagonal(r).imag.any()


def svd(c, u, s, vh):
    expected = np.linalg.svd(c.w, compute_uv=False)
    return (c.orthonormal(u) and c.orthonormal(h(vh)) and c.near((u * s) @ vh - c.w, c.size) and c.near(s - expected, c.size)
            and np.all(np.diff(s.real) <= 0) and np.all(s.real >= 0))  # fmt: skip


def svdvals(c, s):
    return c.near(s - np.linalg.svd(c.w, compute_uv=False), c.size)


def hermitian(a):
    """What a function that reads the lower triangle takes a for."""
    low = np.tril(a, -1)
    return low + h(low) + np.diag(np.diagonal(a).real)


def eigh(c, w, v):
    a = hermitian(c.w)
    return c.orthonormal(v) and c.near(a @ v - v * w, norm(a)) and c.near(w - np.linalg.eigvalsh(a), norm(a))


def eigvalsh(c, w):
    a = hermitian(c.w)
    return c.near(w - np.linalg.eigvalsh(a), norm(a))


def eig(c, w, v):
    lengths = np.linalg.norm(v, axis=0)
    return c.near(c.w @ v - v * w, c.size) and c.near(lengths - 1, 1) and c.near(np.sum(w) - np.trace(c.w), c.size * max(c.n, 1))


def eigvals(c, w):
    return c.near(np.sum(w) - np.trace(c.w), c.size * max(c.n, 1))


def lu(c, p, lower, upper):
    p = p.real.astype(int)
    return (np.array_equal(np.sort(p), np.arange(c.m)) and c.near(lower @ upper - c.w[p], c.size)
            and np.all(abs(lower) <= 1 + c.unit) and not np.tril(upper, -1).any())  # fmt: skip


def cholesky(c, theirs, lower):
    if not is_finite(lower):
        return theirs is None or not c.is_finite or c.condition > 1 / c.unit
    scale = norm(hermitian(c.w))
    return c.is_finite and c.near(wide(lower) @ h(wide(lower)) - hermitian(c.w), scale) and not np.triu(lower, 1).any()


def near_theirs(c, theirs, y):
    """Of an infinite element: finite where NumPy's is."""
    return theirs is not None and is_finite(theirs) and np.allclose(y, theirs, rtol=1e-2 if c.unit > 1e-10 else 1e-9)


def inv(c, theirs, y):
    if not c.is_finite and is_finite(y):
        return near_theirs(c, theirs, y)
    if not is_finite(y):
        return theirs is None or not is_finite(theirs) or c.condition > 1 / c.unit
    return c.is_finite and c.near(c.w @ wide(y) - np.eye(c.n), norm(wide(y)) * c.size)


def solve(c, theirs, y):
    if not c.is_finite and is_finite(y):
        return near_theirs(c, theirs, y)
    if not is_finite(y):
        return theirs is None or not is_finite(theirs) or c.condition > 1 / c.unit
    return c.is_finite and c.near(c.w @ wide(y) - np.ones((c.n, 2)), norm(wide(y)) * c.size)


def det(c, theirs, y):
    if not is_finite(y) or not is_finite(theirs):
        return not is_finite(y) and (not is_finite(theirs) or not c.is_finite)
    with np.errstate(all="ignore"):
        rows = np.prod(np.linalg.norm(c.w / (c.size or 1), axis=1)) * (c.size**c.n if c.size else 1)  # Hadamard's bound
    logarithm = abs(np.log(abs(complex(theirs)) or 1))  # NumPy's is of the sum of pivots' logarithms
    return bool(abs(complex(y) - complex(theirs)) <= c.unit * rows + logarithm * c.unit * abs(complex(theirs)) + c.tiny)


def slogdet(c, theirs, sign, logarithm):
    if not c.is_finite:
        return not is_finite(sign, logarithm)
    if not is_finite(theirs[1]) or c.condition * c.unit > 0.1:  # any small number
        return not np.isnan(logarithm) and not np.isnan(sign)
    allowed = c.unit * c.condition + 1e-3 * c.unit * abs(theirs[1])
    return bool(abs(sign - theirs[0]) <= allowed and abs(logarithm - theirs[1]) <= allowed)


def equal(c, theirs, y):
    return theirs is None or bool(np.array_equal(y, theirs))


def close(c, theirs, y):
    if theirs is None or not is_finite(theirs):
        return not is_finite(y)
    return bool(np.all(abs(wide(y) - wide(theirs)) <= c.unit * np.max(abs(wide(theirs)), initial=0) + c.tiny))


def cond(c, theirs, y):
    if theirs is None or not is_finite(theirs) or theirs * c.unit > 0.1:
        return not is_finite(y) or y * c.unit > 0.01
    return bool(abs(y - theirs) <= c.unit * theirs**2)


def pinv(c, theirs, y):
    if not c.is_finite or not is_finite(theirs):
        return not is_finite(y) or c.a.size == 0
    y = wide(y)
    return is_finite(y) and c.near(c.w @ y @ c.w - c.w, c.size**2 * norm(y))


def lstsq(c, theirs, y):
    if not c.is_finite or theirs is None:
        return not is_finite(y) or c.a.size == 0
    b, y = np.ones((c.m, 2)), wide(y)
    ours, best = norm(c.w @ y - b), norm(c.w @ wide(theirs) - b)
    return is_finite(y) and bool(ours <= best + c.unit * (c.size * norm(y) + norm(b)) + 1e-2 * best)


def gram(x):
    """Positive definite as far as x has full rank."""
    return x @ h(x)


Function = collections.namedtuple("Function", "shapes ours numpy judge of", defaults=[None])
ALL = SQUARES + OTHERS
ITERATIVE = ("svd", "eig", "pinv", "lstsq", "cond", "matrix_rank", "matrix_norm nuc")
X = tc.linalg
ones = lambda x: tc.ones((x.shape[0], x.shape[-2], 2), dtype=x.dtype)  # noqa: E731
FUNCTIONS = {
    "cholesky": Function(SQUARES, X.cholesky, np.linalg.cholesky, cholesky, gram),
    "cholesky_ex": Function(SQUARES, lambda x: X.cholesky_ex(x)[0], np.linalg.cholesky, cholesky, gram),
    "solve": Function(SQUARES, lambda x: X.solve(x, ones(x)), lambda a: np.linalg.solve(a, np.ones((a.shape[0], 2), a.dtype)), solve),
    "solve_ex": Function(SQUARES, lambda x: X.solve_ex(x, ones(x))[0], lambda a: np.linalg.solve(a, np.ones((a.shape[0], 2), a.dtype)), solve),
    "inv": Function(SQUARES, X.inv, np.linalg.inv, inv),
    "det": Function(SQUARES, X.det, np.linalg.det, det),
    "slogdet": Function(SQUARES, X.slogdet, np.linalg.slogdet, slogdet),
    "lu": Function(ALL, X.lu, None, by_factors(lu)),
    "qr": Function(ALL, X.qr, np.linalg.qr, by_factors(qr)),
    "svd": Function(ALL, lambda x: X.svd(x, full_matrices=False), lambda a: np.linalg.svd(a, full_matrices=False), by_factors(svd)),
    "svdvals": Function(ALL, X.svdvals, lambda a: np.linalg.svd(a, compute_uv=False), by_factors(svdvals)),
    "eigh": Function(SQUARES, X.eigh, np.linalg.eigh, by_factors(eigh, hermitian)),
    "eigvalsh": Function(SQUARES, X.eigvalsh, np.linalg.eigvalsh, by_factors(eigvalsh, hermitian)),
    "eig": Function(SQUARES, X.eig, None, by_factors(eig)),
    "eigvals": Function(SQUARES, X.eigvals, None, by_factors(eigvals)),
    "pinv": Function(ALL, X.pinv, np.linalg.pinv, pinv),
    "lstsq": Function(OTHERS[2:] + SQUARES[1:], lambda x: X.lstsq(x, ones(x))[0],
                      lambda a: np.linalg.lstsq(a, np.ones((a.shape[0], 2), a.dtype), rcond=None)[0], lstsq),
    "cond": Function(ALL[1:6] + OTHERS[2:], X.cond, np.linalg.cond, cond),
    "matrix_rank": Function(ALL, X.matrix_rank, np.linalg.matrix_rank, equal),
    "matrix_norm fro": Function(ALL, X.matrix_norm, np.linalg.norm, close),
    "matrix_norm nuc": Function(ALL, lambda x: X.matrix_norm(x, ord="nuc"), lambda a: np.linalg.norm(a, "nuc"), close),
    "matrix_power 3": Function(SQUARES, lambda x: X.matrix_power(x, 3), lambda a: np.linalg.matrix_power(a, 3), close),
    "trace": Function(ALL, X.trace, np.trace, close),
}  # fmt: skip


def parts(results):
    return list(results) if isinstance(results, tuple) else [results]


def judged(name, shape, dtype, seed):
    """What is wrong, for each kind; None: nothing."""
    f, random = FUNCTIONS[name], np.random.default_rng([seed, *shape, DTYPES.index(dtype)])
    matrices = [drawn(random, kind, *shape, dtype) for kind in KINDS]
    with np.errstate(all="ignore"):
        if f.of:
            matrices = [f.of(a) for a in matrices]
        ours = [y.numpy() for y in parts(f.ours(tc.asarray(np.stack(matrices))))]
        for i, (kind, a) in enumerate(zip(KINDS, matrices)):
            text = f"{name} of {kind} {dtype}{list(shape)}"
            try:  # LAPACK's iterations may never end where an element is infinite
                ask = f.numpy and (not name.startswith(ITERATIVE) or np.isfinite(a).all())
                theirs = f.numpy(a) if ask else None
            except np.linalg.LinAlgError:
                theirs = None
            mine = [y[i] for y in ours]
            if theirs is not None:
                expected = [np.asarray(y) for y in parts(tuple(theirs) if isinstance(theirs, tuple) else theirs)]
                if [y.shape for y in mine] != [y.shape for y in expected]:
                    yield f"{text}: shapes {[y.shape for y in mine]}, NumPy's {[y.shape for y in expected]}"
                    continue
                if [y.dtype for y in mine] != [y.dtype for y in expected]:
                    yield f"{text}: dtypes {[y.dtype for y in mine]}, NumPy's {[y.dtype for y in expected]}"
                    continue
            yield None if f.judge(Case(a, random), theirs, *mine) else f"{text}: {[y.tolist() for y in mine] if a.size < 10 else ''}"


def run(seeds, names=None):
    """name -> (cases, agreeing ones), and what is wrong."""
    table, wrong = {}, []
    for name, f in FUNCTIONS.items():
        if names and name not in names:
            continue
        answers = [why for seed in range(seeds) for shape in f.shapes for dtype in DTYPES for why in judged(name, shape, dtype, seed)]
        table[name] = len(answers), sum(why is None for why in answers)
        wrong += [why for why in answers if why]
    return table, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    table, wrong = run(options.seeds, options.names)
    print(*wrong, sep="\n")
    cases, good = (sum(column) for column in zip(*table.values()))
    lines = ["| function | cases | agree |", "|---|---|---|"]
    lines += [f"| {name} | {count} | {100 * agree / count:.4g} % |" for name, (count, agree) in [*table.items(), ("all", (cases, good))]]
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(lines[-1])
    return good < 0.99 * cases


if __name__ == "__main__":
    sys.exit(main())
