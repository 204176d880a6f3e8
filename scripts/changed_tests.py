#!/usr/bin/env python3
"""Runs the tests that belong to changed files.

  changed_tests.py [--list] BUILD <FILES

FILES has one path per line, relative to the project's root. BUILD is a configured build folder. --list prints what would
run, one line each: `lit PATH`, `pytest ENTRY FILE` and `ctest ENTRY`; `nothing FILE` for a file of tests/ that selects no
test. Exits with 1 if a test fails.

A source selects the lit tests of the folder of tests/ that mirrors its own, and the entries of CTest in SOURCES. A file
of tests/ selects itself if lit or pytest runs it, and otherwise the entries that run it: a script is an argument of the
entry's command, a C++ source belongs to the program that the entry runs. A file that none of these names, such as a
header, selects the entries of the other files of its folder.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIT = "/usr/lib/llvm-22/bin/lit"
# Changed files, and the entries of CTest to run for them, as regular expressions.
SOURCES = [
    (r"runtime/", r"gtest\.rt|tensorc_rt_exports"),
    (r"ir/(shape|text|tx)/", r"gtest\.(shape|text|ir_tx)$"),
    # Definitions of ops and functions, from which C and C++ functions, their tests and documents are generated.
    (r"(ir|compiler/api)/.*\.td$|tools/opgen/|docs/(ops|functions)\.md$", r"opgen\.|exports\.(c-api|null)"),
    (r"ir/.*\.td$", r"batching\.ops$"),
    (r"codegen/", r"gtest\.codegen$"),
    (r"compiler/(graph|session)/", r"gtest\.(api|graph|complex)\.cpu$|gtest\.grad$"),
    (r"compiler/output/package/", r"gtest\.package$"),
    (r"compiler/(api|include)/|docs/abi\.txt$", r"exports\."),
    (r"python/", r"pytest"),
    (r"pjrt/", r"pytest\.pjrt|gtest\.pjrt"),
    (r"(docs|examples)/.*\.(md|cpp)$", r"docs\.snippets$"),
    # Results of ops are compared with hashes, of which a new function of tests/ops needs one.
    (r"tests/ops/", r"bits\."),
]


def sources_of_programs(build):
    """Yields (source, name of the program) of the C++ sources in tests/."""
    commands = build / "compile_commands.json"
    for command in json.loads(commands.read_text(encoding="utf-8")) if commands.exists() else []:
        output = re.search(r"/CMakeFiles/([^/ ]+)\.dir/", command["command"].partition(" -o ")[2])
        source = pathlib.Path(command["file"])
        sources = [source]
        if source.name.startswith("unity_") and source.exists():
            sources = re.findall(r'^#include "(.+)"', source.read_text(encoding="utf-8"), re.M)
        for source in map(pathlib.Path, sources):
            if output and source.is_relative_to(ROOT / "tests"):
                yield str(source.relative_to(ROOT)), output[1]


class Entries:
    """The entries of CTest: their commands and environments, and which files of tests/ they run."""

    def __init__(self, build):
        listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
        tests = [test for test in json.loads(listed.stdout)["tests"] if "command" in test]
        self.commands = {test["name"]: test["command"] for test in tests}
        self.environments = {test["name"]: [value for p in test["properties"] if p["name"] == "ENVIRONMENT" for value in p["value"]]
                             for test in tests}  # fmt: skip
        self.of_file = {}
        of_program = {}
        for name, command in self.commands.items():
            if name.startswith("lit."):
                continue
            for argument in map(pathlib.Path, command):
                of_program.setdefault(argument.name, set()).add(name)
                # run_gtest.py is in the command of every GoogleTest program.
                if argument.is_relative_to(ROOT / "tests") and argument != ROOT / "tests/run_gtest.py":
                    self.of_file.setdefault(str(argument.relative_to(ROOT)), set()).add(name)
        for source, program in sources_of_programs(build):
            self.of_file.setdefault(source, set()).update(of_program.get(program, ()))

    def matching(self, pattern):
        return {name for name in self.commands if re.match(pattern, name)}

    def running(self, file):
        """Returns the entries that run a file of tests/, or else those of the innermost folder that has entries."""
        place = pathlib.PurePath(file)
        while place != pathlib.PurePath("tests"):
            prefix = f"{place}/"
            found = set().union(*(names for path, names in self.of_file.items() if path == str(place) or path.startswith(prefix)))
            if found:
                return found
            place = place.parent
        return set()


def lit_paths(build, file):
    """Returns what lit runs for a changed file: itself, or the tests of a folder."""
    path = pathlib.PurePath(file)
    if path.parts[:2] == ("ir", "library") or path.parts[:2] == ("ir", "reference"):
        return {str(build / "tests/ir"), str(build / "tests/ops/reference")}
    if path.parts[0] == "tests":
        if len(path.parts) == 2 and path.suffix == ".py":
            return {str(build / "tests/scripts")}  # tests of the programs that run tests
        if "Inputs" in path.parts:
            path = pathlib.PurePath(*path.parts[: path.parts.index("Inputs")])
            if not any((ROOT / path).glob("*.test")) and not any((ROOT / path).glob("*.mlir")):
                return set()
        elif path.suffix not in (".mlir", ".test"):
            return set()
        if path.parts[:2] != ("tests", "ops"):
            return {str(build / path)}
        # tests/ops is one suite for each device.
        suites = {config.parent for config in (build / "tests/ops").glob("*/lit.site.cfg.py")}
        return {str(suite.joinpath(*path.parts[2:])) for suite in suites}
    folder = path.parent
    while folder.parts and not (ROOT / "tests" / folder).is_dir():
        folder = folder.parent
    return {str(build / "tests" / folder)} if folder.parts else set()


def select(build, files):
    """Returns the paths for lit, the (entry, file) for pytest, the entries of CTest, and files without a test."""
    entries = Entries(build)
    lits, cases, names, untested = set(), set(), set(), []
    for file in files:
        found = lit_paths(build, file)
        lits |= found
        chosen = set().union(*(entries.matching(pattern) for changed, pattern in SOURCES if re.match(changed, file)))
        if file.startswith("tests/") and not found:
            runs = entries.running(file)
            if re.match(r"test_.*\.py$", pathlib.PurePath(file).name):
                found = {(name, file) for name in runs if "pytest" in entries.commands[name]}
                cases |= found
                runs -= {name for name, _ in found}
            chosen |= runs
        names |= chosen
        if file.startswith("tests/") and not found and not chosen:
            untested.append(file)
    # A whole entry of pytest includes its files.
    return entries, sorted(lits), sorted((name, file) for name, file in cases if name not in names), sorted(names), untested


def run(command, environment=()):
    return subprocess.run(["env", *environment, *command], cwd=ROOT, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    entries, lits, cases, names, untested = select(build, sys.stdin.read().splitlines())
    if options.list:
        lines = [f"lit {path}" for path in lits] + [f"pytest {name} {file}" for name, file in cases]
        print("\n".join(lines + [f"ctest {name}" for name in names] + [f"nothing {file}" for file in untested]))
        return
    good = not lits or run([LIT, "-q", "--allow-empty-runs", *lits])
    for name, file in cases:
        command = entries.commands[name]
        command = [*command[: command.index("pytest") + 1], "-q", "-p", "no:cacheprovider", file]
        good &= run(command, entries.environments[name])
    if names:
        pattern = f"^({'|'.join(map(re.escape, names))})$"
        good &= run(["ctest", "--test-dir", str(build), "--output-on-failure", f"--parallel={os.cpu_count()}", "-R", pattern])
    sys.exit(not good)


main()
