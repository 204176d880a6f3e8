"""llama.py make FOLDER: a small Llama with random weights, as .safetensors with config.json and as .gguf, and the logits
that NumPy computes for it. llama.py check FOLDER LOGITS.npy TOLERANCE [transformers]: compares with these, or with
those of transformers where it is installed.
"""

import json
import pathlib
import struct
import sys

import numpy as np

HIDDEN, HEADS, KV, LAYERS, VOCAB, FEED = 64, 4, 2, 2, 96, 96
SIZE = HIDDEN // HEADS
THETA, EPSILON = 10000.0, 1e-5
PROMPT, TOKENS = [3, 14, 15, 92, 6], 6
GGUF = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output", "model.layers.": "blk.",
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip


def weights():
    random = np.random.default_rng(11)

    def matrix(rows, columns):
        """Integers of 4 bits times a scale for 32 neighbours, so that quantizing them changes nothing."""
        integers = random.integers(-7, 8, (rows, columns // 32, 32))
        integers[:, :, 0] = 7
        scales = random.uniform(0.1, 0.3, (rows, columns // 32, 1))
        return (integers * scales / np.sqrt(columns)).astype(np.float32).reshape(rows, columns)

    norm = lambda: random.uniform(0.5, 1.5, HIDDEN).astype(np.float32)
    all_ = {"model.embed_tokens": matrix(VOCAB, HIDDEN), "model.norm": norm(), "lm_head": matrix(VOCAB, HIDDEN) * 4}
    for i in range(LAYERS):
        layer = {
            "input_layernorm": norm(), "post_attention_layernorm": norm(), "self_attn.q_proj": matrix(HIDDEN, HIDDEN),
            "self_attn.k_proj": matrix(KV * SIZE, HIDDEN), "self_attn.v_proj": matrix(KV * SIZE, HIDDEN),
            "self_attn.o_proj": matrix(HIDDEN, HIDDEN), "mlp.gate_proj": matrix(FEED, HIDDEN),
            "mlp.up_proj": matrix(FEED, HIDDEN), "mlp.down_proj": matrix(HIDDEN, FEED),
        }  # fmt: skip
        all_ |= {f"model.layers.{i}.{name}": value for name, value in layer.items()}
    return all_


def logits_of(w, tokens):
    """Of the last token, in f64."""
    w = {name: value.astype(np.float64) for name, value in w.items()}
    norm = lambda x, scale: x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * scale
    count = len(tokens)
    angles = np.arange(count)[:, None] * THETA ** (-np.arange(0, SIZE, 2) / SIZE)
    cosine, sine = np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)
    turn = lambda x: x * cosine + np.concatenate([-x[..., SIZE // 2 :], x[..., : SIZE // 2]], -1) * sine
    heads = lambda x, n: x.reshape(count, n, SIZE).transpose(1, 0, 2)
    x = w["model.embed_tokens"][tokens]
    for i in range(LAYERS):
        of = lambda name: w[f"model.layers.{i}.{name}"]
        h = norm(x, of("input_layernorm"))
        q = turn(heads(h @ of("self_attn.q_proj").T, HEADS))
        k = turn(heads(h @ of("self_attn.k_proj").T, KV)).repeat(HEADS // KV, 0)
        v = heads(h @ of("self_attn.v_proj").T, KV).repeat(HEADS // KV, 0)
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(SIZE) + np.triu(np.full((count, count), -np.inf), 1)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ v
        x = x + mixed.transpose(1, 0, 2).reshape(count, HIDDEN) @ of("self_attn.o_proj").T
        h = norm(x, of("post_attention_layernorm"))
        gate = h @ of("mlp.gate_proj").T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ of("mlp.up_proj").T)) @ of("mlp.down_proj").T
    return norm(x[-1], w["model.norm"]) @ w["lm_head"].T


def run(compute):
    """Logits of each step, of which the largest chooses the token."""
    tokens, rows = list(PROMPT), []
    for _ in range(TOKENS):
        rows.append(compute(tokens))
        tokens.append(int(rows[-1].argmax()))
    return np.array(rows)


def safetensors(path, arrays):
    header, data = {}, []
    end = 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [end, end := end + array.nbytes]}
        data.append(array.tobytes())
    head = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + b"".join(data))


def gguf(path, arrays):
    text = lambda word: struct.pack("<Q", len(word)) + word.encode()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(arrays), 0)
    data = b""
    for name, array in arrays.items():
        if name.endswith(("q_proj", "k_proj")):  # neighbours turn together
            rows = array.shape[0]
            array = array.reshape(rows // SIZE, 2, SIZE // 2, -1).transpose(0, 2, 1, 3).reshape(rows, -1)
        for ours, theirs in GGUF.items():
            name = name.replace(ours, theirs)
        shape = struct.pack(f"<I{array.ndim}Q", array.ndim, *reversed(array.shape))
        head += text(name + ".weight") + shape + struct.pack("<IQ", 0, len(data))
        data += array.tobytes() + bytes(-array.nbytes % 32)
    path.write_bytes(head + bytes(-len(head) % 32) + data)


def config():
    return {
        "vocab_size": VOCAB, "hidden_size": HIDDEN, "intermediate_size": FEED, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "num_key_value_heads": KV, "rms_norm_eps": EPSILON, "rope_theta": THETA,
        "tie_word_embeddings": False, "max_position_embeddings": 256, "model_type": "llama",
    }  # fmt: skip


def with_transformers(folder):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    model = LlamaForCausalLM(LlamaConfig(**config())).eval()
    state = {name + ".weight": torch.tensor(value) for name, value in weights().items()}
    model.load_state_dict(state)
    with torch.no_grad():
        return run(lambda tokens: model(torch.tensor([tokens])).logits[0, -1].double().numpy())


def main():
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == "make":
        folder.mkdir(parents=True, exist_ok=True)
        arrays = weights()
        safetensors(folder / "model.safetensors", {name + ".weight": value for name, value in arrays.items()})
        (folder / "config.json").write_text(json.dumps(config()))
        gguf(folder / "model.gguf", arrays)
        np.save(folder / "expected.npy", run(lambda tokens: logits_of(arrays, tokens)))
        return
    expected = with_transformers(folder) if "transformers" in sys.argv else np.load(folder / "expected.npy")
    got = np.load(sys.argv[3])
    error = np.abs(got - expected).max()
    print(f"largest difference {error:.2g} of logits up to {np.abs(expected).max():.2g}")
    sys.exit(not error <= float(sys.argv[4]))


main()
