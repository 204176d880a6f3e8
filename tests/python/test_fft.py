"""Fourier transforms and complex numbers; NumPy is the judge."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import tensorc as tc

RANDOM = np.random.default_rng(0)
# Powers of two, primes with a step of their own and without, products, and one that is twice a prime.
LENGTHS = (1, 2, 3, 8, 13, 17, 60, 97, 256, 1000, 1994)
BOUND = {"float32": 3e-6, "complex64": 3e-6, "float64": 2e-14, "complex128": 2e-14}


def drawn(shape, dtype):
    x = RANDOM.normal(size=shape)
    if dtype.startswith("complex"):
        x = x + 1j * RANDOM.normal(size=shape)
    return x.astype(dtype)


def check_all(dtype, cases):
    """(ours, theirs), compiled as one program."""
    cases = list(cases)
    tc.eval([ours for ours, _ in cases])
    for ours, theirs in cases:
        check(ours, theirs, dtype)


def check(ours, theirs, dtype):
    """Within a part of the root mean square of the result."""
    wide = dtype in ("float64", "complex128")
    kind = "complex" if np.iscomplexobj(theirs) else "float"
    assert ours.dtype.name == {"float": ("float32", "float64"), "complex": ("complex64", "complex128")}[kind][wide]
    assert ours.shape == theirs.shape
    size = np.sqrt(np.mean(np.abs(theirs) ** 2)) if theirs.size else 1
    assert np.max(np.abs(ours.numpy() - theirs), initial=0) <= BOUND[dtype] * max(size, 1e-30) * 4


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_lengths(dtype):
    cases = []
    for n in LENGTHS:
        x = drawn((3, n), dtype)
        cases += [(getattr(tc.fft, name)(tc.asarray(x)), getattr(np.fft, name)(x)) for name in ("fft", "ifft")]
    check_all(dtype, cases)
    # Parseval: of the scaled transform the same sum of squares.
    for n in (8, 17, 1000):
        x = drawn((3, n), dtype)
        y = tc.fft.fft(tc.asarray(x), norm="ortho").numpy()
        np.testing.assert_allclose(np.sum(np.abs(y) ** 2), np.sum(np.abs(x) ** 2), rtol=BOUND[dtype] * 4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_lengths(dtype):
    cases = []
    for n in LENGTHS:
        x, h = drawn((2, n), dtype), drawn((2, n // 2 + 1), "complex64" if dtype == "float32" else "complex128")
        cases.append((tc.fft.rfft(tc.asarray(x)), np.fft.rfft(x)))
        cases.append((tc.fft.irfft(tc.asarray(h), n=n), np.fft.irfft(h, n=n)))
        if n < 100:
            cases.append((tc.fft.ihfft(tc.asarray(x)), np.fft.ihfft(x)))
            cases.append((tc.fft.hfft(tc.asarray(h), n=n), np.fft.hfft(h, n=n)))
            cases.append((tc.fft.irfft(tc.fft.rfft(tc.asarray(x)), n=n), x))
    check_all(dtype, cases)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_norms_axes_and_sizes(norm):
    z, x = drawn((4, 5, 6), "complex128"), drawn((4, 5, 6), "float64")

    def cases():
        for name, array in (("fft", z), ("ifft", z), ("rfft", x), ("irfft", z), ("hfft", z), ("ihfft", x)):
            for n, axis in ((None, 0), (3, -1), (9, 1), (1, 0), (8, 2)):
                theirs = getattr(np.fft, name)(array, n=n, axis=axis, norm=norm)
                yield getattr(tc.fft, name)(tc.asarray(array), n=n, axis=axis, norm=norm), theirs
        for name, array in (("fftn", z), ("ifftn", z), ("rfftn", x), ("irfftn", z)):
            for s, axes in ((None, None), ((3, 8), (0, 2)), ((4,), (1,)), (None, (2, 0)), ((5, 4, 3), (0, 1, 2))):
                theirs = getattr(np.fft, name)(array, s=s, axes=axes, norm=norm)
                yield getattr(tc.fft, name)(tc.asarray(array), s=s, axes=axes, norm=norm), theirs
        for name, array in (("fft2", z), ("ifft2", z), ("rfft2", x), ("irfft2", z)):
            yield getattr(tc.fft, name)(tc.asarray(array), norm=norm), getattr(np.fft, name)(array, norm=norm)

    check_all("float64", cases())


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_hermitian_axes(norm):
    judge = pytest.importorskip("scipy.fft")
    z, x = drawn((4, 5, 6), "complex128"), drawn((4, 5, 6), "float64")

    def cases():
        for name, array in (("hfftn", z), ("ihfftn", x)):
            for s, axes in ((None, None), ((3, 8), (0, 2)), ((4,), (1,)), (None, (2, 0))):
                theirs = getattr(judge, name)(array, s=s, axes=axes, norm=norm)
                yield getattr(tc.fft, name)(tc.asarray(array), s=s, axes=axes, norm=norm), theirs
        for name, array in (("hfft2", z), ("ihfft2", x)):
            yield getattr(tc.fft, name)(tc.asarray(array), norm=norm), getattr(judge, name)(array, norm=norm)

    check_all("float64", cases())


def test_dtypes_and_edges():
    # Integers, booleans and halves are computed in float32.
    for x in (np.arange(6), np.arange(6) > 2, np.arange(6, dtype="float16")):
        check(tc.fft.fft(tc.asarray(x)), np.fft.fft(x.astype("float64")), "float32")
        check(tc.fft.rfft(tc.asarray(x)), np.fft.rfft(x.astype("float64")), "float32")
    assert tc.fft.fft(tc.zeros((0, 4))).shape == (0, 4)
    assert tc.fft.rfft(tc.zeros((2, 0, 4))).shape == (2, 0, 3)
    # Not contiguous.
    x = drawn((6, 8), "complex128")
    check(tc.fft.fft(tc.asarray(x).T[::2, ::-1]), np.fft.fft(x.T[::2, ::-1]), "complex128")
    # What is not finite spreads over its row alone.
    x = np.ones((3, 5))
    x[1, 2], x[2, 0] = np.nan, np.inf
    finite = np.isfinite(tc.fft.rfft(tc.asarray(x)).numpy())
    assert finite[0].all() and not finite[1:].any()


def test_frequencies_and_shifts():
    for n in (1, 2, 5, 8):
        for name in ("fftfreq", "rfftfreq"):
            ours = getattr(tc.fft, name)(n, d=0.3, dtype=tc.float64)
            np.testing.assert_array_equal(ours.numpy(), getattr(np.fft, name)(n, d=0.3))
            assert getattr(tc.fft, name)(n).dtype == tc.float32
    x = np.arange(30).reshape(5, 6)
    for axes in (None, 0, (1,), (0, 1), (-1,)):
        for name in ("fftshift", "ifftshift"):
            ours = getattr(tc.fft, name)(tc.asarray(x), axes=axes)
            np.testing.assert_array_equal(ours.numpy(), getattr(np.fft, name)(x, axes=axes))


@pytest.mark.parametrize("call, text", [
    (lambda: tc.fft.fft(tc.zeros(4), n=0), "fft: a transform has at least one element, not 0"),
    (lambda: tc.fft.irfft(tc.zeros(4), n=-1), "irfft: a transform has at least one element, not -1"),
    (lambda: tc.fft.rfftn(tc.zeros((2, 3)), axes=()), "rfftn: at least one axis is needed"),
    (lambda: tc.fft.fft(tc.zeros((2, 0))), "fft: a transform has at least one element, not 0"),
    (lambda: tc.fft.irfft(tc.zeros(1)), "irfft: a transform has at least one element, not 0"),
    (lambda: tc.fft.fft(tc.zeros(4), norm="half"), "fft: the norm is 'backward', 'ortho' or 'forward', not 'half'"),
    (lambda: tc.fft.rfft(tc.zeros(4) * 1j), "rfft: needs real numbers, not c64"),
    (lambda: tc.fft.fftn(tc.zeros((2, 3)), s=(2,), axes=(0, 1)), "fft: 1 sizes for 2 axes"),
    (lambda: tc.fft.fftn(tc.zeros((2, 3)), axes=(0, -2)), "fft: axis -2 is listed twice"),
    (lambda: tc.fft.fft(tc.zeros((2, 3)), axis=2), "fft: axis 2"),
    (lambda: tc.fft.fft(tc.asarray(1.0)), "fft: "),
    (lambda: tc.fft.fft(tc.zeros(4), n=2**40), "fft: a transform of 1099511627776 elements needs a table of 16384 GiB"),
    (lambda: tc.signal.stft(tc.zeros(64), 16, window="kaiser"), "not 'kaiser'"),
    (lambda: tc.fft.fftfreq(0), "fftfreq: needs at least one element, not 0"),
    (lambda: tc.signal.stft(tc.zeros(4), 16), "stft: a signal of 4 elements cannot be mirrored by half a frame, 8"),
    (lambda: tc.signal.istft(tc.zeros((9, 4)), 16, size=-3), "istft: the size is -3"),
    (lambda: tc.signal.convolve(tc.zeros(4), tc.zeros((2, 2))), "convolve: needs as many axes of both"),
    (lambda: tc.signal.convolve(tc.zeros(4), tc.zeros(2), mode="all"), "convolve: the mode is 'full', 'same' or 'valid'"),
])  # fmt: skip
def test_refused(call, text):
    with pytest.raises((ValueError, IndexError)) as error:
        call()
    assert text in str(error.value)


def test_a_large_prime():
    x = drawn(100_003, "complex128")
    check(tc.fft.fft(tc.asarray(x)), np.fft.fft(x), "complex128")


def test_batches_of_other_sizes_compile_once_more():
    f = tc.jit(lambda x: tc.fft.irfft(tc.fft.rfft(x) * 2j, n=12))
    for rows in (3, 1, 7, 8, 9, 10):
        x = drawn((rows, 12), "float64")
        check(f(tc.asarray(x)), np.fft.irfft(np.fft.rfft(x) * 2j, n=12), "float64")
    for n in (8, 9, 10, 8):
        x = drawn((3, n), "float64")
        check(tc.fft.rfft(tc.asarray(x)), np.fft.rfft(x), "float64")


def test_gradients_and_vmap():
    x = drawn(12, "float64")
    weights = drawn(7, "complex128")

    def loss(x):
        y = tc.fft.rfft(x) * tc.asarray(weights)
        return tc.sum(tc.square(tc.real(y)) + tc.imag(y)) + tc.sum(tc.fft.irfft(y, n=9) ** 3)

    def judge(x):
        y = np.fft.rfft(x) * weights
        return np.sum(y.real**2 + y.imag) + np.sum(np.fft.irfft(y, n=9) ** 3)

    gradient = tc.grad(loss)(tc.asarray(x)).numpy()
    for i in range(12):
        step = np.zeros(12)
        step[i] = 1e-6
        np.testing.assert_allclose(gradient[i], (judge(x + step) - judge(x - step)) / 2e-6, rtol=1e-6, atol=1e-7)
    z = drawn((3, 5, 4), "complex128")
    for axis in (0, 1, 2):
        ours = tc.vmap(lambda row: tc.fft.fft2(row), in_axes=axis)(tc.asarray(z))
        check(ours, np.fft.fft2(np.moveaxis(z, axis, 0)), "complex128")
    ours = tc.vmap(lambda row: tc.fft.irfft(row, n=7))(tc.asarray(z[0]))
    check(ours, np.fft.irfft(z[0], n=7), "complex128")


VENDORS = """
import numpy as np
import tensorc as tc

random = np.random.default_rng(0)
drawn = lambda *shape: random.standard_normal(shape) + 1j * random.standard_normal(shape)
filtered = lambda x, h: tc.sum(tc.fft.irfft(tc.fft.rfft(x) * h, n=34) ** 3)
power = lambda z: tc.sum(tc.square(tc.abs(tc.fft.fft(z * z))))
x, h, z = drawn(34).real, drawn(18), drawn(3, 34, 2)
programs = {
    "gradient": (tc.grad(filtered), x, h),
    "gradient by the filter": (tc.grad(filtered, argnums=1), x, h),
    "tangent": (lambda x, h: tc.jvp(lambda x: filtered(x, h), (x,), (x * 0.5,))[1], x, h),
    "second": (tc.grad(lambda x, h: tc.sum(tc.square(tc.grad(filtered)(x, h)))), x, h),
    "rows": (tc.vmap(lambda row: tc.fft.fft(row, axis=0)), z),
    "columns": (tc.vmap(lambda row: tc.fft.fft(row, axis=0), in_axes=1), z),
    "across": (tc.vmap(lambda row: tc.fft.fft(row, axis=1), in_axes=2), z),
    "gradients of rows": (tc.vmap(tc.grad(power), in_axes=2), z),
    "gradient of rows": (tc.grad(lambda z: tc.sum(tc.vmap(power)(z))), z),
}
for device in ("cuda:0", "rocm:0"):
    for name, (function, *arrays) in programs.items():
        here = function(*map(tc.asarray, arrays)).numpy()
        there = function(*[tc.asarray(a).to(device) for a in arrays])
        assert str(there.device) == device
        np.testing.assert_allclose(there.cpu().numpy(), here, rtol=1e-9, atol=1e-9 * np.abs(here).max(), err_msg=name)
"""


def test_gradients_and_vmap_by_vendors_transforms():
    """34 elements are a call of cuFFT or hipFFT, here of fakes that the build makes beside the package."""
    fakes = pathlib.Path(tc.__file__).parents[2] / "fakes"
    if not fakes.is_dir():
        pytest.skip("a package without the build's fakes")
    settings = {"LD_LIBRARY_PATH": str(fakes), "TENSORC_EMBED_SIMULATED": "1", "TENSORC_FAKE_TRANSFORMS": "1", "TENSORC_FAKE_STATS": "1"}
    done = subprocess.run([sys.executable, "-c", VENDORS], env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = re.findall(r"(\d+) transforms", done.stdout + done.stderr)
    assert len(counts) == 2 and all(int(n) >= 9 for n in counts), done.stderr

def test_signals():
    scipy = pytest.importorskip("scipy.signal")
    x = drawn((2, 300), "float64")
    for name, periodic in (("hann", True), ("hamming", False), ("blackman", True), ("boxcar", True), ("nuttall", False),
                           ("blackmanharris", True), ("flattop", True)):  # fmt: skip
        for n in (1, 2, 9, 64):
            ours = tc.signal.window(name, n, periodic=periodic, dtype=tc.float64)
            np.testing.assert_allclose(ours.numpy(), scipy.get_window(name, n, fftbins=periodic), atol=1e-15)
    named = tc.signal.stft(tc.asarray(x), 64, window="hamming").numpy()
    np.testing.assert_allclose(named, tc.signal.stft(tc.asarray(x), 64, window=scipy.get_window("hamming", 64)).numpy(), atol=1e-13)
    assert tc.signal.stft(tc.asarray(x.astype("f4")), 64, window="hann").dtype == tc.complex64
    window = scipy.get_window("hann", 48)
    for center in (True, False):
        frames = np.pad(x, ((0, 0), (32, 32)), mode="reflect") if center else x
        frames = np.lib.stride_tricks.sliding_window_view(frames, 64, axis=-1)[:, ::12] * np.pad(window, 8)
        ours = tc.signal.stft(tc.asarray(x), 64, hop=12, window=window, center=center)
        check(ours, np.swapaxes(np.fft.rfft(frames), -1, -2), "float64")
        both = tc.signal.stft(tc.asarray(x), 64, hop=12, window=window, center=center, onesided=False)
        check(both, np.swapaxes(np.fft.fft(frames), -1, -2), "float64")
        again = tc.signal.istft(ours, 64, hop=12, window=window, center=center, size=290).numpy()
        known = slice(0, 290) if center else slice(40, 250)
        np.testing.assert_allclose(again[:, known], x[:, known], atol=1e-12)
    cases = []
    shapes = (((7,), (3,)), ((3,), (7,)), ((200,), (90,)), ((9, 8), (3, 5)), ((5, 6, 7), (2, 3, 4)), ((2, 3, 2, 3), (2,) * 4))
    for i, (a, b) in enumerate(shapes):
        u, v = drawn(a, "float64"), drawn(b, "float64")
        z, w = drawn(a, "complex128"), drawn(b, "complex128")
        mode = ("full", "same", "valid")[i % 3]
        for name in ("convolve", "correlate"):
            ours, theirs = getattr(tc.signal, name), getattr(scipy, name)
            cases.append((ours(tc.asarray(u), tc.asarray(v), mode="same"), theirs(u, v, mode="same")))
            cases.append((ours(tc.asarray(u), tc.asarray(v), mode=mode, method="fft"), theirs(u, v, mode=mode)))
            cases.append((ours(tc.asarray(z), tc.asarray(w), mode=mode), theirs(z, w, mode=mode)))
    cases.append((tc.signal.fftconvolve(tc.asarray(x[0]), tc.asarray(x[1])), scipy.fftconvolve(x[0], x[1])))
    tc.eval([ours for ours, _ in cases])
    for ours, theirs in cases:
        np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-11)


def test_convolutions_of_other_dtypes():
    scipy = pytest.importorskip("scipy.signal")
    draw = np.random.default_rng(5)
    integers = {name: draw.integers(0, 1 << bits, size=9).astype(name) for name, bits in (("int8", 7), ("uint16", 9), ("int32", 12), ("int64", 28))}
    integers["bool"] = draw.random(9) < 0.5
    cases = []
    for i, (x, k) in enumerate((x, k) for x in integers.values() for k in range(3)):
        other = (x[2:6], integers["int64"][:4], np.arange(4, dtype=np.int16))[k]
        function, mode = ("convolve", "correlate")[i % 2], ("full", "same", "valid")[i // 3 % 3]
        theirs = getattr(scipy, function)(x, other, mode=mode, method="direct")
        # Transforms do not wrap around, nor hold 2**56.
        for method in ("auto", "fft") if theirs.itemsize > 2 and x.itemsize < 8 else ("auto", "direct"):
            cases.append((getattr(tc.signal, function)(tc.asarray(x), tc.asarray(other), mode=mode, method=method), theirs))
    many = [draw.integers(-50, 50, size=shape) for shape in ((3, 5, 4), (2, 2, 3))]
    cases.append((tc.signal.convolve(*map(tc.asarray, many)), scipy.convolve(*many, method="direct")))
    tc.eval([ours for ours, _ in cases])
    for ours, theirs in cases:
        assert ours.dtype == getattr(tc, theirs.dtype.name)
        np.testing.assert_array_equal(ours.numpy(), theirs)
    ours = tc.signal.fftconvolve(tc.asarray(integers["int32"]), tc.asarray(integers["int8"])).numpy()
    assert ours.dtype == np.float64
    np.testing.assert_allclose(ours, scipy.fftconvolve(integers["int32"], integers["int8"]), rtol=1e-12, atol=1e-6)
    signals = [drawn(n, dtype) for n, dtype in ((9, "float64"), (5, "float32"), (7, "complex64"), (6, "complex128"))]
    cases = []
    for i, (x, y) in enumerate((x, y) for x in signals for y in signals):
        for k, method in enumerate(("direct", "fft")):
            function = ("convolve", "correlate")[(i + k) % 2]
            ours = getattr(tc.signal, function)(tc.asarray(x), tc.asarray(y), method=method)
            cases.append((ours, getattr(scipy, function)(x.astype(complex), y.astype(complex))))
    tc.eval([ours for ours, _ in cases])
    for ours, theirs in cases:
        np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-12 if ours.dtype in (tc.float64, tc.complex128) else 1e-4)


def test_short_convolutions_keep_small_results():
    # A transform would leave nothing of 1 beside 1e27.
    x, y = np.array([1, 1e8, 1e16, 1e24]), np.array([1, -1e3])
    for dtype in (np.float64, np.complex128):
        a, b = x.astype(dtype), y.astype(dtype)
        np.testing.assert_allclose(tc.convolve(tc.asarray(a), tc.asarray(b)).numpy(), np.convolve(a, b), rtol=1e-15)


def test_no_axes_and_two_sides():
    x = tc.asarray([[1.0, 2.0]])
    assert tc.fft.fftn(x, axes=()).tolist() == tc.fft.ifftn(x, axes=()).tolist() == [[1.0, 2.0]]
    assert tc.signal.stft(tc.ones(64) * 1j, 16).shape == (16, 17)


def test_complex_numbers_of_python():
    x = tc.asarray([1 + 2j, 3, True])
    assert x.dtype == tc.complex64 and x.tolist() == [1 + 2j, 3 + 0j, 1 + 0j]
    assert tc.asarray([[0.1j]], dtype=tc.complex128).item() == 0.1j
    assert tc.asarray([0.1, 2], dtype="complex128").tolist() == [0.1 + 0j, 2 + 0j]
    assert tc.asarray(2 - 1j).dtype == tc.complex64 and complex(tc.asarray(2 - 1j)) == 2 - 1j
    assert x[0].item() == 1 + 2j and bool(tc.asarray(1j)) and not bool(tc.asarray(0j))
    for convert in (int, float, lambda v: [0, 1][v]):
        with pytest.raises(TypeError):
            convert(tc.asarray(1j))
    assert repr(tc.asarray([1 + 2j, 0.5j])) == "array([1+2j, 0+0.5j], dtype=complex64)"
    for made, dtype in (
        (tc.ones(2) + 1j, "complex64"), (tc.ones(2, dtype=tc.float64) * 2j, "complex128"), (1j - tc.ones(2), "complex64"),
        (x * 2, "complex64"), (x**2, "complex64"), (x / 2j, "complex64"), (tc.asarray([1, 2]) * 1j, "complex64"),
    ):  # fmt: skip
        assert made.dtype.name == dtype
    np.testing.assert_allclose((x**2 / (1 + 1j)).numpy(), np.array([1 + 2j, 3, 1]) ** 2 / (1 + 1j), rtol=1e-6)
    assert tc.full((2,), 1 - 2j).tolist() == [1 - 2j] * 2
    assert tc.full((2,), 0.1 - 2j, dtype=tc.complex128).tolist() == [0.1 - 2j] * 2
    assert tc.where(tc.asarray([True, False]), 1j, tc.zeros(2)).tolist() == [1j, 0j]
    z = drawn((3, 4), "complex128")
    y = tc.asarray(z)
    for name in ("real", "imag", "conj", "angle", "abs", "exp", "sqrt", "sum", "prod", "mean", "var", "std"):
        np.testing.assert_allclose(getattr(tc, name)(y).numpy(), getattr(np, name)(z), rtol=1e-12)
    np.testing.assert_allclose(tc.var(y, axis=1, correction=1).numpy(), np.var(z, axis=1, ddof=1), rtol=1e-12)
    np.testing.assert_allclose(tc.linalg.vector_norm(y, axis=1).numpy(), np.linalg.norm(z, axis=1), rtol=1e-12)
    np.testing.assert_allclose(tc.linalg.matrix_norm(y).numpy(), np.linalg.norm(z), rtol=1e-12)
    np.testing.assert_allclose(tc.einsum("ij,kj->ik", y, y).numpy(), z @ z.T, rtol=1e-12)
    np.testing.assert_allclose(tc.vecdot(y, y).numpy(), np.vecdot(z, z), rtol=1e-12)
    np.testing.assert_allclose((y @ y.T).numpy(), z @ z.T, rtol=1e-12)
    np.testing.assert_allclose(tc.vmap(lambda row: tc.sum(row * tc.conj(row)))(y).numpy(), np.sum(z * z.conj(), 1), rtol=1e-12)


def test_infinities_beside_zeros():
    """As docs/numerics.md says."""
    long, short = np.arange(1.0, 9), np.arange(1.0, 4)
    for name in ("convolve", "correlate"):
        ours, theirs = getattr(tc, name), getattr(np, name)
        padded, other = long.copy(), short.copy()
        padded[2] = other[1] = np.inf
        np.testing.assert_array_equal(ours(padded, short, "full").numpy(), theirs(padded, short, "full"))
        np.testing.assert_array_equal(ours(long, other, "valid").numpy(), theirs(long, other, "valid"))
        expected = theirs(long, other, "full")
        expected[[0, -1]] = np.nan
        np.testing.assert_array_equal(ours(long, other, "full").numpy(), expected)
    assert np.isnan(tc.signal.convolve(padded, short, method="fft").numpy()).all()
    assert tc.polyval(tc.asarray([1.0, 2.0]), tc.asarray([np.inf, 1.0])).tolist()[1] == 3
    assert np.isnan(tc.polyval(tc.asarray([1.0, 2.0]), tc.asarray(np.inf)).item())
