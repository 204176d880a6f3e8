"""Exponentials, roots and logarithms of matrices, and Schur's form, by what defines them."""

import numpy as np
import pytest

import tensorc as tc

rng = np.random.default_rng(7)
TOLERANCE = {"float32": 2e-5, "complex64": 2e-5, "float64": 1e-12, "complex128": 1e-12}


def draw(dtype, *shape):
    a = rng.normal(size=shape)
    return (a + 1j * rng.normal(size=shape) if dtype.startswith("complex") else a).astype(dtype)


def near(made, expected, dtype):
    expected = np.asarray(expected)
    scale = np.abs(expected).max(initial=1)
    np.testing.assert_allclose(np.asarray(made) / scale, expected / scale, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (9, 9), (2, 3, 3)], ids=str)
def test_schur(shape, dtype):
    a = draw(dtype, *shape)
    T, Z = (np.asarray(x) for x in tc.linalg.schur(tc.asarray(a)))
    assert T.dtype == np.result_type(a, np.complex64) and not np.tril(T, -1).any()
    near(Z @ np.conj(np.swapaxes(Z, -1, -2)), np.broadcast_to(np.eye(shape[-1]), shape), dtype)
    near(Z @ T @ np.conj(np.swapaxes(Z, -1, -2)), a, dtype)


@pytest.mark.parametrize("a", [np.roll(np.eye(5), 1, 0), np.eye(3), np.zeros((3, 3)), np.eye(4, k=1), np.diag([1e-200, 1, 1e200]),
                               np.ones((6, 6)), np.array([[0.0, 1], [-1, 0]])], ids=range(7))  # fmt: skip
def test_schur_of_hard_matrices(a):
    T, Z = (np.asarray(x) for x in tc.linalg.schur(tc.asarray(a)))
    near(Z @ T @ np.conj(Z.T), a, "complex128")
    near(Z @ np.conj(Z.T), np.eye(len(a)), "complex128")


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (9, 9), (2, 3, 3)], ids=str)
def test_roots_and_logarithms(shape, dtype):
    a = draw(dtype, *shape)
    root = tc.linalg.sqrtm(tc.asarray(a))
    near(root @ root, a, dtype)
    assert (np.linalg.eigvals(np.asarray(root)).real > -1e-3).all()
    log = tc.linalg.logm(tc.asarray(a))
    near(tc.linalg.expm(log), a, dtype)
    assert (abs(np.linalg.eigvals(np.asarray(log)).imag) < np.pi + 1e-3).all()


def test_negative_eigenvalues_and_those_that_are_equal():
    near(tc.linalg.sqrtm(tc.asarray(-np.eye(2))), 1j * np.eye(2), "complex128")
    near(tc.linalg.logm(tc.asarray(-np.eye(2))), 1j * np.pi * np.eye(2), "complex128")
    jordan = np.array([[4.0, 1, 0], [0, 4, 1], [0, 0, 4]])
    near(tc.linalg.sqrtm(tc.asarray(jordan)), [[2, 0.25, -1 / 64], [0, 2, 0.25], [0, 0, 2]], "complex128")
    near(tc.linalg.logm(tc.asarray(jordan)), [[np.log(4), 0.25, -1 / 32], [0, np.log(4), 0.25], [0, 0, np.log(4)]], "complex128")
    assert not np.asarray(tc.linalg.sqrtm(tc.zeros((3, 3)))).any()
    assert not np.isfinite(np.asarray(tc.linalg.sqrtm(tc.asarray([[0.0, 1.0], [0.0, 0.0]])))).all()  # has no root
    near(tc.linalg.sqrtm(tc.asarray(np.diag([4.0, 0, 9]))), np.diag([2.0, 0, 3]), "complex128")


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_exponentials(dtype):
    angle = 0.7
    for size in (1e-3, 1.0, 30.0):
        a = np.array([[0, -angle * size], [angle * size, 0]]).astype(dtype)
        c, s = np.cos(angle * size), np.sin(angle * size)
        near(tc.linalg.expm(tc.asarray(a)), [[c, -s], [s, c]], "float32" if dtype in ("float32", "complex64") else "float64")
    d = draw(dtype, 3, 4)
    both = np.zeros((3, 4, 4), dtype)
    both[:, range(4), range(4)] = d * [[1], [20], [0]]
    made = np.asarray(tc.linalg.expm(tc.asarray(both)))
    for one, diagonal in zip(made, d * [[1], [20], [0]]):
        near(one, np.diag(np.exp(diagonal)), dtype)
    nilpotent = np.triu(draw(dtype, 3, 3), 1)
    near(tc.linalg.expm(tc.asarray(nilpotent)), np.eye(3) + nilpotent + nilpotent @ nilpotent / 2, dtype)


def differences(f, a, step=1e-5):
    """The gradient of a function to real numbers, by values on either side of each element."""
    made = np.zeros_like(a)
    for at in np.ndindex(a.shape):
        for unit in (1, 1j) if a.dtype.kind == "c" else (1,):
            move = np.zeros_like(a)
            move[at] = step * unit
            made[at] += unit * (f(tc.asarray(a + move)).item() - f(tc.asarray(a - move)).item()) / (2 * step)
    return made


DIFFERENTIATED = {
    "real": np.array([[0.3, -1.2, 0.7], [0.9, 0.4, -0.2], [-0.6, 1.1, 2.0]]),
    "complex": np.array([[0.5 + 1j, -1.3 + 0.2j], [0.7 - 0.4j, 1.1 + 0.6j]]),
    "equal eigenvalues": np.stack([np.eye(2) * 0.5, np.eye(2) * 2]),
    "negative eigenvalues": np.diag([-1.0, -2, 3]),
}


@pytest.mark.parametrize("kind", DIFFERENTIATED)
@pytest.mark.parametrize("name", ["expm", "sqrtm", "logm"])
def test_gradients(name, kind):
    a = DIFFERENTIATED[kind]
    g = tc.asarray(np.random.default_rng(8).normal(size=(2, *a.shape)))

    def f(x):
        made = getattr(tc.linalg, name)(x)
        return tc.sum(tc.real(made) * g[0] + tc.imag(made) * g[1])

    first = tc.grad(f)
    np.testing.assert_allclose(first(tc.asarray(a)).numpy(), differences(f, a), rtol=1e-7, atol=1e-7)
    if kind == "complex" and name != "logm":  # which sqrtm shares its derivatives with
        def length(x):
            return tc.sum(tc.abs(first(x)) ** 2)

        np.testing.assert_allclose(tc.grad(length)(tc.asarray(a)).numpy(), differences(length, a), rtol=1e-6, atol=1e-6)


def test_schur_is_complex():
    x = tc.eye(2)
    assert tc.linalg.schur(x, output="complex").T.dtype == tc.complex64
    with pytest.raises(ValueError, match="schur: T is complex.* not 'real'"):
        tc.linalg.schur(x, output="real")


def test_schur_has_no_gradient():
    with pytest.raises(ValueError, match="grad: while has no gradient"):
        tc.grad(lambda x: tc.sum(tc.real(tc.linalg.schur(x).T)))(tc.eye(2))


def test_transformed_functions():
    a = draw("float64", 3, 2, 2)
    expected = np.asarray(tc.linalg.expm(tc.asarray(a)))
    near(tc.jit(tc.linalg.expm)(tc.asarray(a)), expected, "float64")
    near(tc.vmap(tc.linalg.expm)(tc.asarray(a)), expected, "float64")
    near(tc.jit(lambda x: tc.linalg.sqrtm(x) @ tc.linalg.sqrtm(x))(tc.asarray(a)), a, "float64")


@pytest.mark.parametrize("name", ["expm", "sqrtm", "logm", "schur"])
def test_numbers_that_are_not_finite_and_matrices_of_no_elements(name):
    function = getattr(tc.linalg, name)
    made = function(tc.asarray([[[float("nan"), 0], [0, 1]], [[1.0, 0], [0, 1.0]]]))
    for one in (made if isinstance(made, tuple) else (made,)):
        one = np.asarray(one)
        assert np.isnan(one[0]).any() and np.isfinite(one[1]).all()
    made = function(tc.zeros((2, 0, 0)))
    assert (made[0] if isinstance(made, tuple) else made).shape == (2, 0, 0)
    with pytest.raises(ValueError, match=f"{name}: a square matrix is expected, not 2 x 3"):
        function(tc.zeros((2, 3)))
    with pytest.raises(ValueError, match=f"{name}: a matrix is expected"):
        function(tc.zeros(3))
