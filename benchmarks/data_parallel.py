"""Data-parallel steps and sums on ranks of one machine, beside PyTorch's DDP (gloo) and JAX's shard_map.

    python benchmarks/data_parallel.py --torch=PYTHON --jax=PYTHON [--ranks=2] [--rounds=9]

PYTHON is the interpreter of an environment with that library. Each library has processes of its own, which take turns,
so that all have the same machine. Each rank has one thread. Prints medians of the rounds, in milliseconds, and how many
times as long as tensorc the others take. "Without sums" is the training step in which each rank uses its own gradients;
the difference is the time of communication.
"""

import argparse
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

WIDTHS = (784, 1024, 1024, 10)
BATCH = 128  # per rank
SUMS = {"sum of 4 KiB": 1 << 10, "sum of 1 MiB": 1 << 18, "sum of 64 MiB": 1 << 24}
CALLS = {"training step": 10, "without sums": 10, "sum of 4 KiB": 300, "sum of 1 MiB": 30, "sum of 64 MiB": 1}


def numbers():
    """Returns the weights, and a batch and labels for all ranks."""
    import numpy as np

    random = np.random.default_rng(0)
    layers = [((random.standard_normal((m, n)) / m**0.5).astype("f"), np.zeros(n, "f")) for m, n in zip(WIDTHS, WIDTHS[1:])]
    return layers, lambda n: (random.standard_normal((n, WIDTHS[0])).astype("f"), random.integers(0, WIDTHS[-1], n).astype("i4"))


def tensorc_calls(rank, ranks):
    """Returns the calls of a rank by name. Each waits until its result is there."""
    import tensorc as tc
    from tensorc import distributed as dist

    layers, batch = numbers()
    x, label = [tc.asarray(a[BATCH * rank : BATCH * (rank + 1)]) for a in batch(BATCH * ranks)]
    state = [[(tc.asarray(w), tc.asarray(b)) for w, b in layers]]

    def loss(layers, x, label):
        for i, (w, b) in enumerate(layers):
            x = (tc.relu(x) if i else x) @ w + b
        return tc.nn.cross_entropy(x, label)

    def update(layers, x, label, total):
        value, gradient = tc.value_and_grad(loss)(layers, x, label)
        return tc.tree.map(lambda p, g: p - 0.01 * total(g), layers, gradient), value

    step = tc.jit(lambda *given: update(*given, lambda g: dist.all_reduce(g, "mean")))
    alone, alone_state = tc.jit(lambda *given: update(*given, lambda g: g)), [state[0]]

    def train(step, state):
        state[0], value = step(state[0], x, label)
        return value.item()

    calls = {"training step": lambda: train(step, state), "without sums": lambda: train(alone, alone_state)}
    for name, count in SUMS.items():
        total, ones = tc.jit(lambda x: dist.all_reduce(x)), tc.ones(count).eval()
        calls[name] = lambda total=total, ones=ones: total(ones).eval()
    return calls


def torch_calls(rank, ranks):
    import torch
    from torch import nn

    layers, batch = numbers()
    x, label = [torch.from_numpy(a[BATCH * rank : BATCH * (rank + 1)]) for a in batch(BATCH * ranks)]
    label = label.long()
    modules = []
    for w, b in layers:
        linear = nn.Linear(*w.shape)
        linear.weight.data, linear.bias.data = torch.from_numpy(w.T.copy()), torch.from_numpy(b)
        modules += [linear, nn.ReLU()]
    model = nn.parallel.DistributedDataParallel(nn.Sequential(*modules[:-1]))
    sgd = torch.optim.SGD(model.parameters(), 0.01)

    def train():
        sgd.zero_grad()
        loss = nn.functional.cross_entropy(model(x), label)
        loss.backward()
        sgd.step()
        return loss.item()

    calls = {"training step": train}
    for name, count in SUMS.items():
        ones = torch.zeros(count)
        calls[name] = lambda ones=ones: torch.distributed.all_reduce(ones)
    return calls


def jax_calls(ranks):
    """All ranks are in one process, and one call is that of all ranks."""
    import functools

    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()[:ranks]), ("data",))
    layers, batch = numbers()
    x, label = [jax.device_put(a, NamedSharding(mesh, P("data"))) for a in batch(BATCH * ranks)]
    state = [jax.device_put(layers, NamedSharding(mesh, P()))]

    def loss(layers, x, label):
        for i, (w, b) in enumerate(layers):
            x = (jax.nn.relu(x) if i else x) @ w + b
        return -jnp.take_along_axis(jax.nn.log_softmax(x), label[:, None], 1).mean()

    @functools.partial(jax.jit, donate_argnums=0)
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=(P(), P("data")), check_vma=False)
    def step(layers, x, label):
        value, gradient = jax.value_and_grad(loss)(layers, x, label)
        gradient = jax.lax.pmean(gradient, "data")
        return jax.tree.map(lambda p, g: p - 0.01 * g, layers, gradient), value[None]

    def train():
        state[0], value = step(state[0], x, label)
        return float(value[0])

    calls = {"training step": train}
    for name, count in SUMS.items():
        total = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "data"), mesh=mesh, in_specs=P("data"), out_specs=P("data")))
        ones = jax.device_put(jnp.ones(count * ranks), NamedSharding(mesh, P("data")))
        calls[name] = lambda total=total, ones=ones: total(ones).block_until_ready()
    return calls


def serve(calls, lines, wait, answers):
    """Times the calls that the lines name. `wait` returns when all ranks have called it."""
    for line in lines:
        name, count = json.loads(line)
        if name not in calls:
            if answers:
                print(json.dumps([None, None]), flush=True)
            continue
        calls[name]()
        wait()
        begin = time.perf_counter()
        for _ in range(count):
            result = calls[name]()
        wait()
        seconds = (time.perf_counter() - begin) / count
        if answers:
            print(json.dumps([seconds, result if isinstance(result, float) else None]), flush=True)


def serve_tensorc(ranks):
    import tensorc as tc

    queues, barrier = [queue.Queue() for _ in range(ranks)], threading.Barrier(ranks)

    def read():
        for line in sys.stdin:
            for each in queues:
                each.put(line)
        for each in queues:
            each.put(None)

    threading.Thread(target=read).start()
    tc.spmd([f"cpu:{r}" for r in range(ranks)],
            lambda rank: serve(tensorc_calls(rank.rank, ranks), iter(queues[rank.rank].get, None), barrier.wait, rank.rank == 0))  # fmt: skip


def serve_torch(ranks, rank, folder):
    import torch

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=ranks)
    serve(torch_calls(rank, ranks), sys.stdin, torch.distributed.barrier, rank == 0)
    torch.distributed.destroy_process_group()


def serve_jax(ranks):
    serve(jax_calls(ranks), sys.stdin, lambda: None, True)


class Library:
    """The processes of a library, one or one for each rank."""

    def __init__(self, python, function, arguments):
        code = f"import data_parallel; data_parallel.{function}"
        paths = [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]
        self.processes = [subprocess.Popen([python, "-c", code + str(each)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                           env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)}) for each in arguments]  # fmt: skip

    def time(self, name):
        for process in self.processes:
            process.stdin.write(json.dumps([name, CALLS[name]]) + "\n")
            process.stdin.flush()
        return json.loads(self.processes[0].stdout.readline())

    def end(self):
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", help="interpreter with PyTorch")
    parser.add_argument("--jax", help="interpreter with JAX")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    ranks = given.ranks
    os.environ |= {"TENSORC_CPU_DEVICES": str(ranks), "TENSORC_NUM_THREADS": str(ranks), "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu",
                   "XLA_FLAGS": f"--xla_force_host_platform_device_count={ranks}"}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        libraries = {"tensorc": Library(sys.executable, "serve_tensorc", [f"({ranks})"])}
        if given.torch:
            libraries["DDP"] = Library(given.torch, "serve_torch", [(ranks, rank, folder) for rank in range(ranks)])
        if given.jax:
            libraries["shard_map"] = Library(given.jax, "serve_jax", [f"({ranks})"])
        times = {name: {library: [] for library in libraries} for name in CALLS}
        losses = {library: [] for library in libraries}
        for _ in range(given.rounds):
            for name in CALLS:
                for library, processes in libraries.items():
                    seconds, result = processes.time(name)
                    if seconds is not None:
                        times[name][library].append(seconds)
                    if result is not None and name == "training step":
                        losses[library].append(result)
        for processes in libraries.values():
            processes.end()
    for name, by in times.items():
        medians = {library: statistics.median(seconds) for library, seconds in by.items() if seconds}
        print(f"{name:15}", *(f"{library} {1e3 * seconds:9.3f} ms, {seconds / medians['tensorc']:6.2f}" for library, seconds in medians.items()), sep="   ")
    print("losses of rank 0 after each round:", {library: [round(v, 4) for v in values] for library, values in losses.items()})


if __name__ == "__main__":
    main()
