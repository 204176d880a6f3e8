#!/usr/bin/env python3
"""Each public header compiles alone, with all warnings: .h by gcc and clang as C99 and C++17, .hpp by clang as C++17.

  headers_test.py INCLUDE_FOLDER...

Those that include the others do so by both, and as C++23, too (the tests are C++20); g++ gets all .hpp at once. Without exceptions they say where to go.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

# Included by tensorc.hpp, in whose namespace they stand.
PARTS = ("ops.hpp",)
WARNINGS = ["-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
C_MODES = [("gcc", "c", "c99"), ("clang-22", "c", "c99"), ("g++", "c++", "c++17"), ("clang++-22", "c++", "c++17")]
WHOLE = ("tensorc.hpp", "runtime.hpp")


def modes(header):
    if header.suffix == ".h":
        return C_MODES
    if header.name not in WHOLE:
        return [("clang++-22", "c++", "c++17")]
    return [(compiler, "c++", f"c++{year}") for compiler in ("g++", "clang++-22") for year in (17, 23)]


includes = [f"-I{folder}" for folder in sys.argv[1:]]
headers = sorted(h for folder in sys.argv[1:] for h in (pathlib.Path(folder) / "tensorc").glob("*.h*"))


def compiled(header, compiler, language, standard, *options):
    included = [word for h in (header if isinstance(header, tuple) else [header]) for word in ("-include", str(h))]
    command = [compiler, "-x", language, f"-std={standard}", *options, "-fsyntax-only", *includes, *included, "/dev/null"]
    return subprocess.run(command, capture_output=True, text=True)


def failure(job):
    header, compiler, language, standard = job
    if not shutil.which(compiler):
        return f"skipped: no {compiler}"
    run = compiled(header, compiler, language, standard, *WARNINGS)
    return f"{compiler} -std={standard} {header}:\n{run.stderr}" if run.returncode else ""


jobs = [
    (header, *mode)
    for header in headers
    if header.name not in PARTS
    for mode in modes(header)
]
# g++ says more of shadowed names than clang does.
jobs.append((tuple(h for h in headers if h.suffix == ".hpp" and h.name not in PARTS), "g++", "c++", "c++17"))
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    texts = [text for text in pool.map(failure, jobs) if text]
failures = [text for text in texts if not text.startswith("skipped")]
for header in (h for h in headers if h.name in WHOLE):
    run = compiled(header, "clang++-22", "c++", "c++17", "-fno-exceptions")
    if "with -fno-exceptions include tensorc/tensorc.h" not in run.stderr:
        failures.append(f"{header} without exceptions says:\n{run.stderr}")
# What a mistake in a program is told.
MISTAKES = {
    'jit([](const Tensor &x, const std::string &) { return x; })(ones({2}), "text");': 'pass a text as std::string("...")',
    "ones({2}).t().zero_();": "deleted",
}
for statement, text in MISTAKES.items():
    program = f'#include "tensorc/tensorc.hpp"\nusing namespace tensorc;\nvoid f() {{ {statement} }}\n'
    command = ["clang++-22", "-x", "c++", "-std=c++17", "-fsyntax-only", *includes, "-"]
    run = subprocess.run(command, input=program, capture_output=True, text=True)
    if text not in run.stderr:
        failures.append(f"{statement} is told:\n{run.stderr}")
print(*sorted({text for text in texts if text not in failures}), *failures, sep="\n")
print(f"{len(headers)} headers, {len(jobs)} compilations, {len(failures)} failures")
sys.exit(bool(failures) or not headers)
