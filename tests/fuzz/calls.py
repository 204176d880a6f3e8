"""What memory stays of calls from Python: calls.py [--count=10000000] [--seconds=N] [--only=KIND;...] [--most=BYTES_EACH]

Needs the package in PYTHONPATH. Kinds of calls take turns, errors among them. Before the first call that counts, each kind
runs some hundred times, so that caches are full. The table has the resident memory and what malloc says is in use, ten times.
With --most it fails where either grew by more for each call of the second half.
"""

import argparse
import gc
import pickle
import pathlib
import sys
import time

import numpy as np

import tensorc as tc

sys.path.insert(0, str(pathlib.Path(__file__).parent / "programs"))
from memory import in_use  # noqa: E402

TURN = 100  # calls of a kind in a row

x, y = (tc.asarray(np.linspace(a, a + 1, 256, dtype=np.float32)).eval() for a in (0, 2))
table = tc.ones((16, 16)).eval()
numbers = np.arange(256, dtype=np.float32)
axpy = tc.jit(lambda x, y: x * 2 + y)
nested = tc.jit(lambda tree, steps: {"sum": tree["a"] + tree["b"][0] * steps, "rest": tree["b"]})
in_place = tc.jit(lambda x: x + 1, donate_argnums=0)
slope = tc.grad(lambda x: tc.sum(tc.sin(x) * x))
step = tc.jit(tc.value_and_grad(lambda w, x: tc.mean(tc.square(w * x - 1))))
key = tc.random.key(0)


@tc.vectorize
def clamp(v):
    if v < 0.5:
        return 0.0
    return v


def lazy():
    ((x + y) * x - y * 2 + 1).eval()


def item():
    assert x[255].item() == 1


def setitem():
    v = table + 0
    v[3] = 5
    v[v > 4] = 0
    v.eval()


def mask():
    assert len(x[x > 0.5]) == 128


def copies():
    tc.asarray(numbers).numpy().sum()


def shared():
    np.asarray(tc.asarray(numbers, copy=False))


def dlpack():
    np.from_dlpack(tc.from_dlpack(numbers))


def dropped_dlpack():
    x.__dlpack__()


def donated():
    v = in_place(in_place(tc.asarray(numbers)))
    v.eval()


def tape():
    with tc.Tape() as record:
        record.watch(x)
        record.gradient(tc.sum(x * y), x).eval()


def drawn():
    tc.random.uniform(key, (8,)).eval()


def exchanged():
    pickle.loads(pickle.dumps(table)).tolist()


def printed():
    repr(table)


def dropped():
    tc.exp(x + 1) * 2


def refused(call, kind):
    def calls():
        try:
            call()
        except kind:
            return
        raise AssertionError("no error")

    return calls


def raises(x):
    raise KeyError("within a trace")


def used_again():
    v = tc.asarray(numbers)
    in_place(v)
    v.eval()


KINDS = {
    "jit": lambda: axpy(x, y),
    "jit of a tree": lambda: nested({"a": x, "b": [y, None]}, 3),
    "jit that takes its argument over": donated,
    "lazy": lazy,
    "lazy, dropped": dropped,
    "item": item,
    "setitem": setitem,
    "mask": mask,
    "copy in, out": copies,
    "shared in, out": shared,
    "DLPack in, out": dlpack,
    "DLPack, dropped": dropped_dlpack,
    "grad": lambda: slope(x).eval(),
    "grad in jit": lambda: step(x, y),
    "tape": tape,
    "vectorize": lambda: clamp(x).eval(),
    "random": drawn,
    "pickle": exchanged,
    "printed": printed,
    "error of a shape": refused(lambda: x + tc.ones(3), ValueError),
    "error of a type": refused(lambda: x + "text", TypeError),
    "error of an index": refused(lambda: x[300], IndexError),
    "error of jit's arguments": refused(lambda: axpy(x, table[0]), ValueError),
    "error within a trace": refused(lambda: tc.jit(raises)(x), KeyError),
    "error of DLPack": refused(lambda: tc.from_dlpack(numbers.astype(object)), (BufferError, TypeError)),
    "error of a donated argument": refused(used_again, ValueError),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", help="the beginnings of some kinds' names, with ; between")
    parser.add_argument("--most", type=float, help="bytes")
    parser.add_argument("--each", action="store_true", help="how long a call of each kind takes, too")
    options = parser.parse_args()
    kinds = {n: k for n, k in KINDS.items() if not options.only or any(n.startswith(w) for w in options.only.split(";"))}
    for call in kinds.values():
        for _ in range(10 * TURN):
            call()
    begin, done, states, spent = time.monotonic(), 0, [], dict.fromkeys(kinds, 0.0)
    mark = max(1, options.count // 10)

    def state():
        gc.collect()
        states.append((done, *in_use()[:2]))
        print(f"{done:10,} calls: {states[-1][1] / 2**20:8.2f} MiB resident, {states[-1][2] / 2**20:8.2f} in use, "
              f"{time.monotonic() - begin:.0f} s", flush=True)  # fmt: skip

    state()
    while done < options.count and time.monotonic() - begin < options.seconds:
        for name, call in kinds.items():
            start = time.process_time()
            for _ in range(TURN):
                call()
            spent[name] += time.process_time() - start
        done += TURN * len(kinds)
        if done // mark > states[-1][0] // mark:
            state()
    if states[-1][0] < done:
        state()
    if options.each:
        for name, seconds in spent.items():
            print(f"{name}: {seconds / (done / len(kinds)) * 1e6:.2f} us")
    half = states[len(states) // 2 :] if len(states) > 2 else states
    resident, used = ((half[-1][i] - half[0][i]) / max(1, half[-1][0] - half[0][0]) for i in (1, 2))
    print(f"{done} calls of {len(kinds)} kinds: {states[0][1] / 2**20:.1f} MiB resident at first, {states[-1][1] / 2**20:.1f} at the "
          f"end, {resident:.3f} bytes for each of the second half, {used:.3f} in use")  # fmt: skip
    return 1 if options.most is not None and max(resident, used) > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
