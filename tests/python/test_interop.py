"""Libraries that take arrays of the array API, where they are installed."""

import os
import subprocess
import sys

import numpy as np
import pytest

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when SciPy is imported

import tensorc as tc  # noqa: E402


def test_einops():
    einops = pytest.importorskip("einops")
    x = tc.reshape(tc.arange(24), (2, 3, 4))
    n = np.arange(24).reshape(2, 3, 4)
    array_api = pytest.importorskip("einops.array_api")
    for given in (einops, array_api):
        made = given.rearrange(x, "a b c -> c (a b)")
        assert isinstance(made, tc.Array) and made.tolist() == einops.rearrange(n, "a b c -> c (a b)").tolist()
    for pattern, sizes in (("a b c -> c (a b)", {}), ("a b (c d) -> d a b c", {"c": 2}), ("a b c -> (c b) a 1", {})):
        made = array_api.rearrange(x, pattern, **sizes)
        assert isinstance(made, tc.Array) and made.tolist() == einops.rearrange(n, pattern, **sizes).tolist()
    assert array_api.reduce(x, "a b c -> a c", "max").tolist() == n.max(axis=1).tolist()
    assert array_api.repeat(x, "a b c -> a b c 2").shape == (2, 3, 4, 2)


@pytest.mark.parametrize("first", ["tensorc", "einops"])
def test_einops_finds_the_backend_in_each_order_of_imports(first):
    pytest.importorskip("einops")
    second = "einops" if first == "tensorc" else "tensorc"
    text = f"import {first}, {second}, tensorc as tc; from einops import rearrange; print(rearrange(tc.ones((2, 3)), 'a b -> b a').shape)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "(3, 2)\n"


def test_functions_of_einops():
    einops = pytest.importorskip("einops")
    n = np.arange(24.0).reshape(2, 3, 4)
    x = tc.asarray(n)
    a, b = tc.asarray(n[0]), tc.asarray(n[1])

    def check(made, expected):
        assert isinstance(made, tc.Array)
        np.testing.assert_array_equal(made.numpy(), expected)

    for name in ("min", "max", "sum", "mean", "prod"):
        check(einops.reduce(x, "a b c -> a c", name), einops.reduce(n, "a b c -> a c", name))
    check(einops.reduce(x > 3, "a b c -> c", "any"), einops.reduce(n > 3, "a b c -> c", "any"))
    check(einops.reduce(x, "a (b b2) (c c2) -> a b c", "max", b2=3, c2=2), einops.reduce(n, "a (b b2) (c c2) -> a b c", "max", b2=3, c2=2))
    check(einops.repeat(x, "a b c -> a b c r", r=2), einops.repeat(n, "a b c -> a b c r", r=2))
    check(einops.rearrange([a, b], "n a b -> a (n b)"), einops.rearrange([n[0], n[1]], "n a b -> a (n b)"))
    check(einops.einsum(a, b, "a c, b c -> a b"), einops.einsum(n[0], n[1], "a c, b c -> a b"))
    packed, shapes = einops.pack([a, b[0]], "* c")
    check(packed, np.concatenate([n[0], n[1, :1]]))
    check(einops.unpack(packed, shapes, "* c")[1], n[1, 0])
    assert einops.parse_shape(x, "a _ c") == {"a": 2, "c": 4}
    check(einops.asnumpy(x) * tc.ones(4), n)
    grad = tc.grad(lambda v: einops.reduce(v**2, "a b c ->", "sum"))(x)
    check(grad, 2 * n)
    check(tc.jit(lambda v: einops.rearrange(v, "a b c -> c b a"))(x), n.T)
    with pytest.raises(einops.EinopsError, match="Wrong shape"):
        einops.rearrange(x, "a b -> b a")


def test_opt_einsum():
    opt_einsum = pytest.importorskip("opt_einsum")
    n = [np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)]
    x = [tc.asarray(v) for v in n]
    for pattern in ("ij,jk,kl->il", "ij,jk,ki->", "ij,jk,kl->lij"):
        made = opt_einsum.contract(pattern, *x)
        assert isinstance(made, tc.Array)
        np.testing.assert_array_equal(made.numpy(), opt_einsum.contract(pattern, *n))
    path = opt_einsum.contract_expression("ij,jk,kl->il", *(v.shape for v in n))
    assert path(*x).tolist() == path(*n).tolist()


def test_array_api_compat():
    compat = pytest.importorskip("array_api_compat")
    x = tc.ones((2, 3))
    assert compat.array_namespace(x, 1.0, None) is tc and compat.is_array_api_obj(x)
    assert compat.device(x) == x.device and compat.size(x) == 6
    assert compat.to_device(x, "sim:0").device == tc.device("sim:0")
    assert not compat.is_numpy_array(x) and not compat.is_lazy_array(x)


def test_array_api_extra():
    xpx = pytest.importorskip("array_api_extra")
    n = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, -1.0]])
    x, v, w = tc.asarray(n), tc.asarray(n[0]), n[0]
    for ours, expected in [
        (xpx.atleast_nd(v, ndim=3), w[None, None]), (xpx.cov(x), np.cov(n)), (xpx.create_diagonal(v), np.diag(w)),
        (xpx.isclose(x, x + 1e-9), np.ones((2, 3), bool)), (xpx.kron(v, x), np.kron(w, n)), (xpx.nunique(v), 3),
        (xpx.one_hot(tc.arange(3), 3), np.eye(3)), (xpx.pad(v, 2), np.pad(w, 2)), (xpx.setdiff1d(v, v[:1]), [1, 2]),
        (xpx.sinc(v), np.sinc(w)), (xpx.at(v)[0].set(5, copy=True), [5, 1, 2]), (xpx.at(v)[v > 1].add(1, copy=True), [4, 1, 3]),
        (xpx.apply_where(v > 1.5, v, lambda a: a * 2, fill_value=0.0), [6, 0, 4]), (xpx.partition(v, 1), [1, 2, 3]),
        (xpx.lazy_apply(lambda a: np.asarray(a) * 2, v, as_numpy=True), w * 2), (xpx.isin(v, v[:1]), [True, False, False]),
    ]:  # fmt: skip
        assert isinstance(ours, tc.Array)
        np.testing.assert_allclose(ours.numpy(), expected, rtol=2e-7, atol=1e-7)
    assert xpx.default_dtype(tc) == tc.float32


def test_scipy():
    special = pytest.importorskip("scipy.special")
    x = tc.asarray([0.5, 1.5, 2.5])
    try:
        made = special.expit(x)
    except TypeError as error:
        pytest.skip(f"SciPy takes arrays of its own list alone: {error}")
    np.testing.assert_allclose(np.asarray(made), special.expit(np.array([0.5, 1.5, 2.5])), rtol=1e-6)


def test_scikit_learn():
    sklearn = pytest.importorskip("sklearn")
    decomposition = pytest.importorskip("sklearn.discriminant_analysis")
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=(20, 3)), rng.normal(size=(20, 3)) + 3]).astype(np.float32)
    y = np.repeat([0, 1], 20)
    with sklearn.config_context(array_api_dispatch=True):
        model = decomposition.LinearDiscriminantAnalysis(solver="svd").fit(tc.asarray(x), tc.asarray(y))
        made = model.predict(tc.asarray(x))
    expected = decomposition.LinearDiscriminantAnalysis(solver="svd").fit(x, y).predict(x)
    assert np.mean(np.asarray(made) == expected) == 1


def test_scipy_writes_nothing_to_single_booleans():
    """array_api_extra.apply_where assigns nothing to a point by a mask that is false."""
    stats = pytest.importorskip("scipy.stats")
    x, y = np.array([1.0, 2.0, 3.0, 5.0]), np.array([2.0, 1.0, 4.0, 6.0])
    try:
        made = stats.pearsonr(tc.asarray(x), tc.asarray(y))
    except TypeError as error:
        pytest.skip(f"SciPy takes arrays of its own list alone: {error}")
    expected = stats.pearsonr(x, y)
    np.testing.assert_allclose([float(made.statistic), float(made.pvalue)], [expected.statistic, expected.pvalue], rtol=1e-6)


def test_rotations_of_scipy():
    transform = pytest.importorskip("scipy.spatial.transform")
    x = tc.asarray(np.arange(6.0).reshape(2, 3))
    made = transform.Rotation.from_rotvec(x).as_matrix()
    np.testing.assert_allclose(np.asarray(made), transform.Rotation.from_rotvec(np.array(x)).as_matrix(), atol=1e-6)
