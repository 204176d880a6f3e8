#!/usr/bin/env python3
"""Runs ResNet-50, BERT-base and GPT-2 with random weights under memory limits, and compares the results bit by bit.

  PYTHONPATH=build/python python3 benchmarks/memory/networks.py [--only=WORD] [--device=cpu] [--batch=8] [--length=128]

Limits are parts of what a run takes without a limit, beside the weights that are on the device already. If a part is not
feasible, bisection finds the smallest limit that is, to a hundredth. `train` is the gradient of the loss of all weights;
the other rows are inference. Prints bytes of a run and CPU times relative to the run without a limit, compilation excluded.
"""

import argparse
import time

import numpy as np
import tensorc as tc
from tensorc import nn


class Weights:
    """Makes random weights on the device, in the order in which a model asks for them, or replays them."""

    def __init__(self, device):
        self.device, self.rng, self.list, self.next = device, np.random.default_rng(0), [], 0

    def __call__(self, *shape):
        if self.next == len(self.list):
            value = self.rng.standard_normal(shape, np.float32) * np.float32(0.02)
            self.list.append(tc.asarray(value).to(self.device).eval())
        self.next += 1
        return self.list[self.next - 1]


def resnet50(w, x):
    def norm(x, c):
        return nn.batch_norm(x, w(c), w(c) ** 2 + 1, w(c) + 1, w(c))

    def conv(x, c, o, k, stride=1):
        return norm(nn.conv(x, w(o, c, k, k), stride=stride, padding=k // 2), o)

    x = nn.max_pool(tc.maximum(conv(x, 3, 64, 7, 2), 0), 3, stride=2, padding=1)
    c = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            by = stride if block == 0 else 1
            y = tc.maximum(conv(x, c, width, 1), 0)
            y = conv(tc.maximum(conv(y, width, width, 3, by), 0), width, 4 * width, 1)
            x = tc.maximum(y + (conv(x, c, 4 * width, 1, by) if block == 0 else x), 0)
            c = 4 * width
    return tc.mean(x, axis=(2, 3)) @ w(2048, 1000)


def transformer(w, tokens, words, before, causal, dim=768, heads=12, layers=12):
    batch, length = tokens.shape
    scale = lambda: (w(dim) + 1, w(dim))  # noqa: E731
    table = w(words, dim)
    x = nn.embedding(tokens, table) + w(length, dim)
    x = x if before else nn.layer_norm(x, *scale())

    def split(y):
        return tc.permute_dims(tc.reshape(y, (batch, length, heads, dim // heads)), (0, 2, 1, 3))

    for _ in range(layers):
        h = nn.layer_norm(x, *scale()) if before else x
        q, k, v = (split(h @ w(dim, dim) + w(dim)) for _ in range(3))
        a = tc.permute_dims(nn.attention(q, k, v, causal=causal), (0, 2, 1, 3))
        x = x + (tc.reshape(a, (batch, length, dim)) @ w(dim, dim) + w(dim))
        x = x if before else nn.layer_norm(x, *scale())
        h = nn.layer_norm(x, *scale()) if before else x
        x = x + (nn.gelu(h @ w(dim, 4 * dim) + w(4 * dim)) @ w(4 * dim, dim) + w(dim))
        x = x if before else nn.layer_norm(x, *scale())
    return nn.layer_norm(x[:, -1], *scale()) @ table.T if before else x


def gpt2(w, tokens):
    return transformer(w, tokens, 50257, True, True)


def bert(w, tokens):
    return transformer(w, tokens, 30522, False, False)


def rows(arguments):
    tokens = np.random.default_rng(1).integers(0, 30000, (arguments.batch, arguments.length))
    images = np.random.default_rng(1).standard_normal((arguments.batch, 3, 224, 224), np.float32)
    for name, model, given in (("ResNet-50", resnet50, images), ("BERT-base", bert, tokens), ("GPT-2", gpt2, tokens)):
        yield name, model, given, False
    yield "BERT-base, train", bert, tokens, True


def make(model, given, trains, device):
    """A function without arguments that runs the model, and the weights, which it captures."""
    weights, x = Weights(device), tc.asarray(given).to(device).eval()
    model(weights, x)

    def run(values):
        weights.list, weights.next = list(values), 0
        return model(weights, x)

    values = list(weights.list)
    if trains:
        gradient = tc.jit(tc.grad(lambda values: tc.mean(run(values) ** 2)))
        return lambda: gradient(values)
    infer = tc.jit(run)
    return lambda: [infer(values)]


def cpu_seconds(call, device):
    begin = time.process_time()
    tc.eval(*call())
    tc.synchronize(device)
    return time.process_time() - begin


def measure(call, device, limit=None):
    """The results as bytes, the bytes that the run took, and seconds of CPU time. None if it does not fit."""
    tc.synchronize(device)
    tc.empty_cache(device)
    tc.reset_peak(device)
    before = tc.memory_stats(device)["allocated"]
    try:
        if limit is not None:
            tc.set_memory_limit(before + limit, device)
        results = call()
        tc.eval(*results)
        tc.synchronize(device)
        peak = tc.memory_stats(device)["peak"] - before
        bits = [np.asarray(r).tobytes() for r in results]
        del results
        seconds = min(cpu_seconds(call, device) for _ in range(3))
    except MemoryError:
        return None
    finally:
        tc.set_memory_limit(0, device)
    return bits, peak, seconds


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--length", type=int, default=128)
    arguments = parser.parse_args()
    device = arguments.device
    print("| network | part | bytes of the run | time | bits |")
    print("|---|---|---|---|---|")
    for name, model, given, trains in rows(arguments):
        if arguments.only not in name:
            continue
        call = make(model, given, trains, device)
        call()
        bits, natural, seconds = measure(call, device)
        print(f"| {name} | none | {natural} | 1.00 | |", flush=True)

        def row(part, name=name, call=call, bits=bits, natural=natural, seconds=seconds):
            found = measure(call, device, int(part * natural))
            if found:
                same = "same" if found[0] == bits else "OTHER"
                print(f"| {name} | {part:.2f} | {found[1]} | {found[2] / seconds:.2f} | {same} |", flush=True)
            return found is not None

        fits, least = True, 1.0
        for part in (1.0, 0.75, 0.5, 0.25):
            fits = row(part)
            if not fits:
                break
            least = part
        low = part
        while not fits and least - low > 0.015:
            middle = (low + least) / 2
            if row(middle):
                least = middle
            else:
                low = middle


if __name__ == "__main__":
    main()
