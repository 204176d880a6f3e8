"""Measures the times of another library for the kernels of gpu_tests.py, in a separate process.

    python3 gpu_peers.py LIBRARY DEVICE CASES

LIBRARY is cublas, torch, triton or flash_attn. CASES is a JSON list of {"kernel": ..., "sizes": [...]}. Prints a line
of JSON for each case: its seconds, or the reason why it has none.
"""

import ctypes
import importlib
import json
import sys
import time


class Absent(Exception):
    """The library, or its kernel for a case, is not available. The text contains the reason."""


def shortest(launch, wait, elapsed=0.1, rounds=5):
    """Returns the seconds of one launch: the minimum over some rounds of many launches."""
    for _ in range(3):
        launch()
    wait()
    begin = time.perf_counter()
    launch()
    wait()
    count = max(1, min(1000, int(elapsed / max(time.perf_counter() - begin, 1e-6))))
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            launch()
        wait()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


def load(name):
    try:
        return importlib.import_module(name)
    except Exception as error:  # importing a package may fail in any way, also because its dependencies are missing
        raise Absent(f"{name} is not installed" if isinstance(error, ImportError) and error.name == name
                     else f"{name} does not load: {error}")


class Torch:
    """PyTorch. Its matrix products are those of cuBLAS or hipBLASLt."""

    def __init__(self, ordinal):
        self.torch = load("torch")
        if not self.torch.cuda.is_available():
            raise Absent("torch was built without this GPU, or sees none")
        self.device = self.torch.device("cuda", ordinal)
        self.torch.cuda.set_device(self.device)
        self.torch.backends.cuda.matmul.allow_tf32 = False

    def wait(self):
        self.torch.cuda.synchronize(self.device)

    def random(self, *sizes, dtype="float32"):
        return self.torch.randn(*sizes, device=self.device, dtype=getattr(self.torch, dtype))

    def operands(self, kernel, sizes):
        if kernel.startswith("gemm_"):
            dtype = {"f16": "float16", "bf16": "bfloat16", "f32": "float32"}[kernel[len("gemm_"):]]
            m, k, n = sizes
            return [self.random(m, k, dtype=dtype), self.random(k, n, dtype=dtype)]
        if kernel.startswith("attention"):
            return [self.random(*sizes, 64, dtype="float16") for _ in range(3)]
        return [self.random(*sizes) for _ in range(2 if kernel == "add" else 1)]

    def function(self, kernel, sizes):
        functional = self.torch.nn.functional
        functions = {"attention": functional.scaled_dot_product_attention,
                     "attention_causal": lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True),
                     "add": self.torch.add, "softmax": lambda x: self.torch.softmax(x, 1),
                     "layer_norm": lambda x: functional.layer_norm(x, x.shape[1:]),
                     "sum_rows": lambda x: x.sum(1), "transpose": lambda x: x.t().contiguous()}
        return self.torch.matmul if kernel.startswith("gemm_") else functions[kernel]

    def seconds(self, kernel, sizes):
        function = self.function(kernel, sizes)
        operands = self.operands(kernel, sizes)
        return shortest(lambda: function(*operands), self.wait)


class FlashAttention(Torch):
    """Dao's flash attention kernels, which take (batch, length, heads, 64)."""

    def __init__(self, ordinal):
        super().__init__(ordinal)
        self.call = load("flash_attn").flash_attn_func

    def operands(self, kernel, sizes):
        batch, heads, length = sizes
        return [self.random(batch, length, heads, 64, dtype="float16") for _ in range(3)]

    def function(self, kernel, sizes):
        if not kernel.startswith("attention"):
            raise Absent("has no such kernel")
        return lambda q, k, v: self.call(q, k, v, causal=kernel.endswith("causal"))


# The kernels are a text, because Triton compiles functions that it finds in files.
TRITON = '''
import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({"M": m, "N": n, "K": k}, num_stages=s, num_warps=w)
                          for m, n, k, s, w in [(128, 256, 64, 3, 8), (128, 128, 64, 4, 8), (128, 128, 32, 4, 4),
                                                (64, 128, 64, 4, 4)]], key=["m", "n", "k"])
@triton.jit
def gemm(x, y, z, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    block = tl.program_id(0)
    columns = tl.cdiv(n, N)
    rows, cols = (block // columns) * M + tl.arange(0, M), (block % columns) * N + tl.arange(0, N)
    sums = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, k, K):
        steps = step + tl.arange(0, K)
        a = tl.load(x + rows[:, None] * k + steps[None, :], mask=(rows[:, None] < m) & (steps[None, :] < k), other=0.0)
        b = tl.load(y + steps[:, None] * n + cols[None, :], mask=(steps[:, None] < k) & (cols[None, :] < n), other=0.0)
        sums = tl.dot(a, b, sums)
    tl.store(z + rows[:, None] * n + cols[None, :], sums.to(z.dtype.element_ty),
             mask=(rows[:, None] < m) & (cols[None, :] < n))

@triton.jit
def softmax(x, y, n, N: tl.constexpr):
    columns = tl.arange(0, N)
    at = tl.program_id(0) * n + columns
    row = tl.load(x + at, mask=columns < n, other=-float("inf"))
    weights = tl.exp(row - tl.max(row, 0))
    tl.store(y + at, weights / tl.sum(weights, 0), mask=columns < n)

@triton.jit
def add(x, y, z, n, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(z + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)
'''


class Triton(Torch):
    """Kernels as in Triton's tutorials."""

    def __init__(self, ordinal):
        super().__init__(ordinal)
        self.triton = load("triton")
        import tempfile
        self.folder = tempfile.TemporaryDirectory()
        with open(self.folder.name + "/gpu_peers_triton.py", "w") as file:
            file.write(TRITON)
        sys.path.insert(0, self.folder.name)
        self.kernels = load("gpu_peers_triton")

    def function(self, kernel, sizes):
        triton, kernels, torch = self.triton, self.kernels, self.torch
        if kernel in ("gemm_f16", "gemm_bf16"):
            m, k, n = sizes
            out = self.random(m, n, dtype={"f16": "float16", "bf16": "bfloat16"}[kernel[len("gemm_"):]])
            grid = lambda meta: (triton.cdiv(m, meta["M"]) * triton.cdiv(n, meta["N"]),)
            return lambda x, y: kernels.gemm[grid](x, y, out, m, n, k)
        if kernel == "softmax":
            return lambda x: kernels.softmax[(sizes[0],)](x, torch.empty_like(x), sizes[1],
                                                          triton.next_power_of_2(sizes[1]))
        if kernel == "add":
            count = sizes[0] * sizes[1]
            return lambda x, y: kernels.add[(triton.cdiv(count, 1024),)](x, y, torch.empty_like(x), count, 1024)
        raise Absent("not written here")


class Cublas:
    """cuBLAS, called by its C interface on memory of the CUDA driver. Needs no Python package."""

    def __init__(self, ordinal):
        self.cuda = self.library("libcuda.so.1", "libcuda.so")
        self.blas = self.library("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so")
        context = ctypes.c_void_p()
        self.check("cuInit", self.cuda, 0)
        self.check("cuDevicePrimaryCtxRetain", self.cuda, ctypes.byref(context), ordinal)
        self.check("cuCtxSetCurrent", self.cuda, context)
        self.handle = ctypes.c_void_p()
        self.check("cublasCreate_v2", self.blas, ctypes.byref(self.handle))

    @staticmethod
    def library(*names):
        for name in names:
            try:
                return ctypes.CDLL(name)
            except OSError:
                continue
        raise Absent(f"{names[-1]} is not installed")

    @staticmethod
    def check(name, library, *arguments):
        try:
            function = getattr(library, name)
        except AttributeError:
            raise Absent(f"the library has no {name}")
        code = function(*arguments)
        if code:
            raise Absent(f"{name} fails: error {code}")

    def allocate(self, size):
        data = ctypes.c_void_p()
        self.check("cuMemAlloc_v2", self.cuda, ctypes.byref(data), ctypes.c_size_t(size))
        self.check("cuMemsetD16_v2", self.cuda, data, ctypes.c_ushort(0x3c00), ctypes.c_size_t(size // 2))
        return data

    def seconds(self, kernel, sizes):
        if not kernel.startswith("gemm_"):
            raise Absent("has no such kernel")
        # The cudaDataType and the bytes of an element. Sums are f32 (CUBLAS_COMPUTE_32F).
        dtype, width = {"gemm_f16": (2, 2), "gemm_bf16": (14, 2), "gemm_f32": (0, 4)}[kernel]
        compute_f32, default_algorithm, plain = 68, -1, 0
        m, k, n = sizes
        x, y, z = (self.allocate(width * count) for count in (m * k, k * n, m * n))
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        # Column-major: z^T = y^T x^T.
        arguments = (self.handle, plain, plain, n, m, k, ctypes.byref(one), y, dtype, n, x, dtype, k,
                     ctypes.byref(zero), z, dtype, n, compute_f32, default_algorithm)
        try:
            return shortest(lambda: self.check("cublasGemmEx", self.blas, *arguments),
                            lambda: self.check("cuCtxSynchronize", self.cuda))
        finally:
            for data in (x, y, z):
                self.check("cuMemFree_v2", self.cuda, data)


LIBRARIES = {"cublas": Cublas, "torch": Torch, "triton": Triton, "flash_attn": FlashAttention}


def main():
    library, device, cases = sys.argv[1:]
    try:
        peer = LIBRARIES[library](int(device.split(":")[1]) if ":" in device else 0)
    except Absent as absent:
        print(json.dumps({"absent": str(absent)}))
        return
    for case in json.loads(cases):
        try:
            result = {"seconds": peer.seconds(case["kernel"], case["sizes"])}
        except Absent as absent:
            result = {"reason": str(absent)}
        except Exception as error:  # out of memory or any error of a library; the next case may succeed
            result = {"reason": f"{type(error).__name__}: {error}"[:500]}
        print(json.dumps({"kernel": case["kernel"], **result}), flush=True)


if __name__ == "__main__":
    main()
