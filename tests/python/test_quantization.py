"""Quantization; PyTorch's observers and NumPy are the judges."""

import numpy as np
import pytest

import tensorc as tc
from tensorc import quantization as q

RANDOM = np.random.default_rng(0)
BATCHES = [(RANDOM.normal(size=(n, 3)) * [1, 10, 0] + [0.5, -3, 0]).astype("float32") for n in (5, 1, 17)]


@pytest.mark.parametrize("axis", [None, 1, -1])
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_calibrate(dtype, axis):
    found = q.calibrate(lambda x: {"in": x, "out": [x * 2]}, map(tc.asarray, BATCHES), axis=axis, dtype=dtype)
    torch = pytest.importorskip("torch")
    observers = pytest.importorskip("torch.ao.quantization.observer")
    kind = {"int8": torch.qint8, "uint8": torch.quint8}[dtype]
    for factor, mine in ((1, found["in"]), (2, found["out"][0])):
        if axis is None:
            judge = observers.MinMaxObserver(dtype=kind, quant_min=np.iinfo(dtype).min, quant_max=np.iinfo(dtype).max)
        else:
            judge = observers.PerChannelMinMaxObserver(ch_axis=1, dtype=kind, quant_min=np.iinfo(dtype).min, quant_max=np.iinfo(dtype).max)
        for x in BATCHES:
            judge(torch.from_numpy(x * factor))
        scale, zero = (y.numpy() for y in judge.calculate_qparams())
        scale[scale <= 2e-7] = 1  # a range of 0 alone, which has an epsilon there
        shape = () if axis is None else (3,)
        assert mine.scale.shape == mine.zero_point.shape == shape and mine.zero_point.dtype == getattr(tc, dtype)
        np.testing.assert_allclose(mine.scale.numpy(), scale.reshape(shape), rtol=1e-6)
        np.testing.assert_array_equal(mine.zero_point.numpy(), zero.reshape(shape))


def test_parameters_are_what_quantize_takes():
    x = np.concatenate(BATCHES)
    for symmetric in (False, True):
        p = q.calibrate(lambda x: x, map(tc.asarray, BATCHES), axis=-1, symmetric=symmetric)
        y = q.quantize(tc.asarray(x), *p)
        expected = np.clip(np.rint(x / p.scale.numpy()) + p.zero_point.numpy(), -128, 127)
        np.testing.assert_array_equal(y.numpy(), expected.astype("int8"))
        back = q.dequantize(y, *p).numpy()
        assert np.all(abs(back - x) <= 0.51 * p.scale.numpy())
        np.testing.assert_array_equal(q.fake_quantize(tc.asarray(x), *p).numpy(), back)
    assert (q.parameters(-2.0, 1.0, symmetric=True).scale * 127).item() == pytest.approx(2, rel=1e-6)


def test_groups_and_integers():
    x = RANDOM.normal(size=(4, 8)).astype("float32")
    scale = np.abs(x).reshape(4, 2, 4).max(-1) / 127
    y = q.quantize(tc.asarray(x), tc.asarray(scale)).numpy()
    np.testing.assert_array_equal(y, np.rint(x / np.repeat(scale, 4, 1)).astype("int8"))
    np.testing.assert_array_equal(q.matmul_i32(y, y.T).numpy(), y.astype("int32") @ y.T.astype("int32"))
    up = q.stochastic_round(tc.random.key(0), tc.ones(10_000) * 0.25).numpy()
    assert set(np.unique(up)) == {0, 1} and abs(up.mean() - 0.25) < 0.02


def test_scale_of_another_axis_and_numbers_as_zero_points():
    x = tc.ones((4, 8))
    with pytest.raises(ValueError, match="quantize: 4 numbers for the 8 of axis 1"):
        q.quantize(x, tc.ones(4), axis=1)
    assert q.quantize(x, tc.ones(4), axis=0).tolist() == q.quantize(x, tc.ones((1, 4))).tolist()
    assert q.quantize(x, 1.0, 3).tolist() == [[4] * 8] * 4
    assert q.dequantize(q.quantize(x, 1.0, 3), 1.0, 3).tolist() == x.tolist()


def test_calibrate_by_empty_batches_and_huge_numbers():
    some, none = tc.asarray(BATCHES[0]), tc.ones((0, 3))
    for axis in (None, 1):
        with_none = q.calibrate(lambda x: x, [none, some, none], axis=axis)
        np.testing.assert_array_equal(with_none.scale.numpy(), q.calibrate(lambda x: x, [some], axis=axis).scale.numpy())
        with pytest.raises(ValueError, match="activation 0 has no elements in any batch"):
            q.calibrate(lambda x: x, [none], axis=axis)
    ends = tc.asarray(np.float32([-3e38, 3e38]))
    scale, zero_point = q.calibrate(lambda x: x, [ends])
    assert 2.35e36 < scale.item() < 2.36e36 and zero_point.item() in (-1, 0)
    for bad in (np.nan, np.inf, -np.inf, 1e39):
        with pytest.raises(ValueError, match="activation 0 is not finite"):
            q.calibrate(lambda x: x, [tc.asarray(np.array([1.0, 2.0])), tc.asarray(np.array([1.0, bad]))])
    with pytest.raises(ValueError, match="2 activations of batch 1, not 3 as before"):
        q.calibrate(lambda x: [x] * x.shape[0], [tc.ones(3), tc.ones(2)])


def test_refused():
    ones = [tc.ones(3)]
    for call in (
        lambda: q.calibrate(lambda x: x, []),
        lambda: q.calibrate(lambda x: x / 0, ones),
        lambda: q.parameters(0.0, 1.0, dtype="uint8", symmetric=True),
        lambda: q.parameters(0.0, 1.0, dtype="float32"),
        lambda: q.calibrate(lambda x: [x] * int(x.shape[0]), [tc.ones(3), tc.ones(2)]),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(IndexError):
        q.calibrate(lambda x: x, ones, axis=1)
