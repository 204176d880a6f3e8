"""Compares artefacts compiled from PyTorch models with ONNX Runtime: compile time, load time, run time and memory.

    benchmarks/onnx_models.py BUILD [--only=WORD]

Needs torch, torchvision, transformers, onnx and onnxruntime. Weights are random. Times are CPU times, which other load
on the machine affects little, except for the time to load a package. A run time is the mean of 10 runs on one thread.
Memory is the peak of a process that loads and runs the model; for ONNX Runtime the memory that Python used before is
subtracted. `object test` tells whether the C program of `--emit=source` computes the outputs that were stored with it.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")


def models(torch, torchvision, transformers):
    """(name, model, inputs)"""
    t, nn = transformers, torch.nn
    image = torch.randn(1, 3, 224, 224)
    tokens = torch.randint(3, 1000, (1, 64))

    class First(nn.Module):
        def __init__(self, inner, names, **fixed):
            super().__init__()
            self.inner, self.names, self.fixed = inner, names, fixed

        def forward(self, *values):
            return self.inner(**dict(zip(self.names, values)), **self.fixed, return_dict=False)[0]

    class Yolo(nn.Module):
        """A backbone, a pooling pyramid and two heads, as in the nano version of YOLO."""

        def __init__(self):
            super().__init__()
            block = lambda a, b, s: nn.Sequential(nn.Conv2d(a, b, 3, s, 1, bias=False), nn.BatchNorm2d(b), nn.SiLU())
            self.stem = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 32, 1), block(32, 64, 2), block(64, 64, 1))
            self.deep = nn.Sequential(block(64, 128, 2), block(128, 128, 1))
            self.mix, self.small, self.large = nn.Conv2d(512, 128, 1), nn.Conv2d(192, 84, 1), nn.Conv2d(128, 84, 1)

        def forward(self, x):
            a = self.stem(x)
            b = self.deep(a)
            pools = [b]
            for _ in range(3):
                pools.append(nn.functional.max_pool2d(pools[-1], 5, 1, 2))
            b = self.mix(torch.cat(pools, 1))
            up = torch.cat([nn.functional.interpolate(b, scale_factor=2.0), a], 1)
            return torch.cat([self.small(up).flatten(2), self.large(b).flatten(2)], 2).sigmoid()

    yield "resnet50", lambda: torchvision.models.resnet50(weights=None), (image,)
    yield "mobilenet_v3_large", lambda: torchvision.models.mobilenet_v3_large(weights=None), (image,)
    yield "yolo-like", Yolo, (torch.randn(1, 3, 320, 320),)
    yield "bert-base", lambda: First(t.BertModel(t.BertConfig(attn_implementation="eager")), ("input_ids", "attention_mask")), (tokens, torch.ones_like(tokens))
    yield "gpt2", lambda: First(t.GPT2LMHeadModel(t.GPT2Config(attn_implementation="eager")), ("input_ids", "attention_mask"), use_cache=False), (tokens, torch.ones_like(tokens))
    yield "whisper-tiny-like", lambda: First(
        t.WhisperModel(t.WhisperConfig(d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6,
                                       encoder_ffn_dim=1536, decoder_ffn_dim=1536, max_source_positions=300, attn_implementation="eager")),
        ("input_features", "decoder_input_ids", "decoder_attention_mask"), use_cache=False), (torch.randn(1, 80, 600), tokens[:, :8], torch.ones_like(tokens[:, :8]))


RUNS = 10


def peak_memory():
    """Returns the peak memory of this process in kB. getrusage would include the memory of the parent process."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def run_onnxruntime(path, inputs):
    """Measures, in a separate process, the seconds to load and to run, and the memory."""
    import numpy as np
    import onnxruntime

    before = peak_memory()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    feeds = dict(np.load(inputs))
    begin = time.process_time()
    session = onnxruntime.InferenceSession(path, options)
    load = time.process_time() - begin
    used = {each.name for each in session.get_inputs()}
    feeds = {name: value for name, value in feeds.items() if name in used}
    run = lambda: session.run(None, feeds)
    run()
    begin = time.process_time()
    for _ in range(RUNS):
        run()
    seconds = (time.process_time() - begin) / RUNS
    print(json.dumps({"load": load, "run": seconds, "memory": peak_memory() - before}))


MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def measured(words, **more):
    """Processor seconds and peak memory (kB) of a command, started by a small process, whose memory counts."""
    text = subprocess.run([sys.executable, "-S", "-c", MEASURE, *words], capture_output=True, text=True, check=True, **more).stdout
    return tuple(map(float, text.split()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--only")
    parser.add_argument("--onnxruntime", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.onnxruntime:
        return run_onnxruntime(*arguments.onnxruntime)
    import numpy as np
    import torch
    import torchvision
    import transformers

    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    tensorc = pathlib.Path(arguments.build, "bin", "tensorc")
    environment = dict(os.environ, TENSORC_NUM_THREADS="1")
    print("| model | MB | compile | load | run | memory | object test | ONNX Runtime: load | run | memory |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, make, inputs in models(torch, torchvision, transformers):
        if arguments.only and arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path, at = os.path.join(folder, "model.onnx"), lambda file: os.path.join(folder, file)
            names = [f"x{i}" for i in range(len(inputs))]
            torch.manual_seed(0)
            torch.onnx.export(make().eval(), inputs, path, input_names=names, output_names=["y"], opset_version=17, dynamo=False)
            np.savez(at("inputs.npz"), **{n: x.numpy() for n, x in zip(names, inputs)})
            package, _ = measured([tensorc, "compile", path, "-o", at("model.tcpkg")])
            # The test's run is not a measurement, because it only shows that the object's results are correct.
            subprocess.run([tensorc, "compile", path, "--emit=source", "-o", at("project")], check=True)
            subprocess.run(["cc", "-O1", at("project/test.c"), at("project/model.o"), "-lm", "-o", at("test")], check=True)
            passes = subprocess.run([at("test"), at("project/data")], stdout=subprocess.DEVNULL).returncode == 0
            bench = lambda runs: [tensorc, "bench", at("model.tcpkg"), f"--iterations={runs}", f"--json={at('bench.json')}"]
            few, memory = measured(bench(1), env=environment)
            many, _ = measured(bench(1 + RUNS), env=environment)
            figures = json.loads(pathlib.Path(at("bench.json")).read_text())
            text = subprocess.run([sys.executable, __file__, "-", "--onnxruntime", path, at("inputs.npz")], capture_output=True, text=True, check=True)
            other = json.loads(text.stdout)
            size = os.path.getsize(path) / 1e6
            print(f"| {name} | {size:.0f} | {package:.2f} s | {figures['compile_seconds'] * 1e3:.1f} ms | {(many - few) / RUNS * 1e3:.1f} ms "
                  f"| {memory / 1e3:.0f} MB | {'passes' if passes else 'FAILS'} "
                  f"| {other['load']:.2f} s | {other['run'] * 1e3:.1f} ms | {other['memory'] / 1e3:.0f} MB |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
