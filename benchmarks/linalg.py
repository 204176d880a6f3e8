"""Compares linear algebra with NumPy's OpenBLAS, PyTorch and JAX if they are installed, and special functions with
SciPy's: PYTHONPATH=build/python python3 benchmarks/linalg.py

Prints the CPU time in ms on one thread, the median of 9 runs. The dtype is f32, or c64 if the row says so.
"""

import os

for name in ("TENSORC", "OPENBLAS", "OMP", "MKL"):
    os.environ[f"{name}_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import time  # noqa: E402

import numpy as np  # noqa: E402

import tensorc as tc  # noqa: E402
from tensorc import special as ours  # noqa: E402

RNG = np.random.default_rng(0)


def imported(name):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        return None


TORCH, JAX, JAX_LAX, SCIPY, SPECIAL = map(imported, ("torch", "jax", "jax.lax.linalg", "scipy.linalg", "scipy.special"))
if TORCH:
    TORCH.set_num_threads(1)


def milliseconds(run):
    run()
    times = []
    for _ in range(9):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return sorted(times)[4] * 1e3


def row(work, ours, **peers):
    """Adds a row. `peers` has the function that each library runs, or None."""
    own = milliseconds(ours)
    cells = [f"{name} {ms:.2f} ({ms / own:.1f})" for name, run in peers.items() if run for ms in [milliseconds(run)]]
    print(f"| {work} | {own:.2f} | {', '.join(cells)} |", flush=True)


def jax_of(name, *arrays):
    if not JAX:
        return None
    module = JAX_LAX if name == "lu" else JAX.numpy.linalg
    function, given = JAX.jit(getattr(module, name)), [JAX.numpy.asarray(a) for a in arrays]
    return lambda: JAX.block_until_ready(function(*given))


def torch_of(name, *arrays):
    given = [TORCH.from_numpy(a) for a in arrays] if TORCH else []
    return (lambda: getattr(TORCH.linalg, name)(*given)) if TORCH else None


def small(count=10_000):
    for n in (8, 16, 32):
        a, b = RNG.normal(size=(count, n, n)).astype(np.float32), RNG.normal(size=(count, n, 1)).astype(np.float32)
        s = (a @ a.transpose(0, 2, 1) + n * np.eye(n, dtype=np.float32)).astype(np.float32)
        x, y, z = map(tc.asarray, (a, b, s))
        row(f"cholesky of {count} {n} x {n}", lambda: tc.eval(tc.linalg.cholesky(z)), torch=torch_of("cholesky", s),
            jax=jax_of("cholesky", s), numpy=lambda: np.linalg.cholesky(s))  # fmt: skip
        row(f"solve of {count} {n} x {n}", lambda: tc.eval(tc.linalg.solve(x, y)), torch=torch_of("solve", a, b),
            jax=jax_of("solve", a, b), numpy=lambda: np.linalg.solve(a, b))  # fmt: skip


def small_factors(count=10_000):
    """Adds factorizations of general matrices, real and complex, with all results of a function. JAX leaves the factors
    of lu in one matrix."""
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        for n in (8, 32):
            a = RNG.normal(size=(count, n, n)).astype(dtype)
            if a.dtype.kind == "c":
                a += 1j * RNG.normal(size=a.shape)
            x = tc.asarray(a)
            for name in ("slogdet", "lu", "qr"):
                row(f"{name} of {count} {n} x {n}, {x.dtype}", lambda: tc.eval(list(getattr(tc.linalg, name)(x))), torch=torch_of(name, a),
                    jax=None if dtype in (np.float64, np.complex128) else jax_of(name, a))  # fmt: skip


def small_complex(count=10_000):
    def normal(*shape):
        return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(np.complex64)

    for n in (8, 16, 32):
        a, b = normal(count, n, n), normal(count, n, 1)
        s = a @ a.conj().transpose(0, 2, 1) + n * np.eye(n, dtype=np.complex64)
        x, y, z = map(tc.asarray, (a, b, s))
        row(f"cholesky of {count} {n} x {n}, c64", lambda: tc.eval(tc.linalg.cholesky(z)), torch=torch_of("cholesky", s),
            jax=jax_of("cholesky", s), numpy=lambda: np.linalg.cholesky(s))  # fmt: skip
        row(f"solve of {count} {n} x {n}, c64", lambda: tc.eval(tc.linalg.solve(x, y)), torch=torch_of("solve", a, b),
            jax=jax_of("solve", a, b), numpy=lambda: np.linalg.solve(a, b))  # fmt: skip
        row(f"inv of {count} {n} x {n}, c64", lambda: tc.eval(tc.linalg.inv(x)), torch=torch_of("inv", a), jax=jax_of("inv", a),
            numpy=lambda: np.linalg.inv(a))  # fmt: skip


def large(n=1024):
    a = RNG.normal(size=(n, n)).astype(np.float32)
    s = (a @ a.T + n * np.eye(n)).astype(np.float32)
    x, z = map(tc.asarray, (a, s))
    row(f"cholesky of {n} x {n}", lambda: tc.eval(tc.linalg.cholesky(z)), openblas=lambda: np.linalg.cholesky(s))
    lu = SCIPY and (lambda: SCIPY.lu_factor(a, check_finite=False))
    row(f"lu of {n} x {n}", lambda: tc.eval(tc.linalg.lu(x)[2]), openblas=lu)
    row(f"qr of {n} x {n}", lambda: tc.eval(tc.linalg.qr(x)[0]), openblas=lambda: np.linalg.qr(a))
    row(f"solve of {n} x {n}", lambda: tc.eval(tc.linalg.solve(x, x)), openblas=lambda: np.linalg.solve(a, a))
    row(f"svd of {n // 4} x {n // 4}", lambda: tc.eval(tc.linalg.svd(x[: n // 4, : n // 4])[1]),
        openblas=lambda: np.linalg.svd(a[: n // 4, : n // 4]))  # fmt: skip
    row(f"eigh of {n // 4} x {n // 4}", lambda: tc.eval(tc.linalg.eigh(z[: n // 4, : n // 4])[1]),
        openblas=lambda: np.linalg.eigh(s[: n // 4, : n // 4]))  # fmt: skip


def special(count=1_000_000):
    x, a = RNG.uniform(0.1, 20, count).astype(np.float32), RNG.uniform(0.5, 20, count).astype(np.float32)
    u = RNG.uniform(-1, 1, count).astype(np.float32)
    t, s, v = map(tc.asarray, (x, a, u))
    of = lambda name, *given: SPECIAL and (lambda: getattr(SPECIAL, name)(*given))  # noqa: E731
    row(f"lgamma of {count}", lambda: tc.eval(ours.gammaln(t)), scipy=of("gammaln", x))
    row(f"digamma of {count}", lambda: tc.eval(ours.digamma(t)), scipy=of("psi", x))
    row(f"erfinv of {count}", lambda: tc.eval(ours.erfinv(v)), scipy=of("erfinv", u))
    row(f"gammainc of {count}", lambda: tc.eval(ours.gammainc(s, t)), scipy=of("gammainc", a, x))


if __name__ == "__main__":
    print("| work | tensorc ms | peers: ms (ratio) |\n|---|---|---|")
    small()
    small_factors()
    small_complex()
    large()
    special()
