"""weights.py FOLDER: files of weights, with their numbers as NumPy computes them from the formats' descriptions.

all.gguf has a tensor of each kind, expected.npz its elements; shards/ has an index of two files; broken-*.gguf have
headers that are not what they should be.
"""

import json
import pathlib
import struct
import sys

import numpy as np

KINDS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "Q4_K": 12, "Q6_K": 14, "BF16": 30, "I32": 26}
random = np.random.default_rng(3)


def half(*shape):
    return (random.uniform(0.001, 0.1, shape)).astype(np.float16)


def words(bytes_, count):
    return random.integers(0, 256, (count, bytes_), dtype=np.uint8)


def blocks(kind, count):
    """(bytes, numbers) of this many blocks."""
    scale = half(count, 1)
    f = scale.astype(np.float32)
    if kind == "Q8_0":
        q = words(32, count)
        return np.hstack([scale.view(np.uint8), q]), f * q.view(np.int8)
    if kind == "Q4_0":
        q = words(16, count)
        return np.hstack([scale.view(np.uint8), q]), f * (np.hstack([q & 15, q >> 4]).astype(np.int32) - 8)
    if kind == "Q4_K":
        least, packed, q = half(count, 1), words(12, count), words(128, count)
        # 8 scales and 8 minima of 6 bits: the first four of each whole, the upper two bits of the others apart.
        low, middle, high = packed[:, :4], packed[:, 4:8], packed[:, 8:]
        scales = np.hstack([low & 63, (high & 15) | (low >> 6) << 4]).astype(np.float32)
        minima = np.hstack([middle & 63, (high >> 4) | (middle >> 6) << 4]).astype(np.float32)
        parts = q.reshape(count, 4, 1, 32)
        nibbles = np.concatenate([parts & 15, parts >> 4], axis=2).reshape(count, 8, 32).astype(np.float32)
        d = (f * scales)[:, :, None]
        m = (least.astype(np.float32) * minima)[:, :, None]
        return np.hstack([scale.view(np.uint8), least.view(np.uint8), packed, q]), (d * nibbles - m).reshape(count, 256)
    low, high, scales = words(128, count), words(64, count), words(16, count)
    nibbles = low.reshape(count, 2, 1, 2, 32) >> np.array([0, 4], np.uint8).reshape(2, 1, 1) & 15
    bits = high.reshape(count, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8).reshape(4, 1) & 3
    q = nibbles.reshape(count, 2, 4, 32).astype(np.int32) + (bits.astype(np.int32) << 4) - 32
    d = f * scales.view(np.int8).astype(np.float32)
    numbers = d[:, :, None] * q.reshape(count, 16, 16).astype(np.float32)
    return np.hstack([low, high, scales, scale.view(np.uint8)]), numbers.reshape(count, 256)


def tensor(kind, shape):
    if kind in ("F32", "F16", "I32"):
        dtype = {"F32": np.float32, "F16": np.float16, "I32": np.int32}[kind]
        array = (random.standard_normal(shape) * 9).astype(dtype)
        return array.tobytes(), array
    if kind == "BF16":
        bits = (random.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return bits.tobytes(), (bits.astype(np.uint32) << 16).view(np.float32)
    size = 256 if kind.endswith("K") else 32
    data, numbers = blocks(kind, int(np.prod(shape)) // size)
    return data.tobytes(), numbers.reshape(shape)


def text(word):
    return struct.pack("<Q", len(word)) + word.encode()


def gguf(tensors, version=3, alignment=32):
    """tensors: name -> (kind's number, shape, bytes)"""
    facts = [text("general.architecture") + struct.pack("<I", 8) + text("llama")]
    facts.append(text("general.alignment") + struct.pack("<II", 4, alignment))
    facts.append(text("llama.rope.freq_base") + struct.pack("<If", 6, 10000))
    facts.append(text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"))
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(facts)) + b"".join(facts)
    data = b""
    for name, (kind, shape, elements) in tensors.items():
        data += bytes(-len(data) % alignment)
        head += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in reversed(shape))
        head += struct.pack("<IQ", kind, len(data))
        data += elements
    return head + bytes(-len(head) % alignment) + data


def safetensors(arrays):
    header, data = {}, b""
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "shards").mkdir(parents=True, exist_ok=True)
    tensors, expected = {}, {}
    for kind, number in KINDS.items():
        shape = (3, 512) if kind.endswith("K") else (3, 64)
        data, numbers = tensor(kind, shape)
        tensors[kind.lower()] = (number, shape, data)
        expected[kind.lower()] = numbers.astype(np.int32 if kind == "I32" else np.float32)
    whole = gguf(tensors)
    (folder / "all.gguf").write_bytes(whole)
    np.savez(folder / "expected.npz", **expected)
    first, second = {"a": np.arange(6, dtype=np.float32).reshape(2, 3)}, {"b": np.ones(4, np.float32)}
    (folder / "shards" / "one.safetensors").write_bytes(safetensors(first))
    (folder / "shards" / "two.safetensors").write_bytes(safetensors(second))
    index = lambda name, places: (folder / "shards" / f"{name}.index.json").write_text(json.dumps({"weight_map": places}))
    index("good", {"a": "one.safetensors", "b": "two.safetensors"})
    index("outside", {"a": "../../etc/passwd"})
    index("elsewhere", {"a": "two.safetensors", "b": "one.safetensors"})
    index("missing", {"a": "one.safetensors", "c": "two.safetensors", "b": "two.safetensors"})
    # A file of 5 GB of which the disk has a page.
    entries = {"w": {"dtype": "F32", "shape": [50000, 25000], "data_offsets": [0, 5 * 10**9]},
               "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [5 * 10**9, 5 * 10**9 + 24]}}
    header = json.dumps(entries).encode()
    with open(folder / "large.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.seek(5 * 10**9, 1)
        file.write(np.arange(1, 7, dtype=np.float32).tobytes())
    (folder / "large.index.json").write_text(json.dumps({"weight_map": dict.fromkeys(entries, "large.safetensors")}))
    broken = lambda name, data: (folder / f"broken-{name}.gguf").write_bytes(data)
    row = bytes(128)
    broken("truncated", whole[:200])
    broken("short", whole[:-8])
    broken("version", gguf({"x": (0, (32,), row)}, version=9))
    broken("alignment", gguf({"x": (0, (32,), row)}, alignment=24))
    broken("kind", gguf({"x": (99, (32,), row)}))
    broken("rows", gguf({"x": (8, (31,), row)}))
    broken("overflow", gguf({"x": (0, (1 << 62, 1 << 62), row)}))
    broken("many", b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 0) + bytes(64))
    broken("text", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 60) + bytes(64))
    broken("unavailable", gguf({"x": (10, (256,), bytes(84))}))
    twice = gguf({"x": (0, (32,), row), "y": (0, (32,), row)})
    broken("twice", twice.replace(text("y"), text("x")))
    broken("overlap", twice.replace(struct.pack("<IQ", 0, 128), struct.pack("<IQ", 0, 64)))


main()
