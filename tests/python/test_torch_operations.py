"""Linear algebra, complex numbers, reductions into places and distances of PyTorch, beside eager PyTorch."""

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import tensorc as tc  # noqa: E402
import tensorc.torch as backend  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    backend.reset_report()


def compiled(function):
    return torch.compile(function, backend="tensorc")


def agrees(function, *args, left=0):
    """The compiled function gives what eager PyTorch does, and leaves so many nodes to it."""
    made, expected = compiled(function)(*args), function(*args)
    for a, b in zip(made if isinstance(made, tuple) else (made,), expected if isinstance(expected, tuple) else (expected,)):
        assert a.dtype == b.dtype
        torch.testing.assert_close(a, b, rtol=2e-5, atol=2e-5, equal_nan=True, check_stride=False)
    assert backend.report().fallbacks == left, backend.report()


def matrices(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype) + 3 * torch.eye(shape[-2], shape[-1], dtype=dtype)


SQUARE = {
    "inv": torch.linalg.inv, "det": torch.linalg.det, "slogdet": lambda x: torch.linalg.slogdet(x)[1],
    "solve": lambda x: torch.linalg.solve(x, x[..., :2] + 1), "solve right": lambda x: torch.linalg.solve(x, x[..., :2, :] + 1, left=False),
    "solve transposed": lambda x: torch.linalg.solve(x.mT, x[..., 0]), "cholesky": lambda x: torch.linalg.cholesky(x @ x.mT),
    "triangular": lambda x: torch.linalg.solve_triangular(x, x + 1, upper=True),
    "triangular right": lambda x: torch.linalg.solve_triangular(x, x + 1, upper=False, left=False, unitriangular=True),
    "svdvals": torch.linalg.svdvals, "eigvalsh": lambda x: torch.linalg.eigvalsh(x + x.mT), "pinv": torch.linalg.pinv,
    "cholesky_solve": lambda x: torch.cholesky_solve(x, torch.linalg.cholesky(x @ x.mT)),
    "lu_solve": lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x + 1),
}  # fmt: skip


@pytest.mark.parametrize("name", SQUARE)
def test_square_matrices(name):
    agrees(SQUARE[name], matrices(2, 5, 5))


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "solve", "solve transposed", "cholesky", "triangular", "svdvals"])
def test_derivatives(name):
    slopes = []
    x = matrices(2, 4, 4)
    for function in (SQUARE[name], compiled(SQUARE[name])):
        argument = x.clone().requires_grad_()
        function(argument).square().sum().backward()
        slopes.append(argument.grad)
    torch.testing.assert_close(*slopes, rtol=1e-8, atol=1e-8)


def _definite(x):
    return x @ x.mH + torch.eye(x.shape[-1], dtype=x.dtype)


def _times(sign, logarithm):
    return sign * logarithm


def _rebuilt(values, vectors):
    """A function of the matrix that does not depend on which eigenvectors are taken."""
    return vectors * values.square().unsqueeze(-2) @ torch.linalg.inv(vectors)


def _by_lu(x, y, left, adjoint):
    return torch.linalg.lu_solve(*torch.linalg.lu_factor(x), y if left else y.mT, left=left, adjoint=adjoint)


COMPLEX = {
    "solve": torch.linalg.solve, "solve_ex": lambda x, y: torch.linalg.solve_ex(x, y)[0], "det": lambda x, y: torch.linalg.det(x),
    "solve transposed": lambda x, y: torch.linalg.solve(x.mT, y.conj()), "pinv": lambda x, y: torch.linalg.pinv(x),
    "pinv with a limit": lambda x, y: torch.linalg.pinv(x[..., :2], rtol=0.01),
    "pinv hermitian": lambda x, y: torch.linalg.pinv(x + x.mH, hermitian=True),
    "inv": lambda x, y: torch.linalg.inv(x), "inv_ex": lambda x, y: torch.linalg.inv_ex(x)[0],
    "solve right": lambda x, y: torch.linalg.solve(x, y.mT, left=False), "slogdet": lambda x, y: _times(*torch.linalg.slogdet(x)),
    "eigvalsh": lambda x, y: torch.linalg.eigvalsh(x + x.mH), "eigh": lambda x, y: _rebuilt(*torch.linalg.eigh(x + x.mH)),
    "eigh upper": lambda x, y: _rebuilt(*torch.linalg.eigh(x + x.mH, UPLO="U")),
    "eig": lambda x, y: _rebuilt(*torch.linalg.eig(x)), "eigvals": lambda x, y: torch.linalg.eigvals(x).pow(3).sum(-1),
    "numbers": lambda x, y: x * x.mT.conj() + x / (x.mT + 9) - 2j * x,
    **{f"lu {a} {b}": lambda x, y, a=a, b=b: _by_lu(x, y, a, b) for a in (False, True) for b in (False, True)},
    **{f"cholesky_solve {u}": lambda x, y, u=u: torch.cholesky_solve(y, torch.linalg.cholesky(_definite(x), upper=u), upper=u)
       for u in (False, True)},
    **{f"cholesky_inverse {u}": lambda x, y, u=u: torch.cholesky_inverse(torch.linalg.cholesky(_definite(x), upper=u), upper=u)
       for u in (False, True)},
}  # fmt: skip


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_matrices_and_their_derivatives(name):
    for dtype, tolerance in ((torch.complex64, 1e-3), (torch.complex128, 1e-9)):
        inputs, results = (matrices(2, 3, 3, dtype=dtype), torch.randn(2, 3, 2, dtype=dtype)), []
        for function in (COMPLEX[name], compiled(COMPLEX[name])):
            x, y = (v.clone().requires_grad_() for v in inputs)
            made = function(x, y)
            made.backward((made.detach() + 1) * (1 + 0.5j if made.is_complex() else 1))
            results.append((made.detach(), x.grad, *([] if y.grad is None else [y.grad])))
        for a, b in zip(*results, strict=True):
            torch.testing.assert_close(a, b, rtol=tolerance, atol=tolerance)
    assert not backend.report().fallbacks, backend.report()


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 4, 4), (1, 1)])
def test_factors(shape):
    x = matrices(*shape)
    agrees(lambda x: tuple(torch.linalg.lu(x)), x)
    agrees(lambda x: tuple(torch.linalg.lu_factor(x)), x)
    agrees(lambda x: torch.lu_unpack(*torch.linalg.lu_factor(x)), x)
    q, r = compiled(torch.linalg.qr)(x)
    torch.testing.assert_close(q @ r, x)
    u, s, v = compiled(lambda x: tuple(torch.linalg.svd(x, full_matrices=False)))(x)
    torch.testing.assert_close(u * s.unsqueeze(-2) @ v, x)


def test_a_singular_matrix_is_an_error_as_eagers():
    singular = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
    for function in (torch.linalg.inv, lambda x: torch.linalg.solve(x, x), lambda x: torch.linalg.cholesky(-x)):
        with pytest.raises(torch.linalg.LinAlgError) as expected:
            function(singular)
        with pytest.raises(torch.linalg.LinAlgError) as made:
            compiled(function)(singular)
        assert str(made.value) == str(expected.value)
    x = torch.diag_embed(torch.tensor([[1.0, 2, 3], [1, 2, -3], [1, -2, -3], [float("nan"), 1, 1]]))
    agrees(lambda x: torch.linalg.cholesky_ex(x).info, x)
    agrees(lambda x: torch.linalg.inv_ex(x).info, x * torch.tensor([1.0, 0, 1]))
    agrees(lambda x: torch.linalg.inv_ex(x).info, x * torch.tensor([1j, 0, 1]))


def test_complex_numbers():
    x, y = torch.randn(3, 4, dtype=torch.complex64), torch.randn(4, 2, dtype=torch.complex64)
    agrees(lambda x, y: (x @ y * (1 + 2j), x.abs(), x.angle(), x.conj() + 1, torch.view_as_real(x), x.real, x.imag), x, y)
    agrees(lambda x: (x.conj() * 2, x.sum(0), x.mean(), torch.linalg.vector_norm(x), x.isnan(), x != 0), x.conj())
    agrees(lambda x: torch.exp(torch.view_as_complex(x)), torch.randn(3, 2))
    agrees(lambda r, i: torch.complex(r, i).to(torch.complex128), torch.randn(3), torch.randn(3))
    agrees(lambda x: x.imag * 2, x.conj())  # PyTorch keeps the negative numbers of such a part for later


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_fourier(norm):
    x = torch.randn(3, 8, 6)
    agrees(lambda x: torch.fft.irfft2(torch.fft.rfft2(x, norm=norm) * 2, norm=norm), x)
    agrees(lambda x: torch.fft.ifftn(torch.fft.fftn(x, dim=(0, 2), norm=norm), dim=1, norm=norm), x)
    agrees(lambda x: (torch.fft.hfft(x, 7, norm=norm), torch.fft.ihfft(x, norm=norm)), x)


def test_a_filter_has_a_gradient():
    slopes = []
    weight = torch.randn(5, dtype=torch.complex64)
    for wrap in (lambda f: f, compiled):
        w = weight.clone().requires_grad_()
        wrap(lambda w: torch.fft.irfft(torch.fft.rfft(torch.linspace(0, 1, 8)) * w))(w).square().sum().backward()
        slopes.append(w.grad)
    torch.testing.assert_close(*slopes)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_reductions_into_places(dtype, include_self):
    x, source = torch.randint(-5, 9, (4, 3)).to(dtype), torch.randint(-5, 9, (6, 3)).to(dtype)
    rows = torch.randint(0, 4, (6, 3))
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        agrees(lambda x, rows, s, r=reduce: x.scatter_reduce(0, rows, s, r, include_self=include_self), x, rows, source)
    for reduce in ("prod", "mean", "amax", "amin"):
        agrees(lambda x, rows, s, r=reduce: x.index_reduce(0, rows, s, r, include_self=include_self), x, rows[:, 0], source)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags(mode):
    bag = nn.EmbeddingBag(10, 4, mode=mode)
    with torch.no_grad():
        agrees(bag, torch.tensor([1, 2, 9, 0, 3]), torch.tensor([0, 0, 3]))
        torch._dynamo.reset()  # else sizes are no numbers
        agrees(bag, torch.tensor([[1, 2, 9], [0, 3, 3]]))
        assert "scatter" not in tc.last_kernels()  # all bags are as large
        if mode == "sum":
            agrees(bag, torch.tensor([[1, 2, 9], [0, 3, 3]]), None, torch.randn(2, 3))


def test_distances_and_searches():
    x, y = torch.randn(2, 5, 3), torch.randn(2, 4, 3)
    for p in (0.0, 1.0, 2.0, 3.5, float("inf")):
        agrees(lambda x, y, p=p: torch.cdist(x, y, p), x, y)
        agrees(lambda x, p=p: nn.functional.pdist(x, p), x[0])
    agrees(nn.functional.bilinear, torch.randn(5, 3), torch.randn(5, 4), torch.randn(2, 3, 4))
    edges = torch.tensor([0.0, 1, 1, 2, 5])
    values = torch.tensor([[-1.0, 1, 1.5], [5, 6, float("nan")]])
    for right in (False, True):
        agrees(lambda v, e: (torch.bucketize(v, e, right=right), torch.searchsorted(e, v, right=right)), values, edges)
    agrees(lambda v, e: torch.bucketize(v, e), torch.tensor([3, 1]), edges)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_attention_of_narrow_floats_keeps_its_scores(dtype):
    q, k, v = ((torch.rand(1, 2, 6, 8) * 18 - 9).to(dtype) for _ in range(3))
    attend = nn.functional.scaled_dot_product_attention
    truth = attend(q.double(), k.double(), v.double())
    error = (compiled(attend)(q, k, v).double() - truth).abs().max()
    assert error <= 1.5 * (attend(q, k, v).double() - truth).abs().max()  # rounded scores: nine times as much


def test_pools_of_one_image():
    x = torch.randn(2, 9, 8)
    agrees(lambda x: (nn.functional.max_pool2d(x, 3, 2), nn.functional.avg_pool2d(x, 2, divisor_override=3)), x)
    agrees(lambda x: (nn.functional.max_pool3d(x[None], 2), nn.functional.adaptive_max_pool2d(x, 3)), x)
    agrees(lambda x: nn.functional.max_pool3d(x[None], 2, return_indices=True)[1], x, left=1)


def test_others():
    agrees(lambda x: (x << 3, x >> 1, 1 << x, torch.signbit(x)), torch.tensor([1, 5, 0]))
    agrees(lambda x: (torch.sign(x), torch.sgn(x), torch.signbit(torch.sign(x))), torch.tensor([1.5, -0.0, 0.0, float("nan"), -float("inf")]))
    agrees(lambda x: (torch.sign(x), torch.sgn(x)), torch.tensor([True, False]))
    agrees(lambda x: (torch.sign(x), torch.sgn(x)), torch.tensor([-3, 0, 2]))
    agrees(lambda x: (torch.signbit(x), torch.digamma(x), torch.logcumsumexp(x, 0)), torch.tensor([1.5, -0.0, float("inf")]))
    agrees(lambda x: torch.nonzero_static(x, size=5), torch.tensor([[0, 1], [2, 3]]))
    agrees(lambda x: x.unfold(0, 1, 1), torch.tensor(3.0))
    agrees(lambda x, g: nn.functional.grid_sample(x, g, align_corners=False), torch.randn(1, 2, 5, 6), torch.rand(1, 3, 4, 2) * 2 - 1)
