"""Functions of JAX on the plugin, with the numbers that JAX's own CPU backend gives."""

import os

import pytest

if "tensorc" not in os.environ.get("JAX_PLATFORMS", ""):
    pytest.skip("JAX_PLATFORMS does not name tensorc", allow_module_level=True)
jax = pytest.importorskip("jax", reason="no jax: see scripts/install-deps.sh")
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.experimental import pallas  # noqa: E402

rng = np.random.default_rng(0)


def f(*shape):
    return rng.random(shape, dtype=np.float32)


def i(most, *shape):
    return rng.integers(0, most, shape).astype(np.int32)


def network(parameters, x):
    for w, b in parameters[:-1]:
        x = jax.nn.relu(x @ w + b)
    return x @ parameters[-1][0] + parameters[-1][1]


def loss(parameters, x, y):
    return -jnp.mean(jax.nn.log_softmax(network(parameters, x))[jnp.arange(x.shape[0]), y])


def convolve(x, k):
    return lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def multiply_blocks(x, y):
    def kernel(x_block, y_block, out):
        @pallas.when(pallas.program_id(2) == 0)
        def clear():
            out[...] = jnp.zeros_like(out)

        out[...] += x_block[...] @ y_block[...]

    blocks = [pallas.BlockSpec((4, 4), lambda i, j, k: (i, k)), pallas.BlockSpec((4, 4), lambda i, j, k: (k, j))]
    result = pallas.BlockSpec((4, 4), lambda i, j, k: (i, j))
    shape = jax.ShapeDtypeStruct((x.shape[0], y.shape[1]), x.dtype)
    grid = (x.shape[0] // 4, y.shape[1] // 4, x.shape[1] // 4)
    call = pallas.pallas_call(kernel, shape, grid=grid, in_specs=blocks, out_specs=result, interpret=True)
    return call(x, y)


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def collatz(x):
    return lax.while_loop(lambda c: c[0] > 1, lambda c: (jnp.where(c[0] % 2, 3 * c[0] + 1, c[0] // 2), c[1] + 1), (x, 0))


def solve(y, times):
    """An ODE at several times, by steps of four stages, with a correction that iterates a few times."""

    def step(c):
        def stage(k, weight):
            k = jnp.stack([(y[1] + weight * k[1]), -(y[0] + weight * k[0])])
            return k, k

        t, y = c
        _, k = lax.scan(stage, jnp.zeros(2), jnp.array([0.0, 0.02, 0.02, 0.04]))
        y = y + 0.04 * (jnp.array([1, 2, 2, 1]) @ k) / 6
        y, _ = lax.while_loop(lambda c: c[1] < 3, lambda c: (c[0] * (1 - 0.01 * (c[0] @ c[0] - 1)), c[1] + 1), (y, 0))
        return t + 0.04, y

    def at(c, end):
        c = lax.while_loop(lambda c: c[0] < end, step, c)
        return c, c[1]

    return lax.scan(at, (0.0, y), times)[1]


def bounded(y):
    """Loops in loops whose numbers of iterations are constants."""
    inner = lambda i, z: jnp.tanh(z + 0.1 * z[::-1] * i)  # noqa: E731
    return lax.scan(lambda z, u: (lax.fori_loop(0, 4, inner, z * u), z.sum()), y, jnp.linspace(0.5, 1, 6))


def positive(x):
    return x @ x.T + 4 * jnp.eye(x.shape[0])


def c(*shape):
    return (f(*shape) + 1j * f(*shape)).astype(np.complex64)


def hermitian(x):
    return x @ x.conj().T + 4 * jnp.eye(len(x))


def rebuilt(parts):
    """A matrix from its eigenvectors, whose signs are arbitrary."""
    values, vectors = parts
    return (vectors * values) @ vectors.conj().T, values


def permuted(x, factors, exchanges, order):
    """L U, and the rows of x in the order that it has; which rows are exchanged differs where pivots are nearly equal."""
    k = min(x.shape[-2:])
    lower = jnp.tril(factors[..., :k], -1) + jnp.eye(x.shape[-2], k)
    return jnp.take_along_axis(lower @ jnp.triu(factors[..., :k, :]), jnp.argsort(order)[..., None], -2)


def conv_0d(x, k):
    return lax.conv_general_dilated(x, k, (), "VALID")


def scatter_by(x, j, u):
    numbers = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    return lax.scatter_apply(x, j[:, None], lambda v: 2 * v + 1, numbers, update_shape=u.shape)


def branch_on_constants(x):
    """Scalars computed from constants, as solvers of ODEs trace them."""
    end = jnp.float32(20) * jnp.where(jnp.float32(0) < 20, 1, -1)
    before = lax.fori_loop(0, 3, lambda i, t: jnp.nextafter(t, -jnp.inf), end)
    first = lax.switch(jnp.int32(7), [jnp.sin, jnp.cos, jnp.tan], x)
    start = lax.dynamic_update_slice(jnp.full((1, 3), jnp.inf), x[None], (5, 5))
    return lax.while_loop(lambda c: c[0] < before, lambda c: (c[0] + 3, c[1] + first, c[2] * 2), (jnp.float32(0), jnp.zeros(3), start))


def round_f8(x):
    """Sums, products and comparisons of floats of 8 bits."""
    y = x.astype(jnp.float8_e4m3fn)
    return [z.astype(jnp.float32) for z in (y + y, y * y - y, y > y[0], jnp.maximum(y, -y), jnp.exp(y))]


PARAMETERS = [(f(4, 8), f(8)), (f(8, 3), f(3))]
KEY = np.array([0, 1], np.uint32)
CASES = {
    "add": (lambda x: x + 1, [f(2, 3)]),
    "matmul": (jnp.matmul, [f(3, 4), f(4, 5)]),
    "einsum": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), [f(2, 3, 4), f(2, 4, 5)]),
    "while": (collatz, [np.int32(27)]),
    "fori": (lambda x: lax.fori_loop(0, 4, lambda i, s: s + i, x), [f(3)]),
    "scan": (lambda x: lax.scan(lambda c, a: (c + a, c * a), jnp.zeros(3), x), [f(5, 3)]),
    "scan's gradient": (jax.grad(lambda x: lax.scan(lambda c, a: (c + a * c, c), jnp.ones(3), x)[0].sum()), [f(5, 3)]),
    "associative scan": (lambda x: lax.associative_scan(jnp.multiply, x), [f(9)]),
    "cond": (lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), [np.bool_(True), f(3)]),
    "switch": (lambda p, x: lax.switch(p, [jnp.sin, jnp.cos, jnp.tan], x), [np.int32(1), f(3)]),
    "map": (lambda x: lax.map(lambda v: v @ v, x), [f(3, 4)]),
    "convolution": (convolve, [f(2, 8, 8, 3), f(3, 3, 3, 4)]),
    "convolution's gradient": (jax.grad(lambda x, k: convolve(x, k).sum(), (0, 1)), [f(2, 8, 8, 3), f(3, 3, 3, 4)]),
    "max pool": (pool, [f(1, 4, 4, 1)]),
    "max pool's gradient": (jax.grad(lambda x: pool(x).sum()), [f(1, 4, 4, 1)]),
    "sort": (jnp.sort, [f(7)]),
    "argsort": (jnp.argsort, [f(7)]),
    "lexsort": (lambda a, b: jnp.lexsort((a, b)), [i(3, 9), i(3, 9)]),
    "top_k": (lambda x: lax.top_k(x, 3), [f(7)]),
    "gather": (lambda x, j: x[j], [f(5, 3), i(5, 4)]),
    "scatter add": (lambda x, j, u: x.at[j].add(u), [f(5, 3), i(5, 4), f(4, 3)]),
    "scatter max": (lambda x, j, u: x.at[j].max(u), [f(5, 3), i(5, 4), f(4, 3)]),
    "take along axis": (lambda x, j: jnp.take_along_axis(x, j, 1), [f(5, 3), i(3, 5, 2)]),
    "dynamic slice": (lambda x, j: lax.dynamic_slice(x, (j,), (2,)), [f(6), np.int32(3)]),
    "dynamic update": (lambda x, j: lax.dynamic_update_slice(x, jnp.zeros(2), (j,)), [f(6), np.int32(3)]),
    "pad, reverse, concatenate": (lambda x: jnp.concatenate([jnp.pad(x, 1), x[::-1]]), [f(4)]),
    "where, clip": (lambda x: jnp.clip(jnp.where(x > 0.5, x, -x), -0.2, 0.8), [f(5)]),
    "cumsum": (lambda x: jnp.cumsum(x, 0), [f(5, 3)]),
    "argmax": (lambda x: jnp.argmax(x, 1), [f(5, 3)]),
    "any, all": (lambda x: ((x > 0.9).any(0), (x > 0.01).all(1)), [f(5, 3)]),
    "median": (jnp.median, [f(9)]),
    "softmax": (jax.nn.softmax, [f(3, 4)]),
    "gelu": (jax.nn.gelu, [f(9)]),
    "network's gradient": (jax.grad(loss), [PARAMETERS, f(6, 4), i(3, 6)]),
    "attention": (lambda q, k, v: jax.nn.softmax(q @ k.T / 2.0, axis=-1) @ v, [f(4, 4), f(4, 4), f(4, 4)]),
    "hessian": (jax.hessian(lambda x: (jnp.sin(x) ** 2).sum()), [f(3)]),
    "jvp": (lambda x: jax.jvp(jnp.tanh, (x,), (jnp.ones_like(x),)), [f(3)]),
    "vmap": (jax.vmap(jnp.dot), [f(3, 4), f(3, 4)]),
    "checkpoint": (jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.exp(x)).sum())), [f(3)]),
    "uniform": (lambda k: jax.random.uniform(k, (4,)), [KEY]),
    "normal": (lambda k: jax.random.normal(k, (4,)), [KEY]),
    "loops in loops": (solve, [f(2), np.linspace(0.1, 1, 5, dtype=np.float32)]),
    "loops in loops, batched": (lambda y, t: jax.vmap(solve, (0, None))(y, t), [f(3, 2), np.linspace(0.1, 1, 5, dtype=np.float32)]),
    "gradient of loops in loops": (jax.grad(lambda y: bounded(y)[0].sum() + bounded(y)[1] @ jnp.arange(6.0)), [f(3)]),
    "batched gradient of loops in loops": (jax.vmap(jax.grad(lambda y: bounded(y)[0].sum())), [f(4, 3)]),
    "split": (lambda k: jax.random.split(k, 3), [KEY]),
    "permutation": (lambda k: jax.random.permutation(k, 8), [KEY]),
    "categorical": (lambda k, x: jax.random.categorical(k, x), [KEY, f(5)]),
    "fft": (jnp.fft.fft, [f(8)]),
    "rfft": (jnp.fft.rfft, [f(3, 8)]),
    "cholesky": (lambda x: jnp.linalg.cholesky(positive(x)), [f(4, 4)]),
    "solve": (lambda x, y: jnp.linalg.solve(positive(x), y), [f(4, 4), f(4, 2)]),
    "triangular solve": (lambda x, y: lax.linalg.triangular_solve(positive(x), y, left_side=True), [f(4, 4), f(4, 2)]),
    "eigenvalues": (lambda x: jnp.linalg.eigvalsh(positive(x)), [f(4, 4)]),
    "singular values": (lambda x: jnp.linalg.svd(x, compute_uv=False), [f(4, 3)]),
    "lu": (jax.scipy.linalg.lu, [f(4, 4)]),
    "determinant": (jnp.linalg.det, [f(3, 3)]),
    "complex cholesky": (lambda x: jnp.linalg.cholesky(hermitian(x)), [c(4, 4)]),
    "complex cholesky's gradient": (jax.grad(lambda x: abs(jnp.linalg.cholesky(hermitian(x))).sum()), [c(3, 3)]),
    "complex solve": (lambda x, y: jnp.linalg.solve(hermitian(x), y), [c(4, 4), c(4, 2)]),
    "complex triangular solve": (lambda x, y: lax.linalg.triangular_solve(x, y, transpose_a=True, conjugate_a=True),
                                 [hermitian(c(4, 4)), c(2, 4)]),
    "complex qr": (lambda x: jnp.linalg.qr(x), [c(4, 3)]),
    "complete qr": (lambda x: jnp.linalg.qr(x, mode="complete"), [c(2, 4, 3)]),
    "wide qr": (jnp.linalg.qr, [f(3, 5)]),
    "raw qr": (lambda x: jnp.linalg.qr(x, mode="raw"), [f(4, 3)]),
    "pivoted qr": (lambda x: jax.scipy.linalg.qr(x, pivoting=True), [f(4, 3)]),
    "householder product": (lambda x: lax.linalg.householder_product(*jnp.linalg.qr(x, mode="raw")), [f(3, 3)]),
    "complex eigh": (lambda x: rebuilt(jnp.linalg.eigh(hermitian(x))), [c(4, 4)]),
    "upper eigh": (lambda x: rebuilt(jnp.linalg.eigh(hermitian(x), UPLO="U")), [c(4, 4)]),
    "complex svd": (lambda x: jnp.linalg.svd(x, compute_uv=False), [c(4, 3)]),
    "complex svd's product": (lambda x: (lambda u, s, v: (u * s) @ v)(*jnp.linalg.svd(x, full_matrices=False)), [c(3, 4)]),
    "complex lu": (lambda x: permuted(x, *lax.linalg.lu(x)), [c(2, 4, 3)]),
    "lu of 80 rows": (lambda x: permuted(x, *lax.linalg.lu(x)), [f(80, 70)]),
    "row exchanges": (lambda x: lax.linalg.lu(x)[1], [f(2, 8, 5)]),
    "tridiagonal": (lax.linalg.tridiagonal_solve, [c(4), c(4) + 3, c(4), c(4, 2)]),
    "eig": (jnp.linalg.eig, [f(2, 5, 5)]),
    "complex eig": (lambda x: lax.linalg.eig(x), [c(4, 4)]),
    "schur": (jax.scipy.linalg.schur, [f(4, 4)]),
    "hessenberg": (jax.scipy.linalg.hessenberg, [c(4, 4)]),
    "eigh_tridiagonal": (lambda d, e: jax.scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=True), [f(5), f(4)]),
    "no dims of convolution": (conv_0d, [f(2, 3), f(4, 3)]),
    "convolution of an empty image": (lambda x, k: lax.conv_general_dilated(x, k, (1,), [(2, 2)]), [f(1, 2, 0), f(3, 2, 2)]),
    "scatter of windows, some partly outside": (
        lambda x, j, u: [lax.scatter_add(x, j, u, lax.ScatterDimensionNumbers((1,), (), (0,)), mode=m) for m in ("fill", "clip")],
        [f(10), np.int32([[9], [3], [-1], [8]]), f(4, 2)]),
    "scatter by a function": (scatter_by, [f(5, 3), i(5, 4), f(4, 3)]),
    "scatter by a function, sorted": (lambda x: x.at[jnp.array([0, 2])].apply(jnp.sin), [f(5, 3)]),
    "scatter of complex minima": (lambda x, j, u: x.at[j].min(u), [c(5, 3), i(5, 4), c(4, 3)]),
    "approximate top k": (lambda x: (lax.approx_max_k(x, 3), lax.approx_min_k(x, 2)), [f(2, 9)]),
    "fft of no element": (lambda x: jnp.fft.fft(x, axis=1), [c(0, 3)]),
    "erf_inv": (jax.scipy.special.erfinv, [f(5)]),
    "gammaln": (jax.scipy.special.gammaln, [f(5)]),
    "logsumexp": (jax.scipy.special.logsumexp, [f(5)]),
    "integers": (lambda a, b: (a // (b + 1), a % (b + 1), a << 1, a & b, lax.population_count(a)), [i(9, 5), i(9, 5)]),
    "complex": (lambda x: (x + 1j * x) * (2 - 1j), [f(5)]),
    "bf16": (lambda x: (x.astype(jnp.bfloat16) * 2).astype(jnp.float32), [f(5)]),
    "f8": (round_f8, [3 * f(9) - 1]),
    "reduced precision": (lambda x: [lax.reduce_precision(x, e, m) for e, m in ((5, 2), (4, 3), (8, 7), (8, 0), (3, 23))], [90 * f(99) - 40]),
    "constants": (branch_on_constants, [f(3)]),
    "constant of bools": (lambda x: jnp.where(np.arange(10) % 3 == 0, x, 0), [f(10)]),
    "empty": (lambda x: x.sum(), [f(0, 3)]),
    "nonzero": (lambda x: jnp.nonzero(x > 0.5, size=3), [f(6)]),
    "interpolation": (jnp.interp, [f(5), np.arange(4, dtype=np.float32), f(4)]),
    "Pallas": (multiply_blocks, [f(8, 8), f(8, 12)]),
    "image": (lambda x: jax.image.resize(x, (8, 8), "bilinear"), [f(4, 4)]),
}


def run(name, platform):
    function, arguments = CASES[name]
    with jax.default_device(jax.devices(platform)[0]):
        return [np.asarray(leaf) for leaf in jax.tree.leaves(jax.jit(function)(*arguments))]


@pytest.mark.parametrize("name", CASES)
def test_as_on_the_cpu(name):
    made, expected = run(name, "tensorc"), run(name, "cpu")
    assert [x.dtype for x in made] == [x.dtype for x in expected]
    for one, other in zip(made, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["TF32_TF32_F32", "F16_F16_F32", "BF16_BF16_F32_X9"])
def test_algorithm_of_a_product(name):
    """Those that JAX refuses on its own CPU backend. The operands have few bits, so no algorithm rounds them."""
    x, y = i(9, 3, 4) / np.float32(8), i(9, 4, 5) / np.float32(8)
    product = jax.jit(lambda x, y: lax.dot(x, y, precision=lax.DotAlgorithmPreset[name]))
    with jax.default_device(jax.devices("tensorc")[0]):
        assert "num_primitive_operations" in product.lower(x, y).as_text()
        np.testing.assert_array_equal(product(x, y), x @ y)
