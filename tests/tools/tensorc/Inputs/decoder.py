"""Prints a decoder of two layers like those of GPT-2, whose weights are constants.

  decoder.py ROWS DIM
"""

import random
import struct
import sys

rows, dim = map(int, sys.argv[1:])
heads = 2
lines, values = [], iter(range(1000))
random.seed(37)


def kind(*dims):
    return "tensor<" + "".join(f"{d}x" for d in dims) + "f32>"


def add(op):
    name = f"%t{next(values)}"
    lines.append(f"  {name} = {op}")
    return name


def constant(*dims):
    count = dims[0] * (dims[1] if len(dims) > 1 else 1)
    data = struct.pack(f"<{count}f", *(random.uniform(-0.1, 0.1) for _ in range(count)))
    return add(f'tx.constant dense<"0x{data.hex()}"> : {kind(*dims)}')


def product(x, k, n):
    w, b = constant(k, n), constant(n)
    types = f"({kind(rows, k)}, {kind(k, n)}) -> {kind(rows, n)}"
    y = add(f"tx.dot_general {x}, {w} batch = [] x [] contracting = [1] x [0] : {types}")
    bias = add(f"tx.broadcast {b} dims = [1] : {kind(n)} -> {kind(rows, n)}")
    return add(f"tx.add {y}, {bias} : {kind(rows, n)}")


def split(x, first):
    size = kind(rows, dim)
    part = add(f"tx.slice {x} offsets = [0, {first}] strides = [1, 1] : {kind(rows, 3 * dim)} -> {size}")
    whole = add(f"tx.reshape {part} : {size} -> {kind(1, rows, heads, dim // heads)}")
    return add(f"tx.transpose {whole} permutation = [0, 2, 1, 3] : {kind(1, rows, heads, dim // heads)} -> {kind(1, heads, rows, dim // heads)}")


def attention(x):
    q, k, v = (split(x, i * dim) for i in range(3))
    of = kind(1, heads, rows, dim // heads)
    scale = add("tx.constant dense<0.25> : tensor<f32>")
    y = add(f"tx.attention {q}, {k}, {v}, {scale} groups = 1 causal : ({of}, {of}, {of}, tensor<f32>) -> {of}")
    back = add(f"tx.transpose {y} permutation = [0, 2, 1, 3] : {of} -> {kind(1, rows, heads, dim // heads)}")
    return add(f"tx.reshape {back} : {kind(1, rows, heads, dim // heads)} -> {kind(rows, dim)}")


def norm(x):
    e = add("tx.constant dense<0.001> : tensor<f32>")
    return add(f"tx.layer_norm {x}, {e} : ({kind(rows, dim)}, tensor<f32>) -> {kind(rows, dim)}")


def layer(x):
    x = add(f"tx.add {x}, {product(attention(product(norm(x), dim, 3 * dim)), dim, dim)} : {kind(rows, dim)}")
    h = add(f"tx.gelu {product(norm(x), dim, 4 * dim)} : {kind(rows, 4 * dim)}")
    return add(f"tx.add {x}, {product(h, 4 * dim, dim)} : {kind(rows, dim)}")


y = layer(layer("%x"))
print(f'func.func @main(%x: {kind(rows, dim)} {{tx.name = "x"}}) -> ({kind(rows, dim)} {{tx.name = "y"}}) {{')
print("\n".join(lines))
print(f"  return {y} : {kind(rows, dim)}\n}}")
