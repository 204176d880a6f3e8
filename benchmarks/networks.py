#!/usr/bin/env python3
"""Whole networks, forward with random weights: tensorc beside torch.compile, ONNX Runtime and JAX, in one process.

  PYTHONPATH=build/python python3 benchmarks/networks.py build [--only=WORD] [--batches=1,8] [--without=inductor,jax] [--memory] [--compile]

Needs torch, torchvision, transformers, onnx, onnxruntime and jax, but for the sides that are left out. Each network is exported to ONNX,
from which come our package and the session of ONNX Runtime. `backend` is torch.compile(backend="tensorc"), `inductor` is PyTorch's own. JAX
gets the graph that PyTorch exports, and the LSTM as a scan. Times are milliseconds of processor time of a call on one thread, medians of
rounds in which the sides take turns. The ratio is the best peer's time divided by our better one. A peer that cannot run is a dash; the reason follows
the table. With --memory: what a process that loads and runs the network takes beyond its libraries, for the package and for ONNX Runtime;
before them what the package plans: outputs and temporaries at their peak, and constants. With --compile: the seconds that `tensorc compile` takes from ONNX
to a package on two threads with no cache, by the clock and of processor time.
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

os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

OURS = ["package", "backend"]
SIDES = [*OURS, "inductor", "onnxruntime", "jax"]
MEMORY = ["planned, MB", "package, MB", "ONNX Runtime, MB"]
COMPILE = ["compile, s", "processor, s"]


def peak_memory():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def onnxruntime_call(path, feeds):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    used = {i.name for i in session.get_inputs()}
    feeds = {n: v for n, v in feeds.items() if n in used}
    return lambda: session.run(None, feeds)


def package_call(path, feeds):
    import tensorc as tc

    program = tc.load_package(path)
    arrays = [tc.asarray(v).eval() for v in feeds.values()]

    def call():
        result = program(*arrays)
        for r in result if isinstance(result, (tuple, list)) else [result]:
            r.eval()
        return result

    return call


def planned(build, path):
    """MB: the peak that the package says, and its constants."""
    words = [os.path.join(build, "bin", "tensorc"), "explain", path, "--memory", "--json"]
    sections = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["sections"]
    plan = sections[0]["programs"][0]["memory"]
    return (plan["peak"] + plan["constants"]) / 1e6


def cold_compile(build, source, folder):
    """Seconds by the clock and of processor time."""
    words = [os.path.join(build, "bin", "tensorc"), "compile", source, "-o", os.path.join(folder, "cold.tcpkg")]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, env={**os.environ, "TENSORC_NUM_THREADS": "2", "TENSORC_CACHE_DIR": os.path.join(folder, "cache")})
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(side, path, inputs):
    """MB, of a process that loads the network and runs it three times."""
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


def per_call(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def timed(calls, rounds, milliseconds):
    counts = {}
    for name, call in calls.items():
        call(), call()
        counts[name] = max(1, math.ceil(milliseconds / 1e3 / max(per_call(call, 1), 1e-6)))
    times = [{name: per_call(call, counts[name]) for name, call in calls.items()} for _ in range(rounds)]
    return {name: statistics.median(t[name] for t in times) for name in calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--batches", default="1,8")
    parser.add_argument("--without", default="", help="sides that are left out, with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=float, default=30, help="the least time of a side in a round")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--alone", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        return memory(*options.alone)

    import numpy as np
    import torch

    from peers.networks import networks

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    sides = [s for s in SIDES if s not in options.without.split(",")]
    titles = ["network", "batch", *sides, "best peer ÷ ours", "difference", *(MEMORY if options.memory else []), *(COMPILE if options.compile else [])]
    print(f"load {os.getloadavg()[0]:.1f}, PyTorch {torch.__version__}\n")
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    ratios, missing = [], []
    for network in networks():
        for batch in map(int, options.batches.split(",")):
            if options.only in network.name:
                try:
                    ratios.append(row(options, sides, missing, network, batch))
                except Exception as error:  # a network that cannot run is told; the others go on
                    print(f"| {network.name} | {batch} | {type(error).__name__}: {str(error).strip().splitlines()[0][:120]} |", flush=True)
    print("\n" + "\n".join(missing))
    if ratios:
        print(f"{len(ratios)} rows: geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, at least 1.0 in {sum(r >= 1 for r in ratios)}")


def first_of(result):
    while isinstance(result, (tuple, list)):
        result = result[0]
    return result


def peer_call(side, model, inputs, path, feeds):
    import torch

    if side == "onnxruntime":
        return onnxruntime_call(path, feeds)
    if side == "jax":
        from peers.jax_networks import jax_call

        return jax_call(model, inputs)
    if side == "tensorc":
        import tensorc.torch  # noqa: F401, which adds the backend
    torch._dynamo.reset()
    compiled = torch.compile(model, backend=side)
    return lambda: compiled(*inputs)


def row(options, sides, missing, network, batch):
    import numpy as np
    import torch

    torch.manual_seed(0)
    model, inputs = network.make(batch)
    model = model.eval()
    calls, expected, more = {}, first_of(model(*inputs)).numpy(), []
    with tempfile.TemporaryDirectory() as folder:
        at = lambda file: os.path.join(folder, file)
        names = [f"x{i}" for i in range(len(inputs))]
        torch.backends.mha.set_fastpath_enabled(False)  # what it calls has no form in ONNX
        torch.onnx.export(model, inputs, at("m.onnx"), input_names=names, output_names=["y"], opset_version=17, dynamo=False)
        torch.backends.mha.set_fastpath_enabled(True)
        feeds = {n: x.numpy() for n, x in zip(names, inputs)}
        np.savez(at("inputs.npz"), **feeds)
        cold = cold_compile(options.build, at("m.onnx"), folder) if options.compile else ()
        subprocess.run([os.path.join(options.build, "bin", "tensorc"), "compile", at("m.onnx"), "-o", at("m.tcpkg")], check=True)
        for side in sides:
            try:
                calls[side] = package_call(at("m.tcpkg"), feeds) if side == "package" else peer_call(
                    "tensorc" if side == "backend" else side, model, inputs, at("m.onnx"), feeds)  # fmt: skip
                calls[side]()
            except Exception as error:
                if side in OURS:
                    raise
                calls.pop(side, None)
                missing.append(f"{network.name}, {batch}, {side}: {type(error).__name__}: {(str(error).strip() or '-').splitlines()[0][:120]}")
        made = [np.asarray(first_of(calls[side]())) for side in calls]
        worst = max(float(np.abs(y - expected).max() / np.abs(expected).max()) for y in made)
        times = timed(calls, options.rounds, options.milliseconds)
        if options.memory:
            more.append(f"{planned(options.build, at('m.tcpkg')):.0f}")
            for side, file in ("package", "m.tcpkg"), ("onnxruntime", "m.onnx"):
                words = [sys.executable, os.path.abspath(__file__), "-", "--alone", side, at(file), at("inputs.npz")]
                more.append(f"{float(subprocess.run(words, capture_output=True, text=True, check=True).stdout):.0f}")
    ours = min(t for s, t in times.items() if s in OURS)
    peers = [t for s, t in times.items() if s not in OURS]
    ratio = min(peers) / ours if peers else 1.0
    shown = [f"{times[s] * 1e3:.2f}" if s in times else "–" for s in sides]
    print("| " + " | ".join([network.name, str(batch), *shown, f"{ratio:.2f}", f"{worst:.0e}", *more, *(f"{t:.2f}" for t in cold)]) + " |", flush=True)
    return ratio


if __name__ == "__main__":
    sys.exit(main())
