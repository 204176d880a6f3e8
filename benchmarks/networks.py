#!/usr/bin/env python3
"""Compares the inference of whole networks with random weights by tensorc, torch.compile, ONNX Runtime and JAX, each in
a separate process.

  PYTHONPATH=build/python python3 benchmarks/networks.py build [--only=WORD] [--batches=1,8] [--part=1/2] [--without=inductor,jax]
  ... [--memory] [--compile]

Needs torch, torchvision, transformers, onnx, onnxruntime and jax, except for the libraries that are excluded by
--without. Each network is exported to ONNX. tensorc's package and ONNX Runtime's session are made from this file.
`backend` is torch.compile(backend="tensorc"), `inductor` is PyTorch's own. JAX gets the graph that PyTorch exports; the
LSTM is a scan. Times are milliseconds of CPU time of a call on one thread. They are medians of rounds in which the
libraries take turns on one core (peers/sides.py). The ratio is the best peer's time divided by tensorc's better time. A
library that cannot run a network has a dash; the reason follows the table. With --memory, prints the memory of a
process that loads and runs the network, without that of its libraries, for the package and for ONNX Runtime. Also
prints the memory that the package plans: the peak of outputs and temporaries, and the constants. With --compile, prints
the wall-clock and CPU seconds that `tensorc compile` takes from ONNX to a package, on two threads and without a cache.
"""

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from peers.network_calls import first_of, made, onnxruntime_call, package_call  # noqa: E402
from peers.sides import Side, cores, environment, in_turns  # noqa: E402

OURS = ["package", "backend"]
SIDES = [*OURS, "inductor", "onnxruntime", "jax"]
MEMORY = ["planned, MB", "package, MB", "ONNX Runtime, MB"]
COMPILE = ["compile, s", "processor, s"]


def peak_memory():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def planned(build, path):
    """Returns the planned peak of the package and the size of its constants, in MB."""
    words = [os.path.join(build, "bin", "tensorc"), "explain", path, "--memory", "--json"]
    sections = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["sections"]
    plan = sections[0]["programs"][0]["memory"]
    return (plan["peak"] + plan["constants"]) / 1e6


def cold_compile(build, source, folder):
    """Returns the wall-clock and CPU seconds of a compilation."""
    words = [os.path.join(build, "bin", "tensorc"), "compile", source, "-o", os.path.join(folder, "cold.tcpkg")]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, env={**os.environ, "TENSORC_NUM_THREADS": "2", "TENSORC_CACHE_DIR": os.path.join(folder, "cache")})
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(side, path, inputs):
    """Returns the memory, in MB, of a process that loads the network and runs it three times."""
    import numpy as np

    feeds = dict(np.load(inputs))
    if side == "onnxruntime":
        import onnxruntime  # noqa: F401
    else:
        import tensorc  # noqa: F401
    before = peak_memory()
    call = {"onnxruntime": onnxruntime_call, "package": package_call}[side](path, feeds)
    for _ in range(3):
        call()
    print((peak_memory() - before) / 1e3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--batches", default="1,8")
    parser.add_argument("--part", default="1/1", help="I/N: the I-th of N parts of the rows, on the I-th core")
    parser.add_argument("--without", default="", help="sides that are left out, with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=float, default=30, help="the least time of a side in a round")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--alone", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ |= environment()
    if options.alone:
        return memory(*options.alone)

    import torch

    from peers.networks import networks

    index, count = map(int, options.part.split("/"))
    core = cores()[(index - 1) % len(cores())]
    sides = [Side(name, "peers.network_calls", core, environment()) for name in SIDES if name not in options.without.split(",")]
    titles = ["network", "batch", *(s.name for s in sides), "best peer ÷ ours", "difference", *(MEMORY if options.memory else []), *(COMPILE if options.compile else [])]
    print(f"load {os.getloadavg()[0]:.1f}, PyTorch {torch.__version__}\n")
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    ratios, missing = [], []
    chosen = [(network, int(batch)) for network in networks() if options.only in network.name for batch in options.batches.split(",")]
    for network, batch in chosen[index - 1 :: count]:
        try:
            ratios.append(row(options, sides, missing, network, batch))
        except Exception as error:  # a network that cannot run is reported, and the others continue
            print(f"| {network.name} | {batch} | {type(error).__name__}: {str(error).strip().splitlines()[0][:120]} |", flush=True)
    print("\n" + "\n".join(missing))
    if ratios:
        print(f"{len(ratios)} rows: geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, at least 1.0 in {sum(r >= 1 for r in ratios)}")


def row(options, sides, missing, network, batch):
    import numpy as np
    import torch

    model, inputs = made(network.name, batch)
    expected, more, able, worst = first_of(model(*inputs)).numpy(), [], [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        at = lambda file: os.path.join(folder, file)
        names = [f"x{i}" for i in range(len(inputs))]
        torch.backends.mha.set_fastpath_enabled(False)  # ONNX has no form of the fused op that it calls
        torch.onnx.export(model, inputs, at("m.onnx"), input_names=names, output_names=["y"], opset_version=17, dynamo=False)
        torch.backends.mha.set_fastpath_enabled(True)
        del model
        np.savez(at("inputs.npz"), **{n: x.numpy() for n, x in zip(names, inputs)})
        cold = cold_compile(options.build, at("m.onnx"), folder) if options.compile else ()
        subprocess.run([os.path.join(options.build, "bin", "tensorc"), "compile", at("m.onnx"), "-o", at("m.tcpkg")], check=True)
        for side in sides:
            try:
                (y,) = side.ask("prepare", network.name, batch, folder)
            except RuntimeError as error:
                if side.name in OURS:
                    raise
                missing.append(f"{network.name}, {batch}, {side.name}: {error}")
                continue
            able.append(side)
            worst = max(worst, float(np.abs(y - expected).max() / np.abs(expected).max()))
        times = in_turns(able, options.rounds, options.milliseconds)
        if options.memory:
            more.append(f"{planned(options.build, at('m.tcpkg')):.0f}")
            for side, file in ("package", "m.tcpkg"), ("onnxruntime", "m.onnx"):
                words = [sys.executable, os.path.abspath(__file__), "-", "--alone", side, at(file), at("inputs.npz")]
                more.append(f"{float(subprocess.run(words, capture_output=True, text=True, check=True).stdout):.0f}")
    ours = min(t for s, t in times.items() if s in OURS)
    peers = [t for s, t in times.items() if s not in OURS]
    ratio = min(peers) / ours if peers else 1.0
    shown = [f"{times[s.name] * 1e3:.2f}" if s.name in times else "–" for s in sides]
    print("| " + " | ".join([network.name, str(batch), *shown, f"{ratio:.2f}", f"{worst:.0e}", *more, *(f"{t:.2f}" for t in cold)]) + " |", flush=True)
    return ratio


if __name__ == "__main__":
    sys.exit(main())
