#!/usr/bin/env python3
"""The tests of the `onnx` package, through tensorc.

    suite.py TENSORC-TEST-SERVER [--only=WORD] [--part=I/N] [--verbose]

A test that is refused must be in refused.txt, by the reason there; one that gives
other numbers fails. Inputs that a shape depends on are not inputs of a compiled
program: where tensorc says that it must know one before the model runs, the test
runs again with this input as a constant of the model.
"""

import argparse
import collections
import fnmatch
import os
import re
import sys
import warnings

import numpy as np
import server

warnings.filterwarnings("ignore")
KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator", "light")
HERE = os.path.dirname(os.path.abspath(__file__))


def cases(only):
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test import loader

    for kind in KINDS:
        for case in loader.load_model_tests(kind=kind):
            if only and only not in case.name:
                continue
            if case.model is not None:
                yield case.name, case.model, case.data_sets, case.rtol, case.atol
                continue
            if not case.model_dir or not os.path.exists(os.path.join(case.model_dir, "model.onnx")):
                continue
            model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
            sets = []
            folder = os.path.join(case.model_dir, "test_data_set_0")
            for what in ("input", "output"):
                values = []
                while os.path.exists(path := os.path.join(folder, f"{what}_{len(values)}.pb")):
                    tensor = onnx.TensorProto()
                    with open(path, "rb") as file:
                        try:
                            tensor.ParseFromString(file.read())
                            values.append(numpy_helper.to_array(tensor))
                        except Exception:  # a sequence or an optional value
                            values.append(None)
                sets.append(values)
            yield case.name, model, [tuple(sets)], case.rtol, case.atol


def storable(array):
    """As .npy files hold it: bf16 and f8 as their bits, 4-bit integers as bytes."""
    name = array.dtype.name
    if name in ("int4", "uint4"):
        return array.astype(np.int8 if name == "int4" else np.uint8)
    if name == "bfloat16":
        return array.view(np.uint16)
    if name.startswith("float8"):
        return array.view(np.uint8)
    return array


def array_of(value):
    """Inputs of some dtypes come as messages."""
    import onnx
    from onnx import numpy_helper

    if not isinstance(value, onnx.TensorProto):
        return value
    try:
        return numpy_helper.to_array(value)
    except Exception:
        return value


def is_tensor(value):
    return isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "fiub" or (
        hasattr(value, "dtype") and np.asarray(value).dtype.name in ("bfloat16", "int4", "uint4", "float8_e4m3fn", "float8_e5m2"))


def frozen(model, name, value):
    import onnx
    from onnx import numpy_helper

    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    inputs = [each for each in copy.graph.input if each.name != name]
    del copy.graph.input[:]
    copy.graph.input.extend(inputs)
    copy.graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
    return copy


def run(tool, model, inputs):
    """`inputs` by name. Returns the outputs by name, or None and why not."""
    path = tool.path("model.onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    words = ["run", path, f"--output-dir={tool.path('out.d')}"]
    for i, (name, value) in enumerate(inputs.items()):
        np.save(tool.path(f"in{i}.npy"), storable(np.asarray(value)))
        words.append(f"--input={name}={tool.path(f'in{i}.npy')}")
    os.makedirs(tool.path("out.d"), exist_ok=True)
    for old in os.listdir(tool.path("out.d")):
        os.remove(tool.path(os.path.join("out.d", old)))
    return tool.run(words)


def check(tool, model, inputs, expected, rtol, atol, drawn):
    """`ok`, `refused` and why, or `wrong` and how. `drawn`: of random numbers only the shapes and dtypes are equal."""
    names = [each.name for each in model.graph.input if each.name not in {i.name for i in model.graph.initializer}]
    given = {name: value for name, value in zip(names, inputs) if name}
    if any(not is_tensor(value) for value in given.values()) or any(value is not None and not is_tensor(value) for value in expected):
        path = tool.path("model.onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        status, text = tool.run(["compile", path, "--stop-after=import"])
        return ("wrong", "crash: " + text[-300:]) if status is None else ("refused", text or "not a tensor")
    status, text = run(tool, model, given)
    # A constant for each input that the program must know.
    for _ in range(8):
        found = re.search(r"depends on the contents of '([^']*)'", text or "")
        if status != 1 or not found or found[1] not in given:
            break
        model = frozen(model, found[1], given.pop(found[1]))
        status, text = run(tool, model, given)
    if status is None:
        return "wrong", "crash: " + text[-400:]
    if status != 0:
        return "refused", text
    for output, want in zip(model.graph.output, expected):
        if want is None:
            continue
        want = np.asarray(want)
        got = np.load(tool.path(os.path.join("out.d", output.name.replace("%", "%25").replace("/", "%2f") + ".npy")))
        if got.shape != want.shape:
            return "wrong", f"{output.name}: shape {got.shape}, not {want.shape}"
        name = want.dtype.name
        if name in ("bfloat16",) or name.startswith("float8"):
            got = got.view(want.dtype)
        elif name in ("int4", "uint4"):
            want = want.astype(got.dtype)
        elif got.dtype != want.dtype:
            return "wrong", f"{output.name}: dtype {got.dtype}, not {want.dtype}"
        if want.dtype.kind in "iub":
            if not drawn and not np.array_equal(got, want):
                return "wrong", f"{output.name}: {got.ravel()[:6]}, not {want.ravel()[:6]}"
            continue
        if drawn:
            continue
        a, b = got.astype(np.float64), want.astype(np.float64)
        loose = max(rtol, 8e-3 if name == "bfloat16" else 2e-3 if name == "float16" else rtol)
        if not np.allclose(a, b, rtol=loose, atol=max(atol, 1e-5 if want.dtype.itemsize > 2 else 1e-3), equal_nan=True):
            worst = np.nanmax(np.abs(a - b)) if a.size else 0
            return "wrong", f"{output.name}: differs by {worst:.3g}: {a.ravel()[:5]}, not {b.ravel()[:5]}"
    return "ok", ""


def reasons():
    """(pattern, reason) of refused.txt, where a reason is a heading."""
    rows, reason = [], ""
    with open(os.path.join(HERE, "refused.txt"), encoding="utf-8") as file:
        for line in file:
            line = line.rstrip()
            if line.startswith("# "):
                reason = line[2:]
            elif line:
                rows.append((line, reason))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--only")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    try:
        import onnx  # noqa: F401
    except ImportError:
        print("suite: skipped, the package onnx is not installed")
        return 77
    part, parts = map(int, arguments.part.split("/"))
    tool = server.Server(arguments.server)
    rows, counts, unexpected, by_reason = reasons(), collections.Counter(), [], collections.Counter()
    for i, (name, model, sets, rtol, atol) in enumerate(cases(arguments.only)):
        if i % parts != part:
            continue
        verdict, text = "ok", ""
        sets = [tuple([array_of(value) for value in values] for values in each) for each in sets]
        for inputs, expected in sets:
            if verdict == "ok":
                try:
                    verdict, text = check(tool, model, list(inputs), list(expected), rtol, atol, drawn="bernoulli" in name)
                except Exception as error:
                    verdict, text = "wrong", f"the judge failed: {error!r}"
        counts[verdict] += 1
        reason = next((reason for pattern, reason in rows if fnmatch.fnmatch(name, pattern)), None)
        if verdict == "refused" and reason is not None:
            by_reason[reason] += 1
        if verdict == "wrong" or (verdict == "refused" and reason is None):
            unexpected.append(name)
        if arguments.verbose or name in unexpected[-1:]:
            if verdict != "ok":
                print(f"{verdict} {name}: {' '.join(text.split())[:300]}", flush=True)
    print(f"suite: {counts['ok']} passed, {counts['refused']} refused, {counts['wrong']} wrong")
    for reason, count in by_reason.most_common():
        print(f"  {count:4} refused: {reason}")
    print(f"  {len(unexpected)} unexpected")
    return len(unexpected) > 0


if __name__ == "__main__":
    sys.exit(main())
