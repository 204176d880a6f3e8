#!/usr/bin/env python3
"""Factorizations and solvers by LAPACK's measures: linalg_test.py TENSORC DEVICE [EVERY].

Residuals and orthogonality are at most 30 n epsilon, relative to the matrix (LAPACK working note 41).
ROCm's libraries get every second case: their calls are CUDA's under other names, and each takes its turn. Drivers of OpenCL and Vulkan
compile each kernel on the CPU, so they get every 41st case, without those whose block needs more memory than it is sure of. With EVERY, only
every EVERY-th case is compared.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TENSORC, DEVICE, EVERY = sys.argv[1], sys.argv[2], int((sys.argv[3:] or [1])[0])
NUMBER = itertools.count()
R = np.random.default_rng(5)
CASES = []  # (op, words, arrays, shape of the result, check)


def case(op, arrays, shape, check, words=""):
    if next(NUMBER) % EVERY:
        return
    complex_ones = any(np.iscomplexobj(a) for a in arrays)
    dtypes = (np.complex64, np.complex128) if complex_ones else (np.float32, np.float64)
    for dtype in dtypes[len(CASES) % 2 :][:1] if DEVICE.startswith("rocm") else dtypes:
        CASES.append((op, words, [np.asarray(a, dtype) for a in arrays], tuple(shape), check))


def normal(size, part):
    """Real, or with `part` 1j complex."""
    return R.normal(size=size) + part * R.normal(size=size) if part else R.normal(size=size)


def norm(x):
    return np.linalg.norm(x, axis=(-2, -1)) if x.size else np.zeros(x.shape[:-2])


def t(x):
    return np.swapaxes(x, -2, -1)


def h(x):
    return t(x).conj()


def epsilon(x):
    return np.finfo(x.dtype).eps


def small(what, residual, scale, x):
    """|residual| <= 30 n epsilon scale, for each matrix."""
    n = max(*x.shape[-2:], 1)
    ratio = norm(*wide(residual)) / (np.maximum(scale, np.finfo(x.dtype).tiny) * n * epsilon(x))
    if ratio.size and not np.max(ratio) <= 30:
        return f"{what}: {np.max(ratio):.1f} n epsilon"


def orthogonal(what, q):
    n = q.shape[-1]
    return small(what, h(q) @ q - np.eye(n), np.sqrt(max(n, 1)), q) if n else None


def wide(*arrays):
    return [a.astype(np.complex128 if np.iscomplexobj(a) else np.float64) for a in arrays]


def positive(shape, part=0):
    x = normal(shape, part)
    return x @ h(x) + np.eye(shape[-1])


def check_cholesky(x, y):
    a, l = wide(x, y)
    return small("residual", l @ h(l) - a, norm(a), x) or (np.any(np.triu(y, 1)) and "not lower")


def check_upper(x, y):
    return check_cholesky(x, h(y))


def check_info(x, y):
    """Of matrices that have a factor, and of those that have none from a row on."""
    if why := check_cholesky(x, y[..., :-1]):
        return why
    return "info" if y[..., -1].any() else None


def check_solve(a, b, y):
    m, v, r = wide(a, y, b)
    return small("residual", m @ v - r, norm(m) * norm(v) + norm(r), a)


def check_lu(x, y):
    m, n = x.shape[-2:]
    k = min(m, n)
    (f,) = wide(y[..., :n])
    order = y[..., n].real.astype(int)
    lower = np.tril(f[..., :k], -1) + np.eye(m, k)
    upper = np.triu(f[..., :k, :])
    if not np.array_equal(np.sort(order, -1), np.broadcast_to(np.arange(m), order.shape)):
        return "no permutation"
    (moved,) = wide(np.take_along_axis(x, order[..., None], -2))
    return small("residual", lower @ upper - moved, norm(*wide(x)), x) or (np.any(np.abs(lower) > 1 + 4 * epsilon(x)) and "no pivoting")


def check_qr(x, y, complete=False):
    m, n = x.shape[-2:]
    k = m if complete else min(m, n)
    q, r = y[..., :k], y[..., :k, k:]
    a, b, c = wide(q, r, x)
    return (orthogonal("orthogonality", q) or small("residual", a @ b - c, norm(c), x) or
            (np.any(np.tril(r, -1)) and "not upper") or
            (np.any(np.diagonal(r, axis1=-2, axis2=-1).imag) and "not real") or (np.any(y[..., k:, k:]) and "not 0"))  # fmt: skip


def check_complete(x, y):
    return check_qr(x, y, True)


def check_svd(x, y):
    m, n = x.shape[-2:]
    u, s, v = y[..., :m, :], y[..., m, :].real, y[..., m + 1 :, :]
    a, b, c, d = wide(u, s, v, x)
    if np.any(np.diff(s) > 0) or np.any(s < 0):
        return "values are not sorted"
    return orthogonal("u", u) or orthogonal("v", v) or small("residual", (a * b[..., None, :]) @ h(c) - d, norm(d), x)


def check_eigh(x, y):
    w, v = y[..., 0, :].real, y[..., 1:, :]
    (a,) = wide(np.tril(x, -1))
    a = a + h(a) + x.real * np.eye(x.shape[-1])
    b, c = wide(w, v)
    if np.any(np.diff(w) < 0):
        return "values are not sorted"
    return orthogonal("vectors", v) or small("residual", a @ c - c * b[..., None, :], norm(a), x)


def check_eig(x, y):
    b, c, a = wide(y[..., 0, :], y[..., 1:, :], x)
    lengths = np.linalg.norm(c, axis=-2, keepdims=True) - 1
    return small("residual", a @ c - c * b[..., None, :], norm(a), x) or small("length", lengths, np.ones(x.shape[:-2]), x)


def check_determinant(x, y):
    with np.errstate(over="ignore"):
        wanted = np.linalg.det(*wide(x)).astype(x.dtype)
    # Which parts of a complex number are infinite depends on the order of the factors.
    good = np.isclose(y, wanted, rtol=1e3 * epsilon(x), atol=1e3 * epsilon(x)) | ~(np.isfinite(y) | np.isfinite(wanted))
    return None if np.all(good) else f"{y} for {wanted}"


def check_logarithm(x, y):
    sign, logarithm = np.linalg.slogdet(*wide(x))
    tolerance = 1e3 * epsilon(x)
    good = np.allclose(y[..., 0], sign, atol=tolerance) and np.allclose(y[..., 1], logarithm, rtol=tolerance, atol=tolerance)
    return None if good else f"{y} for {sign}, {logarithm}"


def check_cofactors(x, y):
    (a,) = wide(x)
    n = x.shape[-1]
    wanted = np.zeros_like(a)
    for i in range(n):
        for j in range(n):
            wanted[..., i, j] = (-1) ** (i + j) * np.linalg.det(np.delete(np.delete(a, i, -2), j, -1))
    return None if np.allclose(y, wanted, rtol=0, atol=1e3 * n * epsilon(x) * np.max(abs(wanted), initial=1)) else f"{y} for {wanted}"


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
SQUARES = [(0, 0), (1, 1), (5, 5), (37, 37), (2, 3, 8, 8), (0, 4, 4), (80, 80), (19, 32, 32), (33, 3, 3)]
for part, shape in [(0, shape) for shape in SQUARES] + [(1j, shape) for shape in SQUARES[:-2]]:
    n = shape[-1]
    batch, b = shape[:-2], normal((*shape[:-1], 3), part)
    x, spd = normal(shape, part), positive(shape, part)
    case("cholesky", [spd], shape, check_cholesky)
    case("cholesky", [spd], shape, check_upper, "upper")
    case("cholesky", [spd], (*batch, n, n + 1), check_info, "info")
    case("solve", [x, b], b.shape, check_solve)
    case("lu", [x], (*batch, n, n + 1), check_lu)
    case("determinant", [x], batch, check_determinant)
    case("determinant", [x], (*batch, 2), check_logarithm, "logarithm")
    case("eigh", [x], (*batch, n + 1, n), check_eigh)
    case("eig", [x], (*batch, n + 1, n), check_eig)
    if n <= 5:
        case("cofactors", [x], shape, check_cofactors)
    for words in ("", "upper", "transposed", "unit", "upper transposed unit"):
        case("triangular_solve", [x / 8 + 2 * np.eye(n), b], b.shape, triangular(words), words)
    case("tridiagonal_solve", [normal((*batch, 3, n), part), b], b.shape, check_tridiagonal)
low_rank = R.normal(size=(9, 2)) @ R.normal(size=(2, 7))
SHAPES = [(0, 3), (3, 0), (1, 1), (7, 3), (3, 7), (2, 5, 4), (70, 66)]
for x in [*(normal(s, part) for part in (0, 1j) for s in SHAPES), low_rank, low_rank * (1 + 2j), np.zeros((4, 3)), hilbert(8)]:
    batch, (m, n) = x.shape[:-2], x.shape[-2:]
    k = min(m, n)
    case("qr", [x], (*batch, m, k + n), check_qr)
    case("qr", [x], (*batch, m, m + n), check_complete, "complete")
    case("svd", [x], (*batch, m + 1 + n, k), check_svd)
    case("lu", [x], (*batch, m, n + 1), check_lu)
case("eigh", [hilbert(8)], (9, 8), check_eigh)
case("eigh", [np.ones((5, 5))], (6, 5), check_eigh)
case("solve", [hilbert(6), np.ones((6, 1))], (6, 1), check_solve)
case("determinant", [np.ones((3, 3))], (), lambda x, y: None if y == 0 else "not 0")
case("determinant", [np.ones((3, 3))], (2,), lambda x, y: None if y[0] == 0 and y[1] == -np.inf else "not 0", "logarithm")
# Of rank n - 1, and n - 2; a pivot of 0 before the last one.
for x in (low_rank[:3, :3], np.diag([1.0, 0, 0]), np.eye(3, k=1), np.zeros((1, 1)), np.zeros((2, 2))):
    for part in (1, 1 + 1j):
        case("cofactors", [x * part], x.shape, check_cofactors)
for x in (np.eye(4, k=1), np.triu(np.ones((5, 5))), np.array([[1, 1e6], [1e-6, 1]]), np.zeros((3, 3))):
    case("eig", [x], (len(x) + 1, len(x)), check_eig)
for broken in (np.full((3, 3), np.nan), np.full((3, 3), np.nan) + 0j):
    for op, rows in (("cholesky", 3), ("svd", 7), ("eigh", 4), ("eig", 4)):
        case(op, [broken], (rows, 3), is_nan)
case("cholesky", [np.diag([1.0, 2, -3, 4])], (4, 5), lambda x, y: None if y[0, 4] == 3 and np.isnan(y[:, :4]).all() else "no info", "info")
case("cholesky", [-np.eye(3)], (3, 3), is_nan)
case("svd", [np.full((2, 2), np.inf)], (5, 2), is_nan)
# The same of more rows than small matrices have, and of complex ones.
for part in (0, 1j):
    last = np.diag([1.0] * 39 + [-1.0]) + 0 * part
    case("cholesky", [last], (40, 41), lambda x, y: None if y[0, 40] == 40 and not y[1:, 40].any() and np.isnan(y[:, :40]).all() else "no info", "info")
    some = np.stack([positive((40, 40), part), last, positive((40, 40), part)])
    case("cholesky", [some], some.shape, lambda x, y: is_nan(y[1]) or check_upper(x[::2], y[::2]), "upper")
    case("cholesky", [np.diag([1.0] * 39 + [np.inf]) + 0 * part], (40, 40), is_nan)
    column = normal((3, 40, 1), part)
    case("solve", [some, column], column.shape, check_solve)
    case("solve", [some[0], column[0]], (40, 1), check_solve)
    case("solve", [np.zeros((40, 40)) * (1 + part), column[0]], (40, 1), lambda a, b, y: "finite" if np.isfinite(y).any() else None)
    case("lu", [some], (3, 40, 41), check_lu)
    for words in ("", "transposed"):
        case("triangular_solve", [some + 9 * np.eye(40), column], column.shape, triangular(words), words)
# One bad matrix of a batch is not the others' business.
mixed = np.stack([np.eye(3), -np.eye(3), 4 * np.eye(3)])
case("cholesky", [mixed], (3, 3, 3), lambda x, y: is_nan(y[1]) or check_cholesky(x[::2], y[::2]))


def but_for(bad, check):
    """The matrices `bad` of a batch have no finite result, and the others are right."""

    def judge(*arrays):
        if any(np.isfinite(arrays[-1][i]).all() for i in bad):
            return "finite"
        return check(*(np.delete(a, bad, 0) for a in arrays))

    return judge


# Factors of groups: none, less than one, one that is not full, several; matrices of zeros, with a zero pivot, and ones that are not finite
# among others.
for part in (0, 1j):
    for m, n in ((1, 1), (2, 2), (3, 3), (8, 8), (17, 17), (32, 32), (1, 9), (9, 1), (16, 5), (5, 16), (32, 31), (3, 32)):
        k = min(m, n)
        for count in (0, 5, 17):
            x = normal((count, m, n), part)
            x[:, range(k), range(k)] = 0 if k > 1 else 1 + part  # rows that need an exchange
            bad, broken = x.copy(), [9, 16]
            if count > 5:
                bad[2], bad[4, :, 0], bad[9, m - 1, 0], bad[16, m - 1, n - 1] = 0, 0, np.nan, np.inf
                bad[7, m // 2 :] = bad[7, : m - m // 2]
            else:
                broken = []
            whole = lambda *arrays, broken=broken: [np.delete(a, broken, 0) for a in arrays]  # noqa: E731
            case("lu", [bad], (count, m, n + 1), lambda x, y, whole=whole: check_lu(*whole(x, y)))
            case("qr", [bad], (count, m, k + n), but_for(broken, check_qr))
            case("qr", [bad], (count, m, m + n), but_for(broken, check_complete), "complete")
            if m == n:
                case("determinant", [bad], (count,), lambda x, y, whole=whole: check_determinant(*whole(x, y)))
                case("determinant", [x], (count, 2), check_logarithm, "logarithm")
                case("determinant", [x * 1e-15], (count,), check_determinant)
                case("determinant", [np.zeros((count, n, n)) * (1 + part)], (count, 2),
                     lambda x, y: None if not y[:, 0].any() and (y[:, 1] == -np.inf).all() else "not 0", "logarithm")  # fmt: skip
# Complex matrices as groups: none, less than one, one that is not full, several.
for n in (1, 2, 3, 8, 17, 32):
    for count in (0, 1, 5, 33):
        shape, b = (count, n, n), normal((count, n, n if count == 5 else 2), 1j)
        x, spd = normal(shape, 1j), positive(shape, 1j)
        # Of rows that need an exchange in each step.
        x[:, range(n), range(n)] = 0 if n > 1 else 1 + 2j
        # What is above the diagonal, and the diagonal's imaginary part, is not read.
        lower = np.where(np.tri(n, k=-1) > 0, spd, np.nan)
        lower.imag[:, range(n), range(n)] = np.inf
        lower.real[:, range(n), range(n)] = spd[:, range(n), range(n)].real
        read = lambda check, spd=spd: lambda x, y: check(spd.astype(x.dtype), y)  # noqa: E731
        for words, check in (("", check_cholesky), ("upper", check_upper)):
            case("cholesky", [lower], shape, read(check), words)
        case("solve", [x, b], b.shape, check_solve)
        case("solve", [x, np.broadcast_to(np.eye(n) + 0j, shape)], shape, check_solve)
        for words in ("", "upper", "transposed", "unit", "upper transposed unit"):
            case("triangular_solve", [x / 8 + 2 * np.eye(n), b], b.shape, triangular(words), words)
        if count > 5:
            # Singular ones, and ones that are not finite, among others.
            bad = x.copy()
            bad[2], bad[4, :, 0], bad[19, n - 1, 0] = 0, 0, np.nan
            bad[32, n - 1, n - 1] = 1j * np.nan
            case("solve", [bad, b], b.shape, but_for([2, 4, 19, 32], check_solve))
            bad = x / 8 + 2 * np.eye(n)
            bad[2], bad[4, 0, 0], bad[19, n - 1, 0], bad[32, n - 1, n - 1] = 0, 0, np.nan, 1j * np.nan
            case("triangular_solve", [bad, b], b.shape, but_for([2, 4, 19, 32], triangular("")))
            bad = spd.copy()
            bad[0], bad[7], bad[18, n - 1, n - 1], bad[31, n - 1, 0] = 0, -bad[7], np.inf, 1j * np.nan if n > 1 else np.nan
            case("cholesky", [bad], shape, lambda x, y: is_nan(y[[0, 7, 18, 31]]) or but_for([0, 7, 18, 31], check_cholesky)(x, y))
            case("cholesky", [bad], shape, but_for([0, 7, 18, 31], check_upper), "upper")
# What our own loops promise, and a vendor's library need not. Squares of these numbers are no numbers of c64.
OWN = DEVICE in ("cpu", "reference")
for size in (1e-30, 1e30) if OWN else ():
    x, b = normal((33, 8, 8), 1j) * size, normal((33, 8, 2), 1j)
    case("solve", [x, b * size], b.shape, check_solve)
    case("triangular_solve", [x / 8 + 2 * size * np.eye(8), b * size], b.shape, triangular(""))
    case("cholesky", [positive((33, 8, 8), 1j) * size], x.shape, check_cholesky)
# Quotients of real numbers that are exact stay so.
if OWN:
    case("solve", [np.diag([3, 7j, 5]), np.array([[9.0], [21], [35]])], (3, 1), lambda a, b, y: None if np.array_equal(y[:, 0], [3, -3j, 7]) else f"{y}")  # fmt: skip


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


hermitian = positive((21, 7, 7), 1j)
both = [("cholesky", [batch]), ("solve", [turned, sides[..., :2]]), ("solve", [turned, sides]), ("triangular_solve", [batch, sides[..., :1]])]
complex_ones = [("cholesky", [hermitian]), ("solve", [turned * hermitian, sides[..., :2] + 0j]), ("triangular_solve", [hermitian, sides[..., :1] * 1j])]
for name, extra in (("lu", [(7, 8)]), ("qr", [(7, 14)]), ("determinant", [()])):
    both.append((name, [turned], *extra))
    complex_ones.append((name, [turned * hermitian], *extra))
for op, arrays, *result in both + complex_ones if OWN else both:
    check, compare = alone(13)
    for dtype in (np.complex64, np.complex128) if np.iscomplexobj(arrays[0]) else (np.float32, np.float64):
        for some, judge in ((slice(13, 14), check), (slice(None), compare)):
            given = [a[some].astype(dtype) for a in arrays]
            shape = (len(given[0]), *result[0]) if result else given[-1].shape
            CASES.append((op, "", given, shape, judge))


ELEMENTS = {"float32": "f32", "float64": "f64", "complex64": "complex<f32>", "complex128": "complex<f64>"}


def type_of(shape, dtype):
    return f"tensor<{''.join(f'{s}x' for s in shape)}{ELEMENTS[np.dtype(dtype).name]}>"


def program():
    arguments, body, results, types = [], [], [], []
    for i, (op, words, arrays, shape, _) in enumerate(CASES):
        dtype = arrays[0].dtype
        operands = [f"%a{i}_{k}" for k in range(len(arrays))]
        of, result = [type_of(a.shape, dtype) for a in arrays], type_of(shape, np.result_type(dtype, np.complex64) if op == "eig" else dtype)
        arguments += [f'{o}: {s} {{tx.name = "{o[1:]}"}}' for o, s in zip(operands, of)]
        body.append(f"%r{i} = tx.{op} {', '.join(operands)} {words} : ({', '.join(of)}) -> {result}")
        results.append(f"%r{i}")
        types.append(result)
    named = ", ".join(f'{s} {{tx.name = "r{i}"}}' for i, s in enumerate(types))
    return (f"func.func @main({', '.join(arguments)}) -> ({named}) {{\n  " + "\n  ".join(body) +
            f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")  # fmt: skip


def fits(op, arrays):
    return not (op == "qr" and arrays[0].dtype == np.complex128 and max(arrays[0].shape[-2:]) >= 32)


if DEVICE.startswith(("opencl", "vulkan")):
    CASES = [each for each in CASES[::41] if fits(each[0], each[2])]


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
