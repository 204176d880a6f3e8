"""Libraries that take arrays of the array API, where they are installed."""

import os

import numpy as np
import pytest

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when SciPy is imported

import tensorc as tc  # noqa: E402


def test_einops():
    einops = pytest.importorskip("einops")
    x = tc.reshape(tc.arange(24), (2, 3, 4))
    n = np.arange(24).reshape(2, 3, 4)
    array_api = pytest.importorskip("einops.array_api")
    for pattern, sizes in (("a b c -> c (a b)", {}), ("a b (c d) -> d a b c", {"c": 2}), ("a b c -> (c b) a 1", {})):
        made = array_api.rearrange(x, pattern, **sizes)
        assert isinstance(made, tc.Array) and made.tolist() == einops.rearrange(n, pattern, **sizes).tolist()
    assert array_api.reduce(x, "a b c -> a c", "max").tolist() == n.max(axis=1).tolist()
    assert array_api.repeat(x, "a b c -> a b c 2").shape == (2, 3, 4, 2)


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
