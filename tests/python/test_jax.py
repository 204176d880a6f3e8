"""Functions of JAX that run through tensorc, where JAX is installed."""

import os

import numpy as np
import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
jax = pytest.importorskip("jax")

import tensorc as tc  # noqa: E402
import tensorc.jax  # noqa: E402
from jax.experimental import io_callback  # noqa: E402

jnp = jax.numpy
rng = np.random.default_rng(0)


def draw(*shape):
    return jnp.asarray(rng.standard_normal(shape, dtype=np.float32))


def agree(function, *args, tolerance=1e-5, **options):
    """The compiled function gives what JAX does; returns it."""
    compiled = tensorc.jax.jit(function, **options)
    made, expected = compiled(*args), jax.jit(function, **options)(*args)
    assert jax.tree.structure(made) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(made), jax.tree.leaves(expected)):
        assert isinstance(one, jax.Array) and one.aval == other.aval
        np.testing.assert_allclose(np.asarray(one, np.float64), np.asarray(other, np.float64), rtol=tolerance, atol=tolerance)
    return compiled


def dense(params, x):
    return x @ params["kernel"] + params["bias"]


def mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(dense(layer, x))
    return dense(params[-1], x)


def mlp_params(*widths):
    return [{"kernel": draw(a, b) * 0.3, "bias": draw(b)} for a, b in zip(widths, widths[1:])]


def test_a_multilayer_perceptron_and_its_training_step():
    params, x, y = mlp_params(8, 16, 4), draw(5, 8), draw(5, 4)
    agree(mlp, params, x)

    def step(params, x, y):
        value, gradient = jax.value_and_grad(lambda p: jnp.mean((mlp(p, x) - y) ** 2))(params)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)

    step = agree(step, params, x, y)
    first, params = step(params, x, y)
    for _ in range(20):
        last, params = step(params, x, y)
    assert last < first and step.traces == 1


def layer_norm(p, x):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * p["scale"] + p["bias"]


def transformer_block(p, x):
    heads, width = 2, x.shape[-1] // 2
    q, k, v = (dense(p[name], layer_norm(p["norm1"], x)).reshape(*x.shape[:2], heads, width) for name in ("q", "k", "v"))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width)
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
    x = x + dense(p["out"], jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape))
    return x + dense(p["down"], jax.nn.gelu(dense(p["up"], layer_norm(p["norm2"], x))))


def test_a_transformer_block_and_its_gradient():
    p = {name: mlp_params(8, 8)[0] for name in ("q", "k", "v", "out")}
    p |= {"up": mlp_params(8, 32)[0], "down": mlp_params(32, 8)[0]}
    p |= {name: {"scale": 1 + 0.1 * draw(8), "bias": 0.1 * draw(8)} for name in ("norm1", "norm2")}
    x = draw(2, 6, 8)
    agree(transformer_block, p, x)
    agree(jax.grad(lambda p, x: (transformer_block(p, x) ** 2).sum()), p, x, tolerance=2e-4)


def test_scans_and_their_gradients():
    def recurrent(w, xs):
        def step(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h.sum()

        return jax.lax.scan(step, jnp.zeros(4), xs)

    w, xs = draw(4, 4) * 0.5, draw(7, 4)
    agree(recurrent, w, xs)
    agree(jax.grad(lambda w: recurrent(w, xs)[1].sum()), w)
    agree(lambda n: jax.lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2), (0, 1.0)), jnp.int32(10))
    agree(lambda x: jax.lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), draw(3))


def test_a_model_of_flax():
    linen = pytest.importorskip("flax.linen")

    class Mlp(linen.Module):
        @linen.compact
        def __call__(self, x):
            return linen.Dense(3)(linen.LayerNorm()(linen.relu(linen.Dense(16)(x))))

    model, x = Mlp(), draw(4, 5)
    params = model.init(jax.random.key(0), x)
    agree(model.apply, params, x)
    agree(jax.grad(lambda p: model.apply(p, x).var()), params, tolerance=1e-4)


def test_arguments():
    # Pytrees, numbers, arrays of NumPy, keyword arguments, what is unused or returned as it is, nothing at all.
    f = agree(lambda a, b: {"sum": a["x"] + b, "b": b, "none": None}, {"x": draw(3), "unused": draw(2)}, np.ones(3, np.float32))
    agree(lambda x, y: (x * y, y), draw(3), 2)
    agree(lambda: jnp.arange(3))
    agree(lambda x: (), draw(1))
    f = tensorc.jax.jit(lambda x, *, scale: x * scale)
    assert f(jnp.ones(2), scale=3.0).tolist() == [3, 3]
    f(jnp.ones(2), scale=4.0), f(jnp.ones(3), scale=4.0), f(jnp.ones(3, jnp.int32), scale=4.0)
    assert f.traces == 3
    for dtype in (bool, np.uint8, np.int16, np.uint32, np.float16, jnp.bfloat16):
        agree(lambda x: (x, x[::-1]), jnp.asarray([[1, 0], [0, 3], [5, 1]], dtype))
    agree(lambda x: x.sum(0), jnp.ones((0, 3)))


def test_results_of_numbers_alone_take_the_dtype_of_what_they_meet():
    made = agree(lambda x: (x * 2, x + jnp.ones(2), jnp.full(3, x)), 3.0)(3.0)
    assert [x.weak_type for x in made] == [True, False, True]
    half = jnp.ones(3, jnp.float16)
    assert (made[0] * half).dtype == (made[2] * half).dtype == jnp.float16 and (made[1][:1] * half).dtype == jnp.float32


def test_static_arguments():
    f = tensorc.jax.jit(lambda x, n, mode="up": jnp.tile(x, n) if mode == "up" else -x, static_argnums=(1,), static_argnames=("mode",))
    assert f(jnp.ones(2), 2).shape == (4,) and f(jnp.ones(2), 3).shape == (6,) and f(jnp.ones(2), 3, mode="down").shape == (2,)
    assert f.traces == 3

    @tensorc.jax.jit(static_argnames="n")
    def power(x, n):
        return x**n

    assert power(jnp.full(2, 3.0), 2).tolist() == power(jnp.full(2, 3.0), n=2).tolist() == [9, 9]


def test_random_keys():
    key = jax.random.key(3)
    made = tensorc.jax.jit(lambda key: (jax.random.split(key), jax.random.normal(key, (5,))))(key)
    expected = jax.jit(lambda key: (jax.random.split(key), jax.random.normal(key, (5,))))(key)
    assert (jax.random.key_data(made[0]) == jax.random.key_data(expected[0])).all()
    np.testing.assert_allclose(made[1], expected[1], rtol=1e-5, atol=1e-6)


def test_transformations_around_it_are_those_of_jax():
    f = tensorc.jax.jit(lambda x: (x**3).sum())
    x = jnp.asarray([1.0, 2.0])
    assert jax.grad(f)(x).tolist() == [3, 12] and jax.jit(f)(x) == 9
    assert jax.vmap(f)(x[:, None]).tolist() == [1, 8] and f.traces == 0


def test_what_has_no_meaning_is_named():
    with pytest.raises(NotImplementedError, match="lapack_sgeev"):
        tensorc.jax.jit(jnp.linalg.eigvals)(jnp.eye(2))


def test_large_captured_arrays_are_constants():
    weight = draw(64, 64)
    agree(lambda x: x @ weight, draw(3, 64), tolerance=1e-4)


def test_packages(tmp_path):
    params, x = mlp_params(4, 3), draw(2, 4)
    tensorc.jax.export(mlp, (params, x), tmp_path / "mlp.tcpkg")
    package = tc.load_package(tmp_path / "mlp.tcpkg")
    names = [name for name, _, _ in package.inputs()]
    assert any("kernel" in name for name in names) and "x" in names
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves((params, x))]
    np.testing.assert_allclose(package(*leaves).numpy(), mlp(params, x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)], ids=str)
def test_tridiagonal_systems(batch):
    solve = jax.lax.linalg.tridiagonal_solve
    dl, d, du, b = draw(*batch, 6), draw(*batch, 6) + 4, draw(*batch, 6), draw(*batch, 6, 2)
    agree(solve, dl, d, du, b)
    agree(jax.grad(lambda d: jnp.sum(solve(dl, d, du, b) ** 2)), d, tolerance=1e-4)


def test_pure_callbacks():
    calls = []

    def sine(x):
        calls.append(x.shape)
        return np.sin(x)

    def call(x):
        return jax.pure_callback(sine, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")

    both = jnp.arange(3.0)
    for f in (
        call, lambda x: call(x * 2) + 1, lambda x: {"a": call(call(x) + both), "b": x, "c": 3}, lambda x: jax.jit(call)(x + 1) * x,
        lambda x: jnp.sum(call(x)) + call(x[:1]), lambda x: call(x) if x.shape else x,
    ):  # fmt: skip
        compiled = agree(f, draw(3))
        compiled(draw(3))
        assert compiled.traces == 1
    assert calls
    two = jax.ShapeDtypeStruct((3,), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32)
    agree(lambda x: jax.pure_callback(lambda v: (v * 2, np.int32(len(v))), two, x), draw(3))
    with pytest.raises(Exception, match="no such number"):

        def fail(x):
            raise ValueError("no such number")

        tensorc.jax.jit(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((3,), jnp.float32), x))(draw(3))


def test_pure_callbacks_in_loops_and_branches():
    def call(x):
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")

    x = jnp.arange(3.0)
    agree(lambda x: jax.lax.fori_loop(0, 3, lambda i, v: call(v) + i, x), x)
    agree(lambda x: jax.lax.scan(lambda c, y: (call(c) + y, c.sum()), x, jnp.arange(4.0)), x)
    agree(lambda x: jax.lax.while_loop(lambda v: v.sum() < 12, lambda v: call(v) + v + 1, x), x)
    agree(lambda x: (jax.lax.cond(x[2] > 1, call, jnp.cos, x), jax.lax.cond(x[0] > 1, call, jnp.cos, x)), x)
    agree(jax.vmap(lambda v: jax.lax.fori_loop(0, 2, lambda i, v: call(v), v)), jnp.ones((2, 3)))


def test_effects_in_order(capfd):
    def run(log, jit):
        def f(x):
            io_callback(lambda v: log.append(float(v)), None, x[1], ordered=True)
            jax.debug.print("x is {}", x[0])

            def body(i, v):
                io_callback(lambda v: log.append(float(v)), None, v[1] + i, ordered=True)
                return v * 2

            return jax.lax.fori_loop(0, 3, body, x)

        return np.asarray(jit(f)(jnp.arange(3.0))).tolist()

    log = []
    assert run(log, tensorc.jax.jit) == [0, 8, 16] and log == [1, 1, 3, 6]
    assert capfd.readouterr().out == "x is 0.0\n"
