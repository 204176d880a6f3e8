"""Compares the tokens per second of examples/llm, with f32 weights and with 4-bit weights, with eager and compiled
PyTorch.

    benchmarks/llm.py BUILD [--hidden=N] [--layers=N] [--tokens=N] [--rounds=N] [--no-compile]

Needs torch and transformers. The model is a Llama with random weights. All four programs generate greedily, one token
at a time with a cache, with f32 activations on one thread. They run alternately. The time of a token is CPU time. For
the example it is the difference between a process that generates more tokens and one that generates fewer, for PyTorch
the time between two tokens. Prints the median of all rounds.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

FEW = 4


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--hidden", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    return parser.parse_args()


def build_model(options, folder):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = LlamaConfig(
        vocab_size=16000, hidden_size=options.hidden, intermediate_size=options.hidden * 11 // 4 // 32 * 32,
        num_hidden_layers=options.layers, num_attention_heads=options.hidden // 64, num_key_value_heads=options.hidden // 128,
        tie_word_embeddings=False, max_position_embeddings=512,
    )  # fmt: skip
    model = LlamaForCausalLM(config).eval()
    model.save_pretrained(folder)
    return model


def processor_time():
    """Returns the CPU time of all child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def example(options, folder, *words):
    """Seconds of a token."""
    taken = []
    for tokens in (FEW, FEW + options.tokens):
        before = processor_time()
        subprocess.run(
            [options.build / "bin" / "llm", folder / "model.safetensors", "--prompt=1,15,7", f"--tokens={tokens}",
             f"--context={FEW + options.tokens + 3}", *words],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, "TENSORC_THREADS": "1"},
        )  # fmt: skip
        taken.append(processor_time() - before)
    return (taken[1] - taken[0]) / options.tokens


def peer(options, model, step):
    import torch
    from transformers import StaticCache

    with torch.no_grad():
        cache = StaticCache(config=model.config, max_cache_len=FEW + options.tokens + 3)
        position = torch.arange(3)
        logits = model(torch.tensor([[1, 15, 7]]), past_key_values=cache, cache_position=position).logits
        for i in range(FEW + options.tokens - 1):
            if i == FEW - 1:
                begin = time.process_time()
            token = logits[:, -1:].argmax(-1)
            logits = step(token, past_key_values=cache, cache_position=torch.tensor([3 + i])).logits
        return (time.process_time() - begin) / options.tokens


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model = build_model(options, folder)
        import torch

        ways = {
            "tensorc, f32 weights": lambda: example(options, folder),
            "tensorc, i4 weights": lambda: example(options, folder, "--quantize=i4"),
            "PyTorch eager, f32": lambda: peer(options, model, model),
        }
        if not options.no_compile:
            compiled = torch.compile(model)
            ways["PyTorch compiled, f32"] = lambda: peer(options, model, compiled)
            peer(options, model, compiled)  # compiles
        times = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, way in ways.items():
                times[name].append(way())
        count = sum(each.numel() for each in model.parameters())
        print(f"{count / 1e6:.0f} million weights")
        eager = statistics.median(times["PyTorch eager, f32"])
        for name, all_ in times.items():
            seconds = statistics.median(all_)
            print(f"{name:24} {1 / seconds:8.1f} tokens per second, {eager / seconds:.2f} of eager")


main()
