"""Judges the importer of StableHLO by JAX, which lowers functions and computes them, too.

judge.py BUILD_FOLDER [--only=TEXT] [--models] [--table=FILE] [--keep=FOLDER]
Exit status 1 if fewer than 80 % agree or one is wrong; 77 if JAX is not installed.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings

LEAST = 0.80
NAMES = "xyzpquwijnbcvrkmasthg"


class Server:
    """tensorc in a process that goes on (tests/server)."""

    def __init__(self, build, folder):
        self.build, self.folder, self.process = build, folder, None

    def run(self, words):
        """The exit status, and what went to stderr."""
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [self.build / "bin" / "tensorc-test-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        out, err = self.folder / "out", self.folder / "err"
        err.unlink(missing_ok=True)
        request = {"words": ["tensorc", *map(str, words)], "in": "", "out": str(out), "err": str(err)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        status = int(answer) if answer else 139
        return status, err.read_text()


def values(np):
    """Of the variables of cases.py."""
    random = np.random.default_rng(7)
    normal = lambda *shape: random.standard_normal(shape).astype(np.float32)
    unit = lambda *shape: random.uniform(0.05, 0.95, shape).astype(np.float32)
    small = lambda low, high, *shape: random.integers(low, high, shape).astype(np.int32)
    found = {name: normal(3, 5) for name in "xyz"}
    found |= {name: abs(normal(3, 5)) + np.float32(0.1) for name in "pq"}
    found |= {name: unit(3, 5) for name in "uw"}
    found |= {"i": small(1, 9, 3, 5), "j": small(1, 9, 3, 5), "n": small(-9, 9, 3, 5), "k": small(0, 6, 6)}
    found |= {"b": normal(3, 5) > 0, "c": normal(3, 5) > 0, "v": normal(6), "r": normal(6)}
    found |= {"m": normal(4, 4), "a": normal(4, 4), "t": normal(2, 3, 4), "h": normal(3, 5).astype(np.float16)}
    square = normal(4, 4)
    found |= {"s": square @ square.T + 4 * np.eye(4, dtype=np.float32), "g": small(0, 1 << 30, 3, 5).astype(np.uint32)}
    found |= {"im": normal(2, 4, 9, 8), "ke": normal(6, 4, 3, 3), "kd": normal(4, 1, 3, 3)}
    return found


def difference(np, got, expected):
    """None, or what differs; not as precise as tests/accuracy: both round on the way."""
    if got.shape != expected.shape:
        return f"shape {got.shape}, JAX {expected.shape}"
    if got.dtype != expected.dtype:
        return f"dtype {got.dtype}, JAX {expected.dtype}"
    if expected.dtype.kind != "f":
        return None if np.array_equal(got, expected) else f"{np.count_nonzero(got != expected)} elements differ"
    half = expected.dtype.itemsize == 2
    x, y = got.astype(np.float64), expected.astype(np.float64)
    scale = np.max(np.abs(y[np.isfinite(y)]), initial=0)
    close = np.isclose(x, y, rtol=1e-2 if half else 1e-4, atol=(1e-2 if half else 1e-5) * max(scale, 1e-2), equal_nan=True)
    return None if close.all() else f"{got.ravel()[~close.ravel()][:2]} instead of {expected.ravel()[~close.ravel()][:2]}"


class Judge:
    def __init__(self, build, folder):
        import jax
        import jax.numpy as jnp
        import jax.scipy as jsp
        import jax.scipy.integrate, jax.scipy.ndimage, jax.scipy.signal, jax.scipy.stats  # noqa: E401, F401
        import numpy as np

        self.jax, self.np, self.folder = jax, np, folder
        self.server = Server(build, folder)
        self.names = {"jax": jax, "jnp": jnp, "jsp": jsp, "lax": jax.lax, "np": np}
        self.values = values(np)

    def function(self, text):
        used = [name for name in self.values if re.search(rf"(?<![\w.]){name}(?!\w)", text)]
        return eval(f"lambda {', '.join(used)}: {text}", self.names), [self.values[name] for name in used]

    def lower(self, function, inputs):
        """The module, its inputs and what JAX computes."""
        function = self.jax.jit(function)
        module = function.lower(*inputs).compiler_ir("stablehlo")
        text = module.operation.get_asm(print_generic_op_form=True, large_elements_limit=None)
        return text, inputs, self.jax.tree.leaves(function(*inputs))

    def judge(self, case):
        """("ok" | "skipped" | "refused" | "wrong", why), of an expression or of a function and its inputs."""
        np = self.np
        try:
            text, inputs, expected = self.lower(*(self.function(case) if isinstance(case, str) else case))
            expected = [np.asarray(each) for each in expected]
        except Exception as error:  # JAX has its own ideas of what may be traced
            return "skipped", f"{type(error).__name__}: {error}".splitlines()[0][:120]
        source = self.folder / "case.mlir"
        # Outputs are files by name, so none has one.
        source.write_text(text.replace("jax.result_info", "jax.ignored"))
        words = ["run", source, f"--output-dir={self.folder / 'outputs'}"]
        inputs = self.kept(text, inputs)
        for index, value in enumerate(inputs):
            np.save(self.folder / f"{index}.npy", value)
            words.append(f"--input={self.folder / f'{index}.npy'}")
        status, message = self.server.run(words)
        if status:
            reason = next((line for line in message.splitlines() if "error:" in line), message[:200] or f"exit status {status}")
            return "refused", re.sub(r"^.*?error: ", "", reason)
        for index, each in enumerate(expected):
            got = np.load(self.folder / "outputs" / f"out{index}.npy")
            if each.dtype.name == "bfloat16":
                continue
            if why := difference(np, got, each):
                return "wrong", f"result {index}: {why}"
        return "ok", ""

    def kept(self, text, inputs):
        """Of the inputs those whose types main has, in order: what is not used has no argument."""
        signature = re.search(r'function_type = \((.*?)\) -> .*?sym_name = "main"', text)[1]
        types = re.findall(r"tensor<([^>]*)>", signature)
        names = {"float32": "f32", "float16": "f16", "int32": "i32", "uint32": "ui32", "bool": "i1"}
        kept = []
        for value in inputs:
            name = "x".join(map(str, (*value.shape, names[value.dtype.name])))
            if types and types[0] == name:
                kept.append(value)
                types.pop(0)
        return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--models", action="store_true", help="models only")
    parser.add_argument("--table", type=pathlib.Path, help="write the reasons of refusals as Markdown")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files of the last case")
    options = parser.parse_args()
    if not importlib.util.find_spec("jax"):
        print("JAX is not installed")
        sys.exit(77)
    from cases import expressions
    from models import models

    warnings.simplefilter("ignore")
    counts, reasons = collections.Counter(), collections.defaultdict(list)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or pathlib.Path(folder)
        folder.mkdir(exist_ok=True)
        judge = Judge(options.build, folder)
        cases = {text: text for text in expressions()} if not options.models else {}
        cases |= {f"model {name}": model for name, model in models().items()}
        for case, function in cases.items():
            if options.only not in case:
                continue
            verdict, why = judge.judge(function)
            counts[verdict] += 1
            if verdict != "ok":
                print(f"{verdict}: {case}: {why}", flush=True)
                reasons[verdict, why].append(case)
    judged = counts["ok"] + counts["refused"] + counts["wrong"]
    print(f"{counts['ok']} of {judged} agree, {counts['refused']} are refused, {counts['wrong']} differ; "
          f"JAX does not lower {counts['skipped']}; {time.monotonic() - begin:.0f} s")
    if options.table:
        options.table.write_text(json.dumps([[*key, cases] for key, cases in reasons.items()], indent=1))
    sys.exit(counts["wrong"] > 0 or counts["ok"] < LEAST * judged)


main()
