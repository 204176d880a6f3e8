#!/usr/bin/env python3
"""Each public header compiles alone, with all warnings: .h by gcc and clang as C99 and C++17, .hpp by clang as C++17.

  headers_test.py INCLUDE_FOLDER...

Those that include the others do so by both, and as C++23, too (the tests are C++20); g++ gets all .hpp at once. Without exceptions they say where to go.
A header that includes tensorc.hpp, and that tensorc.hpp does not include, gets it precompiled: nothing is hidden by that, because the
header gets the same text from its own includes.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

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


def included_by(header, found=None):
    """The names of the headers of these folders that the header includes, also indirectly, and its own."""
    found = set() if found is None else found
    if header.name not in found:
        found.add(header.name)
        for name in re.findall(r'#include "tensorc/([^"]+)"', header.read_text()):
            included_by(next(path for folder in sys.argv[1:] if (path := pathlib.Path(folder) / "tensorc" / name).exists()), found)
    return found


def precompiled(folder):
    """The options of headers after tensorc.hpp, and their names. Without clang there are none."""
    whole = next(h for h in headers if h.name == "tensorc.hpp")
    path = pathlib.Path(folder) / "tensorc.pch"
    command = ["clang++-22", "-x", "c++-header", "-std=c++17", *includes, str(whole), "-o", str(path)]
    if not shutil.which(command[0]) or subprocess.run(command).returncode:
        return [], set()
    inner = included_by(whole)
    after = {h.name for h in headers if h.suffix == ".hpp" and h.name not in inner and whole.name in included_by(h)}
    return ["-include-pch", str(path)], after


def failure(job):
    header, compiler, language, standard = job
    if not shutil.which(compiler):
        return f"skipped: no {compiler}"
    options = after_whole if compiler == "clang++-22" and getattr(header, "name", "") in names_after_whole else []
    run = compiled(header, compiler, language, standard, *WARNINGS, *options)
    return f"{compiler} -std={standard} {header}:\n{run.stderr}" if run.returncode else ""


jobs = [
    (header, *mode)
    for header in headers
    if header.name not in PARTS
    for mode in modes(header)
]
# g++ says more of shadowed names than clang does.
jobs.append((tuple(h for h in headers if h.suffix == ".hpp" and h.name not in PARTS), "g++", "c++", "c++17"))
with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    after_whole, names_after_whole = precompiled(scratch)
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
