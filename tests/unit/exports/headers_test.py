#!/usr/bin/env python3
"""Each public header compiles alone: .h as C99 and C++17, .hpp as C++20, by gcc and clang, with all warnings.

  headers_test.py INCLUDE_FOLDER...
"""

import pathlib
import shutil
import subprocess
import sys

folders = [pathlib.Path(folder) for folder in sys.argv[1:]]
headers = sorted(h for folder in folders for h in (folder / "tensorc").glob("*.h*"))
includes = [f"-I{folder}" for folder in folders]
# Included by tensorc.hpp, in whose namespace they stand.
PARTS = ("ops.hpp",)
failures = 0
for header in headers:
    if header.name in PARTS:
        continue
    modes = [("gcc", "clang-22", "c", "c99"), ("g++", "clang++-22", "c++", "c++17")]
    for *compilers, language, standard in modes if header.suffix == ".h" else [("g++", "clang++-22", "c++", "c++20")]:
        for compiler in compilers:
            if not shutil.which(compiler):
                print("skipped: no", compiler)
                continue
            run = subprocess.run([compiler, "-x", language, f"-std={standard}", "-pedantic", "-Wall", "-Wextra", "-Werror",
                                  "-fsyntax-only", *includes, "-include", str(header), "/dev/null"],
                                 capture_output=True, text=True)
            if run.returncode:
                print(f"{compiler} -std={standard} {header}:\n{run.stderr}")
                failures += 1
print(f"{len(headers)} headers, {failures} failures")
sys.exit(bool(failures) or not headers)
