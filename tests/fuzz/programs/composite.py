"""The kinds of nodes that stand for many operations, and random bits; kinds.py says what a kind is."""

import numpy as np

from kinds import kind
from structure import accumulator
from values import Value, inexact, unit


@kind("softmax")
class Softmax:
    """Along the last dim; a composite."""

    @staticmethod
    def evaluate(node, x):
        if x.shape[-1] == 0:
            return None
        low = np.max(x.data, -1, keepdims=True)
        e = np.exp(x.data - low)
        y = e / np.sum(e, -1, keepdims=True)
        # The operands' errors, and what rounding the difference before the exponential makes.
        reach = 2 * np.max(x.errors(), -1, keepdims=True) + unit(accumulator(x.dtype)) * np.max(low - x.data, -1, keepdims=True)
        if reach.size and np.max(reach) > 1:
            return None
        return inexact(x.dtype, y, y * np.expm1(4 * reach), x.shape[-1] + 20)

    @staticmethod
    def record(lib, node, x):
        return lib.softmax(x, -1)

    @staticmethod
    def text(node, x):
        return f"tx.softmax {x[0]} dim = {len(node.shape) - 1} : {node.type}"


@kind("attention")
class Attention:
    """softmax(q k^T * scale) v. Without a text, which would need the scale as an operand."""

    SCALE = 0.25

    @classmethod
    def evaluate(cls, node, q, k, v):
        turned = lambda x: np.swapaxes(x, -1, -2)  # noqa: E731
        aq, ak, av = np.abs(q.data), np.abs(k.data), np.abs(v.data)
        u, count = unit(node.dtype), k.shape[-2]
        scores = np.matmul(q.data, turned(k.data)) * cls.SCALE
        reach = np.matmul(aq + q.errors(), turned(ak + k.errors()))
        off = np.matmul(aq, turned(k.errors())) + np.matmul(q.errors(), turned(ak + k.errors()))
        off = (off + u * (q.shape[-1] + 4) * reach) * cls.SCALE + u * 4 * np.abs(scores)
        weights = np.exp(scores - np.max(scores, -1, keepdims=True))
        weights /= np.sum(weights, -1, keepdims=True)
        off = 2 * np.max(off, -1, keepdims=True)
        if off.size and np.max(off) > 0.5:
            return None
        relative = np.expm1(4 * off) + u * (3 * count + 40)
        error = np.matmul(weights * (1 + relative), v.errors()) + np.matmul(weights * relative, av)
        return inexact(node.dtype, np.matmul(weights, v.data), error, 4)

    @classmethod
    def record(cls, lib, node, q, k, v):
        return lib.attention(q, k, v, None, False, cls.SCALE)

    text = None


def philox(key, blocks):
    """Philox4x32-10 of the counters 0, 1, ...: four words each."""
    words = [np.arange(blocks, dtype=np.uint64)] + [np.zeros(blocks, np.uint64) for _ in range(3)]
    low, k = np.uint64(0xFFFFFFFF), [int(w) for w in key]
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [(b >> np.uint64(32)) ^ words[1] ^ np.uint64(k[0]), b & low,
                 (a >> np.uint64(32)) ^ words[3] ^ np.uint64(k[1]), a & low]  # fmt: skip
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return np.stack(words, -1).reshape(-1)


def threefry(key, blocks):
    """Threefry2x32 with 20 rounds: two words each."""
    low = np.uint64(0xFFFFFFFF)
    keys = [np.uint64(int(w)) for w in key]
    keys.append(keys[0] ^ keys[1] ^ np.uint64(0x1BD11BDA))
    x, y = (np.arange(blocks, dtype=np.uint64) + keys[0]) & low, np.full(blocks, keys[1])
    for i in range(20):
        by = np.uint64([13, 15, 26, 6, 17, 29, 16, 24][i % 8])
        x = (x + y) & low
        y = (((y << by) | (y >> (np.uint64(32) - by))) & low) ^ x
        if i % 4 == 3:
            j = (i + 1) // 4
            x = (x + keys[j % 3]) & low
            y = (y + keys[(j + 1) % 3] + np.uint64(j)) & low
    return np.stack([x, y], -1).reshape(-1)


@kind("random_bits")
class RandomBits:
    ALGORITHMS = {"philox4x32_10": (philox, 4), "threefry2x32": (threefry, 2)}

    @classmethod
    def evaluate(cls, node, key):
        function, words = cls.ALGORITHMS[node.algorithm]
        count = int(np.prod(node.shape, dtype=np.int64)) * (2 if node.dtype == "ui64" else 1)
        bits = function(key.data, -(-count // words))[:count]
        if node.dtype == "ui64":
            bits = bits[0::2] | bits[1::2] << np.uint64(32)
            return Value("ui64", bits.reshape(node.shape))
        return Value("ui32", bits.astype(np.uint32).reshape(node.shape))

    @classmethod
    def record(cls, lib, node, key):
        return lib.random_bits(key, node.algorithm, node.dtype, node.shape)

    @staticmethod
    def text(node, key):
        return f"tx.random_bits {key[0]} {node.algorithm} : {key[1]} -> {node.type}"
