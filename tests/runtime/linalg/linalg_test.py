#!/usr/bin/env python3
"""Factorizations and solvers by LAPACK's measures: linalg_test.py TENSORC DEVICE.

Residuals and orthogonality are at most 30 n epsilon, relative to the matrix (LAPACK working note 41).
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TENSORC, DEVICE = sys.argv[1], sys.argv[2]
R = np.random.default_rng(5)
CASES = []  # (op, words, arrays, shape of the result, check)


def case(op, arrays, shape, check, words=""):
    for dtype in (np.float32, np.float64):
        CASES.append((op, words, [np.asarray(a, dtype) for a in arrays], tuple(shape), check))


def norm(x):
    return np.linalg.norm(x, axis=(-2, -1)) if x.size else np.zeros(x.shape[:-2])


def t(x):
    return np.swapaxes(x, -2, -1)


def epsilon(x):
    return np.finfo(x.dtype).eps


def small(what, residual, scale, x):
    """|residual| <= 30 n epsilon scale, for each matrix."""
    n = max(*x.shape[-2:], 1)
    ratio = norm(residual.astype(np.float64)) / (np.maximum(scale, np.finfo(x.dtype).tiny) * n * epsilon(x))
    if ratio.size and not np.max(ratio) <= 30:
        return f"{what}: {np.max(ratio):.1f} n epsilon"


def orthogonal(what, q):
    n = q.shape[-1]
    return small(what, t(q) @ q - np.eye(n), np.sqrt(max(n, 1)), q) if n else None


def wide(*arrays):
    return [a.astype(np.float64) for a in arrays]


def positive(shape):
    x = R.normal(size=shape)
    return x @ t(x) + np.eye(shape[-1])


def check_cholesky(x, y):
    a, l = wide(x, y)
    return small("residual", l @ t(l) - a, norm(a), x) or (np.any(np.triu(y, 1)) and "not lower")


def check_upper(x, y):
    return check_cholesky(x, t(y))


def check_solve(a, b, y):
    m, v, r = wide(a, y, b)
    return small("residual", m @ v - r, norm(m) * norm(v) + norm(r), a)


def check_lu(x, y):
    m, n = x.shape[-2:]
    k = min(m, n)
    f = y[..., :n].astype(np.float64)
    order = y[..., n].astype(int)
    lower = np.tril(f[..., :k], -1) + np.eye(m, k)
    upper = np.triu(f[..., :k, :])
    if not np.array_equal(np.sort(order, -1), np.broadcast_to(np.arange(m), order.shape)):
        return "no permutation"
    moved = np.take_along_axis(x, order[..., None], -2).astype(np.float64)
    return small("residual", lower @ upper - moved, norm(x.astype(np.float64)), x) or (np.any(np.abs(lower) > 1) and "no pivoting")


def check_qr(x, y, complete=False):
    m, n = x.shape[-2:]
    k = m if complete else min(m, n)
    q, r = y[..., :k], y[..., :k, k:]
    a, b, c = wide(q, r, x)
    return (orthogonal("orthogonality", q) or small("residual", a @ b - c, norm(c), x) or
            (np.any(np.tril(r, -1)) and "not upper") or (np.any(y[..., k:, k:]) and "not 0"))  # fmt: skip


def check_complete(x, y):
    return check_qr(x, y, True)


def check_svd(x, y):
    m, n = x.shape[-2:]
    u, s, v = y[..., :m, :], y[..., m, :], y[..., m + 1 :, :]
    a, b, c, d = wide(u, s, v, x)
    if np.any(np.diff(s) > 0) or np.any(s < 0):
        return "values are not sorted"
    return orthogonal("u", u) or orthogonal("v", v) or small("residual", (a * b[..., None, :]) @ t(c) - d, norm(d), x)


def check_eigh(x, y):
    w, v = y[..., 0, :], y[..., 1:, :]
    a = np.tril(x).astype(np.float64)
    a = a + t(np.tril(a, -1))
    b, c = wide(w, v)
    if np.any(np.diff(w) < 0):
        return "values are not sorted"
    return orthogonal("vectors", v) or small("residual", a @ c - c * b[..., None, :], norm(a), x)


def check_determinant(x, y):
    sign, logarithm = np.linalg.slogdet(x.astype(np.float64))
    tolerance = 1e3 * epsilon(x)
    with np.errstate(over="ignore"):
        wanted = np.linalg.det(x.astype(np.float64)).astype(x.dtype)
    good = (np.array_equal(y[..., 0], sign.astype(x.dtype)) and np.allclose(y[..., 1], logarithm, rtol=tolerance, atol=tolerance)
            and np.allclose(y[..., 2], wanted, rtol=tolerance, atol=tolerance))  # fmt: skip
    return None if good else f"{y} for {sign}, {logarithm}, {wanted}"


def is_nan(*arrays):
    return None if np.isnan(arrays[-1]).all() else "should be NaN"


def triangular(words):
    def check(a, b, y):
        m = np.triu(a) if "upper" in words else np.tril(a)
        if "unit" in words:
            m = m - np.eye(m.shape[-1], dtype=m.dtype) * m + np.eye(m.shape[-1], dtype=m.dtype)
        return check_solve(t(m) if "transposed" in words else m, b, y)

    return check


def check_tridiagonal(d, b, y):
    n = d.shape[-1]
    m = np.zeros((*d.shape[:-2], n, n), d.dtype)
    for i in range(n):
        for k in range(3):
            if 0 <= i + k - 1 < n:
                m[..., i, i + k - 1] = d[..., k, i]
    return check_solve(m, b, y)


def hilbert(n):
    i = np.arange(n)
    return 1.0 / (i[:, None] + i + 1)


# Up to 32 rows the library works on as many matrices at once as a vector has elements.
for shape in [(0, 0), (1, 1), (5, 5), (37, 37), (2, 3, 8, 8), (0, 4, 4), (80, 80), (19, 32, 32), (33, 3, 3)]:
    n = shape[-1]
    batch, b = shape[:-2], R.normal(size=(*shape[:-1], 3))
    x, spd = R.normal(size=shape), positive(shape)
    case("cholesky", [spd], shape, check_cholesky)
    case("cholesky", [spd], shape, check_upper, "upper")
    case("solve", [x, b], b.shape, check_solve)
    case("lu", [x], (*batch, n, n + 1), check_lu)
    case("determinant", [x], (*batch, 3), check_determinant)
    case("eigh", [x], (*batch, n + 1, n), check_eigh)
    for words in ("", "upper", "transposed", "unit", "upper transposed unit"):
        case("triangular_solve", [x / 8 + 2 * np.eye(n), b], b.shape, triangular(words), words)
    case("tridiagonal_solve", [R.normal(size=(*batch, 3, n)), b], b.shape, check_tridiagonal)
low_rank = R.normal(size=(9, 2)) @ R.normal(size=(2, 7))
for x in [*(R.normal(size=s) for s in [(0, 3), (3, 0), (1, 1), (7, 3), (3, 7), (2, 5, 4), (70, 66)]), low_rank, np.zeros((4, 3)), hilbert(8)]:
    batch, (m, n) = x.shape[:-2], x.shape[-2:]
    k = min(m, n)
    case("qr", [x], (*batch, m, k + n), check_qr)
    case("qr", [x], (*batch, m, m + n), check_complete, "complete")
    case("svd", [x], (*batch, m + 1 + n, k), check_svd)
    case("lu", [x], (*batch, m, n + 1), check_lu)
case("eigh", [hilbert(8)], (9, 8), check_eigh)
case("eigh", [np.ones((5, 5))], (6, 5), check_eigh)
case("solve", [hilbert(6), np.ones((6, 1))], (6, 1), check_solve)
case("determinant", [np.ones((3, 3))], (3,), lambda x, y: None if y[2] == 0 and y[1] == -np.inf else "not 0")
broken = np.full((3, 3), np.nan)
for op, rows in (("cholesky", 3), ("svd", 7), ("eigh", 4)):
    case(op, [broken], (rows, 3), is_nan)
case("cholesky", [-np.eye(3)], (3, 3), is_nan)
case("svd", [np.full((2, 2), np.inf)], (5, 2), is_nan)
# One bad matrix of a batch is not the others' business.
mixed = np.stack([np.eye(3), -np.eye(3), 4 * np.eye(3)])
case("cholesky", [mixed], (3, 3, 3), lambda x, y: is_nan(y[1]) or check_cholesky(x[::2], y[::2]))


# And a matrix becomes the same, whatever its batch.
batch, single = positive((21, 7, 7)), []
sides = R.normal(size=(21, 7, 40))
# One row is exchanged in some matrices, another one in others; one is singular.
turned = batch[:, R.permutation(7)] * R.normal(size=(21, 7, 1))
turned[4, 2] = turned[4, 5]


def alone(wanted):
    def check(*arrays):
        single.append(arrays[-1])

    def compare(*arrays):
        one = single.pop(0)
        return None if np.array_equal(arrays[-1][wanted : wanted + 1], one, equal_nan=True) else "another one alone"

    return check, compare


for op, arrays in (("cholesky", [batch]), ("solve", [turned, sides[..., :2]]), ("solve", [turned, sides]),
                   ("triangular_solve", [batch, sides[..., :1]])):  # fmt: skip
    check, compare = alone(13)
    for dtype in (np.float32, np.float64):
        for some, judge in ((slice(13, 14), check), (slice(None), compare)):
            given = [a[some].astype(dtype) for a in arrays]
            CASES.append((op, "", given, given[-1].shape, judge))


def type_of(shape, dtype):
    return f"tensor<{''.join(f'{s}x' for s in shape)}{'f32' if dtype == np.float32 else 'f64'}>"


def program():
    arguments, body, results, types = [], [], [], []
    for i, (op, words, arrays, shape, _) in enumerate(CASES):
        dtype = arrays[0].dtype
        operands = [f"%a{i}_{k}" for k in range(len(arrays))]
        of = [type_of(a.shape, dtype) for a in arrays]
        arguments += [f'{o}: {s} {{tx.name = "{o[1:]}"}}' for o, s in zip(operands, of)]
        body.append(f"%r{i} = tx.{op} {', '.join(operands)} {words} : ({', '.join(of)}) -> {type_of(shape, dtype)}")
        results.append(f"%r{i}")
        types.append(type_of(shape, dtype))
    named = ", ".join(f'{s} {{tx.name = "r{i}"}}' for i, s in enumerate(types))
    return (f"func.func @main({', '.join(arguments)}) -> ({named}) {{\n  " + "\n  ".join(body) +
            f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")  # fmt: skip


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.mlir").write_text(program())
        np.savez(folder / "inputs.npz", **{f"a{i}_{k}": a for i, c in enumerate(CASES) for k, a in enumerate(c[2])})
        subprocess.run([TENSORC, "run", folder / "program.mlir", f"--device={DEVICE}", f"--input={folder / 'inputs.npz'}",
                        f"--output-dir={folder / 'out'}"], check=True)  # fmt: skip
        for i, (op, words, arrays, _, check) in enumerate(CASES):
            got = np.load(folder / "out" / f"r{i}.npy")
            if why := check(*arrays, got):
                failed += 1
                print(f"{op} {words} of {' and '.join(map(str, (a.shape for a in arrays)))} {arrays[0].dtype}: {why}")
    print(f"{len(CASES)} cases, {failed} wrong")
    return failed > 0


sys.exit(main())
