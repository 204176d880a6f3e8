"""Processes that share only a core, so that no library's threads, memory or settings slow down another library.  Each
process prepares calls and times them on request. Requesting them alternately gives a fair comparison on a loaded
machine."""

import gc
import importlib
import math
import multiprocessing
import os
import statistics
import sys
import time

def environment(threads=1, wall=False):
    """Returns the environment variables that libraries read when they are loaded."""
    names = {"TENSORC_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads), "TORCHINDUCTOR_COMPILE_THREADS": "1", "JAX_PLATFORMS": "cpu",
             "TF_CPP_MIN_LOG_LEVEL": "3", "BENCHMARK_CLOCK": "wall" if wall else "processor"}  # fmt: skip
    return names | ({"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"} if threads == 1 else {})


def per_call(call, count, clock):
    if count > 1:
        call()  # restores the caches after the other processes have run
    begin = clock()
    for _ in range(count):
        call()
    return (clock() - begin) / count


def serve(connection, side, module):
    """Answers requests in the process until there are no more."""
    prepare = importlib.import_module(module).prepare
    clock = time.perf_counter if os.environ.get("BENCHMARK_CLOCK") == "wall" else time.process_time
    call = None
    while True:
        try:
            verb, *given = connection.recv()
        except EOFError:  # the parent process has ended
            return
        try:
            if verb == "prepare":
                call = None
                gc.enable(), gc.collect()
                call, *told = prepare(side, *given)
                gc.disable()
                connection.send((True, told))
            else:
                connection.send((True, per_call(call, *given, clock)))
        except Exception as e:  # noqa: BLE001, a row that cannot run is told
            connection.send((False, f"{type(e).__name__}: {(str(e).strip() or '-').splitlines()[0][:120]}"))


class Side:
    """A process of one library. If it dies, it is started again for the next row."""

    def __init__(self, name, module, core, environment):
        self.name, self.module, self.core, self.environment = name, module, core, environment
        self.process = None

    def start(self):
        # The process inherits both variables before it imports anything.
        os.environ |= self.environment | {"BENCHMARK_SIDE": self.name}
        allowed = cores()
        if self.core is not None:
            os.sched_setaffinity(0, {self.core})
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other, self.name, self.module), daemon=True)
        self.process.start()
        if self.core is not None:
            os.sched_setaffinity(0, allowed)
        other.close()

    def ask(self, *request):
        """Returns the answer to a request. An error raises a RuntimeError."""
        if self.process is None:
            self.start()
        try:
            self.connection.send(request)
            good, told = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            code, self.process = self.process.exitcode, None
            raise RuntimeError(f"the process ended with {code}") from None
        if not good:
            raise RuntimeError(told)
        return told


def in_turns(sides, rounds, milliseconds):
    """Returns the seconds of a call for each library, as medians of rounds in which the libraries take turns. Long
    calls get three rounds."""
    once = {s.name: s.ask("time", 1) for s in sides}
    once = {s.name: min(once[s.name], s.ask("time", 1)) for s in sides}
    counts = {name: max(1, math.ceil(milliseconds / 1e3 / max(t, 1e-7))) for name, t in once.items()}
    if sum(once.values()) > 1:
        rounds = min(rounds, 3)
    times = [{s.name: s.ask("time", counts[s.name]) for s in sides} for _ in range(rounds)]
    return {s.name: statistics.median(t[s.name] for t in times) for s in sides}


def cores():
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else [None]
