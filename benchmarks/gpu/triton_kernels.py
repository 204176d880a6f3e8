"""Kernels of Triton's tutorials, compiled without a GPU. benchmarks/gpu_static.py compares their code with ours.

Each kernel is written as usual for Triton, with a tile size that its autotuner often chooses. KERNELS maps the name of
a function of benchmarks/gpu/profiled.mlir to Triton's kernel for the same sizes (4096 x 4096 for products).
"""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def bias_gelu(x, b, o, n, B: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m) + tl.load(b + i % N, m)
    tl.store(o + i, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), m)


@triton.jit
def swiglu(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m).to(tl.float32)
    tl.store(o + i, (v * tl.sigmoid(v)).to(tl.bfloat16) * tl.load(y + i, m), m)


@triton.jit
def chain(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m)
    t = 2 * tl.sigmoid(2 * tl.exp(v * tl.load(y + i, m))) - 1  # tanh
    tl.store(o + i, tl.sqrt(t + v), m)


@triton.jit
def dequantize(x, s, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, i < n).to(tl.float32) * tl.load(s), i < n)


@triton.jit
def softmax(x, o, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + j, j < n, -float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * n + j, e / tl.sum(e, 0), j < n)


@triton.jit
def log_softmax(x, o, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + j, j < n, -float("inf"))
    v -= tl.max(v, 0)
    tl.store(o + row * n + j, v - tl.log(tl.sum(tl.exp(v), 0)), j < n)


@triton.jit
def layer_norm(x, s, b, o, n, eps, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + j, j < n, 0)
    mean = tl.sum(v, 0) / n
    d = tl.where(j < n, v - mean, 0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(o + row * n + j, d * r * tl.load(s + j, j < n) + tl.load(b + j, j < n), j < n)


@triton.jit
def rms_norm(x, s, o, n, eps, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + j, j < n, 0).to(tl.float32)
    r = 1 / tl.sqrt(tl.sum(v * v, 0) / n + eps)
    tl.store(o + row * n + j, v * r * tl.load(s + j, j < n), j < n)


@triton.jit
def sum_rows(x, o, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    tl.store(o + row, tl.sum(tl.load(x + row * n + j, j < n, 0), 0))


@triton.jit
def max_rows(x, o, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    tl.store(o + row, tl.max(tl.load(x + row * n + j, j < n, -float("inf")), 0))


@triton.jit
def sum_columns(x, o, m, n, M: tl.constexpr, N: tl.constexpr):
    j = tl.program_id(0) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for i in range(0, m, M):
        total += tl.load(x + (i + tl.arange(0, M))[:, None] * n + j[None, :])
    tl.store(o + j, tl.sum(total, 0))


@triton.jit
def transpose(x, o, m, n, M: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    t = tl.load(x + i[:, None] * n + j[None, :])
    tl.store(o + j[:, None] * m + i[None, :], tl.trans(t))


@triton.jit
def gemm(x, y, bias, o, m, n, k, sk, sn, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, RELU: tl.constexpr):
    tiles = tl.cdiv(n, N)
    i = tl.program_id(0) // tiles * M + tl.arange(0, M)
    j = tl.program_id(0) % tiles * N + tl.arange(0, N)
    l = tl.arange(0, K)
    px, py = x + i[:, None] * k + l[None, :], y + l[:, None] * sk + j[None, :] * sn
    total = tl.zeros((M, N), tl.float32)
    for s in range(0, k, K):
        a = tl.load(px, mask=l[None, :] < k - s, other=0)
        b = tl.load(py, mask=l[:, None] < k - s, other=0)
        total = tl.dot(a, b, total)
        px += K
        py += K * sk
    if RELU:
        total = tl.maximum(total + tl.load(bias + j)[None, :], 0)
    tl.store(o + i[:, None] * n + j[None, :], total.to(o.dtype.element_ty), (i[:, None] < m) & (j[None, :] < n))


@triton.jit
def attention(q, k, v, o, scale, s, GROUPS: tl.constexpr, CAUSAL: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
              D: tl.constexpr):
    head = tl.program_id(1)
    i, d, j = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, D), tl.arange(0, N)
    kv = head // GROUPS * s * D
    a = tl.load(q + head * s * D + i[:, None] * D + d[None, :])
    high = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    out = tl.zeros((M, D), tl.float32)
    for t in range(0, (tl.program_id(0) + 1) * M if CAUSAL else s, N):
        scores = tl.dot(a, tl.load(k + kv + (t + j)[None, :] * D + d[:, None])) * (scale * 1.4426950408889634)
        if CAUSAL:
            scores = tl.where(i[:, None] >= (t + j)[None, :], scores, -1e6)
        new = tl.maximum(high, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        old = tl.exp2(high - new)
        total = total * old + tl.sum(p, 1)
        out = tl.dot(p.to(tl.float16), tl.load(v + kv + (t + j)[:, None] * D + d[None, :]), out * old[:, None])
        high = new
    tl.store(o + head * s * D + i[:, None] * D + d[None, :], (out / total[:, None]).to(tl.float16))


def gemm_of(dtype, sk, sn, relu=False):
    return (gemm, dict(x=f"*{dtype}", y=f"*{dtype}", bias=f"*{dtype}", o=f"*{dtype}", m="i32", n="i32", k="i32"),
            dict(sk=sk, sn=sn, M=128, N=128, K=64, RELU=relu), 8)


def attention_of(groups, causal):
    types = dict(q="*fp16", k="*fp16", v="*fp16", o="*fp16", scale="fp32", s="i32")
    return attention, types, dict(GROUPS=groups, CAUSAL=causal, M=128, N=64, D=64), 8 if causal else 4


F32, F16 = "*fp32", "*fp16"
# Maps each name to a kernel, the types of its arguments, its constants and its number of warps.
KERNELS = {
    "bias_gelu": (bias_gelu, dict(x=F32, b=F32, o=F32, n="i32"), dict(B=1024, N=1024), 4),
    "swiglu_bf16": (swiglu, dict(x="*bf16", y="*bf16", o="*bf16", n="i32"), dict(B=1024), 4),
    "chain": (chain, dict(x=F32, y=F32, o=F32, n="i32"), dict(B=1024), 4),
    "dequantize": (dequantize, dict(x="*i8", s=F32, o=F32, n="i32"), dict(B=1024), 4),
    "softmax": (softmax, dict(x=F32, o=F32, n="i32"), dict(B=1024), 8),
    "softmax_f16": (softmax, dict(x=F16, o=F16, n="i32"), dict(B=1024), 8),
    "log_softmax": (log_softmax, dict(x=F32, o=F32, n="i32"), dict(B=1024), 8),
    "layer_norm": (layer_norm, dict(x=F32, s=F32, b=F32, o=F32, n="i32", eps="fp32"), dict(B=1024), 8),
    "rms_norm": (rms_norm, dict(x=F16, s=F16, o=F16, n="i32", eps="fp32"), dict(B=1024), 8),
    "sum_rows": (sum_rows, dict(x=F32, o=F32, n="i32"), dict(B=1024), 8),
    "max_rows_f16": (max_rows, dict(x=F16, o=F16, n="i32"), dict(B=1024), 8),
    "sum_columns": (sum_columns, dict(x=F32, o=F32, m="i32", n="i32"), dict(M=32, N=32), 4),
    "transpose": (transpose, dict(x=F32, o=F32, m="i32", n="i32"), dict(M=64, N=64), 4),
    "transpose_f16": (transpose, dict(x=F16, o=F16, m="i32", n="i32"), dict(M=64, N=64), 4),
    "gemm_f16": gemm_of("fp16", 4096, 1),
    "gemm_bf16": gemm_of("bf16", 4096, 1),
    "gemm_f16_transposed": gemm_of("fp16", 1, 4096),
    "linear_relu_f16": gemm_of("fp16", 4096, 1, relu=True),
    "attention": attention_of(1, False),
    "attention_grouped": attention_of(2, True),
}


def cubin(name, capability):
    """Returns the machine code of a kernel for a compute capability, such as 90."""
    kernel, types, constants, warps = KERNELS[name]
    signature = dict(types, **{each: "constexpr" for each in constants})
    order = list(kernel.arg_names)
    # Pointers and sizes are multiples of 16. Triton detects that when it compiles for actual arguments.
    aligned = {(order.index(each),): [["tt.divisibility", 16]] for each, kind in types.items() if kind != "fp32"}
    source = ASTSource(kernel, {each: signature[each] for each in order}, constants, aligned)
    options = {"num_warps": warps, "num_stages": 3}
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options).asm["cubin"]
