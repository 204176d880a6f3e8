#!/usr/bin/env python3
"""Runs the test data of a StableHLO checkout, which are programs with their expected values.

  stablehlo_tests.py CHECKOUT [--build=build] [--sample=0.1] [--seed=0] [--jobs=2] [--only=TEXT] [--table=FILE]

Reads stablehlo/testdata and stablehlo/tests/interpret. A function with checks is rewritten so that it returns the
operands of its checks. It is compiled and run, and the operands are compared by this script. Prints counts and a table
of the functions that did not pass. "Rounded" means that a float differs by more than its check allows, but by less than
ROUNDING times the largest value in its array, as for sums in another order. The exit status is 1 if a value is wrong.
Needs NumPy.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

# Default tolerances of StableHLO's checks.
ALMOST = 1e-3
MAX_ULPS = 3
ROUNDING = 64  # in units of the dtype's precision
OPERANDS = r"(%[\w#.$-]+)"
PAIR = re.compile(
    rf"(?:%\w+ = )?(?:stablehlo\.custom_call @)?check\.(expect_eq|expect_almost_eq|expect_close|eq)\(?\s*{OPERANDS},\s*{OPERANDS}\)?([^\n]*)")
CONSTANT = re.compile(
    rf'"?check\.(expect_eq|expect_almost_eq)_const"?\(?\s*{OPERANDS}\)?,?\s*(?:<?\{{value = )?(dense<.*?>)\s*:\s*(tensor<[^\n]*?>)'
    r"(?=\s*\n|\s*\}>)[^\n]*", re.S)
FUNCTION = re.compile(r"^( *)func\.func (?:public |private )?@([\w.]+)\(", re.M)


def closing(text, at):
    """Returns the position after the bracket that closes the one at this position."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[({\[]|[)}\]]').finditer(text, at):
        word = match.group()
        if word[0] != '"':
            depth += 1 if word in "({[" else -1
        if depth == 0:
            return match.end()
    raise ValueError("a bracket is not closed")


def split_types(text):
    """Splits a list of types at commas, except for commas inside brackets."""
    types, depth, word = [], 0, ""
    for letter in text:
        depth += letter in "<({["
        depth -= letter in ">)}]"
        if letter == "," and depth == 0:
            types.append(word.strip())
            word = ""
        else:
            word += letter
    return types + [word.strip()] if word.strip() else types


class Case:
    """A function with checks. `text` is its module, in which it returns the values that the checks compare."""

    def __init__(self, path, name, text, kinds):
        self.path, self.name, self.text, self.kinds = path, name, text, kinds


def rewritten(body, kinds):
    """Returns a function's body that returns the operands of its checks, and the types of these operands."""
    values, types = [], []

    def pair(match):
        kind, x, y, rest = match.groups()
        words = split_types(rest[rest.rindex(": ") + 2 :].split("->")[0].strip().strip("()"))
        kinds.append(kind)
        values.extend([x, y])
        types.extend(words * (2 // len(words)))
        return ""

    def constant(match):
        kind, x, value, of = match.groups()
        name = f"%expected_{len(kinds)}"
        kinds.append(kind)
        values.extend([x, name])
        types.extend([of, of])
        return f"{name} = stablehlo.constant {value} : {of}"

    body = PAIR.sub(pair, CONSTANT.sub(constant, body))
    if not kinds:
        return None
    end = body.rindex("return")
    end = body.rindex("\n", 0, end)
    return f"-> ({', '.join(types)}) {body[:end]}\n    func.return {', '.join(values)} : {', '.join(types)}\n  }}"


def cases_of(path):
    cases = []
    for part in path.read_text().split("// -----"):
        part = "\n".join(line for line in part.splitlines() if not line.lstrip().startswith("//")) + "\n"
        for match in FUNCTION.finditer(part):
            arguments = closing(part, match.end() - 1)
            brace = re.compile(r"\{(?=\s*\n)").search(part, arguments).start()
            end = closing(part, brace)
            kinds = []
            body = rewritten(part[brace:end], kinds)
            if body:
                text = part[: match.start()] + f"func.func public @{match.group(2)}(" + part[match.end() : arguments]
                cases.append(Case(path, match.group(2), f"{text} {body}{part[end:]}", kinds))
    return cases


def ordered(bits):
    """Converts the bits of floats to integers of the same order, in which neighbouring floats differ by 1."""
    width = bits.dtype.itemsize * 8
    number = bits.astype(np.uint64).astype(object)
    sign = number >> (width - 1)
    magnitude = number & ((1 << (width - 1)) - 1)
    return np.where(sign == 1, -magnitude, magnitude)


class Array:
    """A result as numbers. For a float type that NumPy does not have, a number is looked up by its bits."""

    def __init__(self, path):
        header = path.read_bytes()[:256].decode("latin1").split("\n")[0]
        note = re.search(r"# dtype: (\w+)", header)
        self.dtype = note.group(1) if note else ""
        self.values = np.load(path)
        if self.dtype == "bf16":
            self.values = (self.values.astype(np.uint32) << 16).view(np.float32)

    def parts(self):
        """Returns the real parts of an array, and for complex numbers both parts."""
        x = self.values
        return np.stack([x.real, x.imag]) if np.iscomplexobj(x) else x

    def precision(self):
        return 2.0**-7 if self.dtype == "bf16" else np.finfo(self.values.dtype).eps

    def in_order(self, x):
        if self.dtype == "bf16":
            return ordered((x.view(np.uint32) >> 16).astype(np.uint16))
        return ordered(x.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[x.dtype.itemsize]))


def difference(kind, x, y):
    """Returns passed, rounded or wrong, and the difference."""
    a, b = x.parts(), y.parts()
    if a.shape != b.shape:
        return "wrong", f"shapes {a.shape} and {b.shape}"
    status = "wrong"
    if a.dtype.kind == "f":
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            if kind == "expect_almost_eq":
                same |= np.abs(a.astype(np.float64) - b) <= ALMOST
            elif kind == "expect_close":
                same |= np.abs(x.in_order(np.ascontiguousarray(a)) - x.in_order(np.ascontiguousarray(b))) <= MAX_ULPS
            largest = np.max(np.abs(b[np.isfinite(b)]), initial=0)
            if (same | (np.abs(a - b) <= ROUNDING * x.precision() * largest)).all():
                status = "rounded"
    elif x.dtype.startswith("f8"):
        code = {"f8E4M3FN": 0x7F, "f8E5M2": 0x7C}[x.dtype]
        is_nan = [(v & 0x7F) == 0x7F if code == 0x7F else (v & 0x7F) > 0x7C for v in (a, b)]
        same = (a == b) | (is_nan[0] & is_nan[1])
    else:
        same = a == b
    if same.all():
        return "passed", ""
    at = tuple(np.argwhere(~same)[0])
    return status, f"{(~same).sum()} of {same.size} values, {a[at]} where {b[at]} is expected"


def run(tool, case):
    """Returns passed, rounded, refused or wrong, and the reason."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "case.mlir")
        text.write_text(case.text)
        try:
            result = subprocess.run([tool, "run", text, f"--entry={case.name}", f"--output-dir={folder}"],
                                    capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "wrong", "it took more than 300 s"
        if result.returncode < 0:
            return "wrong", f"signal {-result.returncode}"
        if result.returncode:
            line = next((line for line in result.stderr.splitlines() if "error:" in line), result.stderr.strip())
            return "refused", line.split("error:")[-1].strip()
        outputs = [Array(pathlib.Path(folder, f"out{i}.npy")) for i in range(2 * len(case.kinds))]
        found = [difference(kind, *outputs[2 * i : 2 * i + 2]) for i, kind in enumerate(case.kinds)]
        return max(found, key=lambda one: ("passed", "rounded", "wrong").index(one[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sample", type=float, default=1.0, help="share of the files, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="files whose path has this text")
    parser.add_argument("--table", type=pathlib.Path, help="write the table here, too")
    options = parser.parse_args()
    root = options.checkout / "stablehlo"
    lines = []
    is_wrong = False
    for folder in ("testdata", "tests/interpret"):
        files = sorted(path for path in (root / folder).rglob("*.mlir") if options.only in str(path))
        if options.sample < 1:
            files = random.Random(options.seed).sample(files, round(len(files) * options.sample))
        counts, cases = collections.Counter(), []
        for path in files:
            found = cases_of(path)
            cases += found
            counts["files without checks"] += not found
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda case: run(options.build / "bin" / "tensorc", case), cases))
        reasons = collections.defaultdict(list)
        for case, (status, why) in zip(cases, results):
            counts[status] += 1
            if status != "passed":
                reasons[status, why].append(f"{case.path.relative_to(root)}:{case.name}")
        summary = ", ".join(f"{counts[word]} {word}" for word in ("passed", "rounded", "refused", "wrong", "files without checks"))
        lines.append(f"{folder}: {len(files)} files, {summary}")
        is_wrong |= counts["wrong"] > 0
        if reasons:
            lines += ["", "| count | status | why | first |", "|---|---|---|---|"]
        for (status, why), names in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
            why = why.replace("|", "\\|")
            lines.append(f"| {len(names)} | {status} | {why} | {names[0]} |")
        lines.append("")
    text = "\n".join(lines)
    print(text)
    if options.table:
        options.table.write_text(text)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
